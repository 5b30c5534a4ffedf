"""A model hub on this machine: what huggingface_hub asks for, real HTTP with ranges, and the ways in which a download goes wrong.

Owns the files of one repository. `faults` are met once each, in order of arrival, by requests for the file they name.
"""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

REVISION = "a" * 40


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one request for `file`: the connection ends after `at` bytes, stands still there, or other bytes come.

    `then` is the status of every later answer, 0 for none: a hub that breaks in the middle stays broken.
    """

    file: str
    kind: Literal["cut", "stall", "damage"]
    at: int = 0
    then: int = 0


@dataclass
class FakeHub:
    """`asked` is every request for a file with the byte it began at; `status` other than 200 answers everything."""

    folder: Path
    revision: str = REVISION
    status: int = 200
    faults: list[Fault] = field(default_factory=list)
    asked: list[tuple[str, int]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    stalled: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)
    address: str = ""
    claimed: dict[str, int] = field(default_factory=dict)
    """Sizes that are announced instead of the true ones."""

    def reset(self, folder: Path) -> None:
        """As it was at the start, with other files."""
        self.folder, self.revision, self.status = folder, REVISION, 200
        for listed in (self.faults, self.asked, self.headers):
            listed.clear()
        self.claimed.clear()
        self.stalled.clear()
        self.release.clear()

    def files(self) -> list[str]:
        """Every file of the repository."""
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())

    def listing(self) -> dict[str, object]:
        """The answer about the repository: large files by SHA-256, small ones by git's sum of a blob."""
        return {"id": "test/repository", "sha": self.revision, "siblings": [self._sibling(name) for name in self.files()]}

    def fault(self, file: str) -> Fault | None:
        """The next fault for a file, which is used up by it."""
        found = next((fault for fault in self.faults if fault.file == file), None)
        if found:
            self.faults.remove(found)
        return found

    def _sibling(self, name: str) -> dict[str, object]:
        data = (self.folder / name).read_bytes()
        blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        sibling: dict[str, object] = {"rfilename": name, "size": self.claimed.get(name, len(data)), "blobId": blob}
        if name.endswith(".onnx"):
            sibling["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
        return sibling


@contextmanager
def fake_hub(folder: Path) -> Iterator[FakeHub]:
    """A hub that serves `folder` until the block ends; its `address` is for HF_ENDPOINT."""
    hub = FakeHub(folder)

    class Handler(_Handler):
        served = hub

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield hub
    finally:
        hub.release.set()
        server.shutdown()
        thread.join(10)
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: FakeHub
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test reads `asked`."""

    def do_GET(self) -> None:
        """The repository's list or a file."""
        hub, path = self.served, unquote(urlsplit(self.path).path)
        hub.headers.append({name.lower(): value for name, value in self.headers.items()})
        if hub.status != 200:
            self._answer(hub.status, b"{}")
        elif path.startswith("/api/models/"):
            self._answer(200, json.dumps(hub.listing()).encode("utf-8"), "application/json")
        else:
            self._file(path.partition(f"/resolve/{hub.revision}/")[2])

    def _file(self, name: str) -> None:
        hub = self.served
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
        hub.asked.append((name, start))
        if name not in hub.files():
            self._answer(404, b"")
            return
        data, fault = (hub.folder / name).read_bytes(), hub.fault(name)
        if fault and fault.kind == "damage":
            data = bytes(len(data))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        self._body(data[start:], fault)

    def _body(self, data: bytes, fault: Fault | None) -> None:
        if fault is None or fault.kind == "damage":
            self.wfile.write(data)
            return
        self.wfile.write(data[: fault.at])
        self.wfile.flush()
        self.served.status = fault.then or self.served.status
        if fault.kind == "stall":
            self.served.stalled.set()
            self.served.release.wait(60)
        self.close_connection = True

    def _answer(self, status: int, body: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
