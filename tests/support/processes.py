"""Processes of the tests: their environment, and waiting for their end without sleeping for a fixed time."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic

import psutil

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}


def wait_until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether the condition came true in time; looked at every 10 ms."""
    pause = Event()
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        pause.wait(0.01)
    return True


def gone(pid: int) -> bool:
    """Whether no process has this id; one that has ended and waits to be reaped is not running but counts as there."""
    return not psutil.pid_exists(pid)


def ended(pid: int) -> bool:
    """Whether the process no longer runs, reaped or not: an orphan's zombie is the system's business."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
