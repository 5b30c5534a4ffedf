"""`holovault mcp` as a process, spoken to line by line, the way any client does.

Owns the process, its handshake and reading what it writes. Every line of its standard output must be a JSON-RPC message.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from queue import Empty, Queue
from typing import Any, Self

from tests.support.processes import ROOT

BOUND_S = 150.0


class McpProcess:
    """A server, past its handshake once `greet` returned."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._coming: Queue[str] = Queue()
        self._number = 0
        self._readers = [threading.Thread(target=self._read_out), threading.Thread(target=self._read_errors)]
        for reader in self._readers:
            reader.start()

    def greet(self) -> dict[str, Any]:
        """The handshake of the older era; what the server says of itself."""
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        answer = self.answer(self.ask("initialize", hello))
        self._send({"method": "notifications/initialized"})
        return answer

    def ask(self, method: str, params: Mapping[str, object]) -> int:
        """Sends a request; its number."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """The result of one tool."""
        return self.answer(self.ask("tools/call", {"name": tool, "arguments": arguments}))

    def answer(self, number: int) -> dict[str, Any]:
        """The result of request `number`; fails with what the server wrote to its log where none comes."""
        while True:
            try:
                message = json.loads(self._coming.get(timeout=BOUND_S))
            except Empty:
                raise AssertionError(f"no answer to request {number}: {self.errors}") from None
            if message.get("id") == number:
                result: dict[str, Any] = message["result"]
                return result

    def reply_to(self, line: bytes) -> dict[str, Any]:
        """The next message after a line sent as it is; fails with the log where none comes."""
        assert isinstance(self.process.stdin, TextIOWrapper)
        self.process.stdin.buffer.write(line + b"\n")
        self.process.stdin.flush()
        try:
            message: dict[str, Any] = json.loads(self._coming.get(timeout=BOUND_S))
        except Empty:
            raise AssertionError(f"no answer to a line: {self.errors}") from None
        return message

    def finish(self) -> int:
        """Ends its input and waits for its end; its exit status."""
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(BOUND_S)
        for reader in self._readers:
            reader.join(BOUND_S)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            try:
                self.finish()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
                raise

    def _send(self, message: Mapping[str, object]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def _read_out(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)
            self._coming.put(line)

    def _read_errors(self) -> None:
        assert self.process.stderr
        self.errors.extend(self.process.stderr)
