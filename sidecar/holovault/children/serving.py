"""The child's side: answer frames until the parent is gone.

Owns the child's descriptors 0 and 1, its signals and its end. Must not import subprocess, psutil or anything heavy: every child pays.
"""

import faulthandler
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO

from holovault.children.frames import ANSWER, REFUSAL, BrokenFrameError, Frame, read_frame, write_frame

REASON_CHARACTERS = 300


def serve(handler: Callable[[bytes], bytes]) -> None:
    """Calls `handler` with each request's payload, one at a time, and answers with what it returns; does not return while the parent lives.

    An exception becomes a refusal with its name and message, and the child lives on. The process ends at once when the parent closes
    the pipe or dies, whatever the handler is doing. Ctrl-C is the parent's business. Prints go to stderr, never between the frames.
    """
    _leave_interrupts_to_the_parent()
    faulthandler.enable()
    requests, answers = _take_descriptors()
    inbox: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, inbox), name="frames", daemon=True).start()
    with suppress(OSError):
        while True:
            write_frame(answers, _answer(handler, inbox.get()))


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        signal.signal(signal.SIGBREAK, signal.SIG_IGN)


def _take_descriptors() -> tuple[IO[bytes], IO[bytes]]:
    """The two pipes under numbers that no grandchild inherits; 0 becomes the null device and 1 becomes stderr."""
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return requests, answers


def _listen(requests: IO[bytes], inbox: SimpleQueue[bytes]) -> None:
    # Windows reports a parent that died as an error of the pipe, not as its end.
    with suppress(OSError, BrokenFrameError):
        while frame := read_frame(requests):
            inbox.put(frame.payload)
    os._exit(0)


def _answer(handler: Callable[[bytes], bytes], payload: bytes) -> Frame:
    try:
        return Frame(ANSWER, handler(payload))
    except Exception as error:  # noqa: BLE001  (the process edge: the parent gets the reason, the log where it was)
        traceback.print_tb(error.__traceback__)
        sys.stderr.flush()
        return Frame(REFUSAL, f"{type(error).__name__}: {error}"[:REASON_CHARACTERS].encode("utf-8", "replace"))
