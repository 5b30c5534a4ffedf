"""A problem on the wire (RFC 9457), and from it back to the error that the daemon raised. Pure; must not send anything."""

from dataclasses import dataclass

import msgspec

from holovault.errors import ConfigError, StaleError, UserError


@dataclass(frozen=True, slots=True)
class Problem:
    """An error on the wire (RFC 9457). `code` is the stable word of errors.py; `title` names it, `detail` is the sentence.

    `current_hash` comes with STALE (null: the note does not exist), `problems` with CONFIG. `quoted` are lines out of the vault, to be
    shown as data: the difference behind a STALE, the nearest lines behind a NOT_FOUND.
    """

    title: str
    status: int
    detail: str
    code: str
    type: str = "about:blank"
    current_hash: str | None = None
    problems: tuple[str, ...] = ()
    quoted: str | None = None


def error_from(status: int, body: bytes) -> UserError:
    """The error of the class that `code` names; a plain UserError where the code or the body is not known."""
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return UserError(f"The daemon answered HTTP {status} and nothing that can be read. Find out why with: holovault doctor")
    error = error_named(problem.code, problem.detail, problem)
    error.quoted = problem.quoted
    return error


def error_named(code: str, detail: str, problem: Problem | None = None) -> UserError:
    """The error of the class that carries `code`, with `detail` as its sentence."""
    kind = _classes().get(code, UserError)
    if issubclass(kind, StaleError):
        return StaleError(detail, problem.current_hash if problem else None)
    if issubclass(kind, ConfigError):
        return _config_error(detail, problem)
    return kind(detail)


def _config_error(detail: str, problem: Problem | None) -> UserError:
    source, _, rest = detail.partition(" has ")
    problems = problem.problems if problem else tuple(line.strip() for line in rest.splitlines()[1:])
    return ConfigError(source, problems) if problems else UserError(detail)


def _classes() -> dict[str, type[UserError]]:
    # Where two classes share a code the first one drawn in errors.py is the general one.
    known: dict[str, type[UserError]] = {}
    for kind in UserError.__subclasses__():
        known.setdefault(kind.code, kind)
    return known
