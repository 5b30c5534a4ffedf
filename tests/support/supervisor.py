"""A small service manager: starts what a unit says, listens on a notify socket, restarts what dies or falls silent.

Does for tests what systemd does with Type=notify, NotifyAccess=main, Restart=on-failure, SuccessExitStatus, RestartForceExitStatus and
WatchdogSec. Real processes and a real socket; every wait is bounded.
"""

import contextlib
import os
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.support.units import Unit

BOUND_S = 60.0
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Said:
    """One datagram: who sent it (0 where the system does not say) and its states."""

    pid: int
    states: tuple[str, ...]


class Supervision:
    """One unit under supervision, from `start` to the end of the block."""

    def __init__(self, unit: Unit, folder: Path, *, watchdog_s: float) -> None:
        self._unit = unit
        self._watchdog = watchdog_s
        self._folder = folder
        self._place = Path(tempfile.mkdtemp(prefix="hv", dir="/tmp"))  # a socket's path has 104 bytes at most on macOS
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self._place / "notify"))
        self._socket.settimeout(_LOOK_S)
        self._credentials = hasattr(socket, "SO_PASSCRED")
        if self._credentials:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._news = threading.Condition()
        self._closing = threading.Event()
        self._stopping = False
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = 0.0
        self._first = 0
        self._watched = False
        self._thread = threading.Thread(target=self._live, name="test-supervisor", daemon=True)
        self.said: list[Said] = []
        self.ends: list[int] = []
        self.starts = 0

    @property
    def output(self) -> Path:
        """The file of what the service printed."""
        return self._folder / "printed.txt"

    @property
    def pid(self) -> int:
        """The main process of the service as it runs now."""
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(10)
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(10)
        self._socket.close()
        for leftover in (self._place / "notify", self._place):
            with contextlib.suppress(OSError):
                leftover.unlink() if leftover.name == "notify" else leftover.rmdir()

    def start(self) -> None:
        self._begin()
        self._thread.start()

    def wait_for(self, holds: Callable[[], bool], what: str) -> None:
        """Waits until `holds`; fails with all that was said."""
        deadline = time.monotonic() + BOUND_S
        with self._news:
            while not holds():
                assert time.monotonic() < deadline, f"not in time: {what}; said: {self.said}; ended: {self.ends}; {self._printed()}"
                self._news.wait(_LOOK_S)

    def wait_said(self, state: str, *, life: int = 1) -> None:
        """Waits until the `life`-th process has said `state`."""
        self.wait_for(lambda: self.starts == life and self.has_said(state), f"{state} of life {life}")

    def has_said(self, state: str) -> bool:
        """Whether the process as it runs now has said `state`."""
        return any(state in said.states for said in self.said[self._first :])

    def stop(self) -> int:
        """Asks the service to leave, as systemd does; its exit status."""
        self._stopping = True
        assert self._process is not None
        before = len(self.ends)
        self._process.send_signal(signal.SIGTERM)
        self.wait_for(lambda: len(self.ends) > before, "the end")
        return self.ends[-1]

    def _begin(self) -> None:
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self._folder),
            **self._unit.environment,
            "NOTIFY_SOCKET": str(self._place / "notify"),
            "WATCHDOG_USEC": str(round(self._watchdog * 1e6)),
        }
        with self.output.open("ab") as output:
            process = subprocess.Popen(
                self._unit.command, cwd=self._folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        self._process, self._watched, self._first, self.starts = process, False, len(self.said), self.starts + 1

    def _live(self) -> None:
        while not self._closing.is_set():
            self._listen()
            assert self._process is not None
            code = self._process.poll()
            with self._news:
                if code is not None:
                    self._ended(code)
                    if self._stopping or not self._restarts(code):
                        return
                elif self._watched and time.monotonic() - self._heard > self._watchdog:
                    self._process.kill()

    def _ended(self, code: int) -> None:
        while self._listen():
            pass
        if self._restarts(code) and not self._stopping:
            self._begin()
        self.ends.append(code)
        self._news.notify_all()

    def _restarts(self, code: int) -> bool:
        forced, fine = (self._unit.all(key) for key in ("RestartForceExitStatus", "SuccessExitStatus"))
        return str(code) in forced or (code != 0 and str(code) not in fine)

    def _listen(self) -> bool:
        try:
            data, ancillary, _, _ = self._socket.recvmsg(4096, 256)
        except TimeoutError:
            return False
        pid = next((struct.unpack("3i", value[:12])[0] for _, _, value in ancillary), 0) if self._credentials else 0
        if pid not in (0, self.pid):
            return True
        states = tuple(data.decode("utf-8").split("\n"))
        with self._news:
            self.said.append(Said(pid, states))
            if "WATCHDOG=1" in states or "READY=1" in states:
                self._heard, self._watched = time.monotonic(), True
            if "STOPPING=1" in states:
                self._watched = False
            self._news.notify_all()
        return True

    def _printed(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")[-2000:]
