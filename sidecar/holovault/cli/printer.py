"""Everything that reaches a terminal or a pipe goes through here. Nothing else in Holovault prints.

Owns stdout (answers) and stderr (errors, notes, progress). Colours only on a terminal and not under
NO_COLOR; a pipe gets plain UTF-8 lines on every system. Must not decide what to say.
"""

import contextlib
import io
import os
import shutil
import sys
import traceback
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

from holovault.cli.render import Line, Span, plain, quoted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from holovault.client import ProgressCallback
    from holovault.model import IndexProgress

STYLES = {"path": "bold cyan", "heading": "green", "score": "dim", "match": "bold yellow", "dim": "dim", "good": "green", "bad": "bold red"}
PIPE_WIDTH = 120
_PLAIN_STEPS = 10


def utf8_streams() -> None:
    """Makes stdout and stderr UTF-8 whatever the system's code page; what cannot be encoded is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def width() -> int:
    """Columns for text: the terminal's, or a fixed number in a pipe."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else PIPE_WIDTH


def show(lines: Iterable[Line]) -> None:
    """Writes an answer to stdout."""
    _write(lines, sys.stdout)


def say(sentence: str) -> None:
    """Writes one sentence to stdout."""
    _write([(Span(sentence),)], sys.stdout)


def remark(lines: Iterable[Line]) -> None:
    """Writes what belongs beside an answer to stderr."""
    _write(lines, sys.stderr)


def show_json(value: object) -> None:
    """Writes a value of the model to stdout as JSON, indented by two."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8"))


def error(code: str, sentence: str, quoted_lines: str | None = None) -> None:
    """Writes why there is no answer to stderr, its stable code first, and below it the lines of the vault that it is about."""
    _write([(Span(f"{code}: ", "bad"), Span(sentence)), *quoted(quoted_lines or "")], sys.stderr)


def bug() -> None:
    """Writes the traceback of the exception at hand to stderr."""
    traceback.print_exc()
    print("ERROR: This is a mistake in Holovault, not in what you asked. The lines above say where.", file=sys.stderr)


def flush() -> None:
    """Sends what is buffered; raises BrokenPipeError where nobody reads any more."""
    sys.stdout.flush()


def hang_up() -> None:
    """Stops writing to a stdout that nobody reads, also at the interpreter's exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def progress() -> "Iterator[ProgressCallback]":
    """A callback that shows how far a long job is: a bar on a terminal, a few plain lines elsewhere; both on stderr."""
    if not sys.stderr.isatty():
        yield _PlainProgress()
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


class _PlainProgress:
    """Lines at the start of a phase and at every tenth of it."""

    def __init__(self) -> None:
        self._last: tuple[str, int] | None = None

    def __call__(self, step: "IndexProgress") -> None:
        fresh = self._last is None or self._last[0] != step.phase
        if step.phase == "idle" or step.total <= 0 or (fresh and step.done >= step.total):
            return
        reached = (step.phase, step.done * _PLAIN_STEPS // step.total)
        if reached != self._last:
            self._last = reached
            print(f"{step.phase}: {step.done} of {step.total}", file=sys.stderr, flush=True)


class _Bar:
    """A bar that appears with the first step that leaves something to do."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, step: "IndexProgress") -> None:
        if step.phase == "idle" or step.total <= 0 or (step.phase not in self._tasks and step.done >= step.total):
            return
        bar = self._started()
        if step.phase not in self._tasks:
            self._tasks[step.phase] = bar.add_task(step.phase, total=step.total)
        bar.update(self._tasks[step.phase], completed=step.done, total=step.total)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()

    def _started(self) -> "Progress":
        if self._progress is None:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._progress = Progress(*columns, console=_console(sys.stderr), transient=True)
            self._progress.start()
        return self._progress


def _write(lines: Iterable[Line], stream: TextIO) -> None:
    if not stream.isatty():
        for line in lines:
            print(plain(line).rstrip(), file=stream)
        return
    from rich.text import Text

    console = _console(stream)
    for line in lines:
        console.print(Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line)), soft_wrap=True)


def _console(stream: TextIO) -> "Console":
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)
