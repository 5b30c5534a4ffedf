"""The whole exception tree, named by who reads the message.

    HolovaultError
    ├── UserError                 shown to the person or agent as it stands: what, where, what next
    │   ├── UsageError            the request itself cannot be understood (exit 2, HTTP 400)
    │   ├── ConfigError           knowledge.toml: every problem at once (exit 2)
    │   ├── StaleError            STALE: the file is not the one that was read (412)
    │   ├── NotFoundError         NOT_FOUND: no such note, line or vault (404)
    │   ├── VaultMissingError     NOT_FOUND: the vault's folder is away just now; no note is gone (404)
    │   ├── DiskError             DISK: the system refused to read or write a file (500)
    │   ├── PathForbiddenError    PATH_FORBIDDEN: outside the vault, or excluded (403)
    │   ├── AmbiguousError        AMBIGUOUS: more than one thing answers to that name (409)
    │   ├── TooLargeError         TOO_LARGE: over a stated limit (413)
    │   ├── BusyError             BUSY: somebody else owns the index just now (503)
    │   ├── IndexingError         INDEXING: the answer is not there yet (503)
    │   ├── UnauthorisedError     UNAUTHORISED: token, Host or Origin (401)
    │   ├── VersionError          VERSION: daemon, index or client of another version (426)
    │   └── IndexUnreadableError  INDEX_UNREADABLE: no index can be opened or started (500)
    └── WorkerError               a child process failed; the caller retries, degrades or lists it

`code` is the one stable word that HTTP problems and MCP errors carry; `exit` is the exit status of
the command line. Must not import anything of ours.
"""

from typing import ClassVar


class HolovaultError(Exception):
    """Root of the tree."""


class UserError(HolovaultError):
    """A sentence for the reader: what is wrong, where, and what to do next.

    `quoted` are lines out of the vault that help with it, such as a diff. They are no part of the sentence: a note's text is data,
    and whoever shows it says so.
    """

    code: ClassVar[str] = "ERROR"
    status: ClassVar[int] = 400
    exit: ClassVar[int] = 3

    def __init__(self, message: str = "", *, quoted: str | None = None) -> None:
        self.quoted = quoted
        super().__init__(message)


class UsageError(UserError):
    code = "USAGE"
    status = 400
    exit = 2


class ConfigError(UserError):
    """All problems of one configuration file, each with its line."""

    code = "CONFIG"
    status = 400
    exit = 2

    def __init__(self, source: str, problems: tuple[str, ...]) -> None:
        self.source = source
        self.problems = problems
        super().__init__("\n".join((f"{source} has {len(problems)} problem(s):", *(f"  {problem}" for problem in problems))))


class StaleError(UserError):
    """The expected hash differs from the file's: nothing was written."""

    code = "STALE"
    status = 412

    def __init__(self, message: str, current_hash: str | None, *, quoted: str | None = None) -> None:
        self.current_hash = current_hash
        super().__init__(message, quoted=quoted)


class NotFoundError(UserError):
    code = "NOT_FOUND"
    status = 404
    exit = 3


class VaultMissingError(UserError):
    """The vault's root cannot be seen (an unmounted drive): never evidence that a note was deleted."""

    code = "NOT_FOUND"
    status = 404
    exit = 3


class DiskError(UserError):
    """The system refused to read or write a file; what was there before is untouched."""

    code = "DISK"
    status = 500
    exit = 3


class PathForbiddenError(UserError):
    code = "PATH_FORBIDDEN"
    status = 403


class AmbiguousError(UserError):
    code = "AMBIGUOUS"
    status = 409


class TooLargeError(UserError):
    code = "TOO_LARGE"
    status = 413


class BusyError(UserError):
    code = "BUSY"
    status = 503


class IndexingError(UserError):
    code = "INDEXING"
    status = 503


class UnauthorisedError(UserError):
    code = "UNAUTHORISED"
    status = 401


class VersionError(UserError):
    code = "VERSION"
    status = 426


class IndexUnreadableError(UserError):
    code = "INDEX_UNREADABLE"
    status = 500


class WorkerError(HolovaultError):
    """A child process died, hung or refused one request."""
