"""What can go wrong with a child, in words for a person.

Owns the four kinds of WorkerError and the sentences about exit codes. Must not touch a process.
"""

import signal

from holovault.errors import WorkerError


class WorkerDied(WorkerError):
    """The process ended, was ended, could not be started, or sent something that is no answer."""


class WorkerHung(WorkerError):
    """No answer within the time allowed; the process was killed."""


class WorkerOverMemory(WorkerError):
    """More memory than allowed while it worked; the process was killed."""


class WorkerRefused(WorkerError):
    """The handler raised an exception; the process lives."""


def end_in_words(code: int | None) -> str:
    """`Popen.returncode` as the end of a sentence: a signal by number and name, a Windows status in hexadecimal."""
    if code is None:
        return "stopped answering"
    if code < 0:
        return f"died with signal {-code} ({_signal_name(-code)})"
    if code >= 0xC0000000:
        return f"crashed with status 0x{code:08X}"
    return f"ended with exit code {code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
