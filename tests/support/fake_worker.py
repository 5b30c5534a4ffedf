"""A child for the tests of `holovault.children`: what it does with a request is written in the request."""

import os
import signal
import subprocess
import sys
import time

from holovault.children import serve

MB = 1 << 20
_kept: list[bytearray] = []


def handle(payload: bytes) -> bytes:
    """`word argument` → an answer, or the end of this process in one of the ways a process can end."""
    word, _, argument = payload.decode("utf-8", "replace").partition(" ")
    if word == "echo":
        return payload[5:]
    if word == "pid":
        return str(os.getpid()).encode("ascii")
    if word == "exit":
        os._exit(int(argument))
    if word == "kill":
        os.kill(os.getpid(), signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    if word == "hang":
        time.sleep(600)
    if word == "grow":
        _kept.append(bytearray(b"x" * (int(argument) * MB)))
        time.sleep(600)
    if word == "keep":
        _kept.append(bytearray(b"x" * (int(argument) * MB)))
    if word == "raise":
        raise LookupError(argument)
    if word == "print":
        print(argument, flush=True)  # noqa: T201
        os.write(1, b"from below\n")
        return b"printed"
    if word == "orphan":
        # close_fds=False: whatever may be inherited is.
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(15)"], close_fds=False)
        os._exit(int(argument))
    if word == "environment":
        return os.environ.get(argument, "").encode("utf-8")
    return b""


if __name__ == "__main__":
    serve(handle)
