"""`holovault import`: chat histories become notes. The kinds are found through entry points, so a package can add one.

Owns the options, the progress bar and the report on the screen. Group `holovault.importers`: an object with `about` and `run`,
see `Importer`. Must not know any kind, and loads none before `import` is asked for.
"""

import re
import signal
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer
import typer.core

from holovault.cli import printer
from holovault.cli.options import Json, Vault, quoted, text
from holovault.cli.render import Line, Span, clean
from holovault.errors import UsageError, UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from holovault.config import Config
    from holovault.model import ImportReport, ImportRequest
    from holovault.vault import Vault as VaultDoor

IMPORTERS = "holovault.importers"
TOOLS = "holovault.import-tools"
NOT_ALL = 1
STOPPED = 130
_MB = 1_000_000
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class ToolsName(StrEnum):
    """How much of the traffic with tools is kept."""

    none = "none"
    line = "line"
    full = "full"


class Importer(Protocol):
    """What an entry point of the group `holovault.importers` leads to."""

    @property
    def about(self) -> str:
        """One sentence for `--help`."""

    def run(
        self,
        vault: "VaultDoor",
        config: "Config",
        request: "ImportRequest",
        progress: Callable[[int, int], None],
        stopped: Callable[[], bool],
    ) -> "ImportReport":
        """Import. `progress` takes bytes read and bytes in all; `stopped` is asked between two conversations."""


class Sources(typer.core.TyperGroup):
    """The commands of `holovault import`: those that are written here, and one for each kind that is installed."""

    _known: MutableMapping[str, Any]
    _looked: bool

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """All commands by name; the kinds are looked up when somebody asks."""
        if not self._looked:
            from importlib.metadata import entry_points

            self._looked = True
            for entry in sorted(entry_points(group=IMPORTERS), key=lambda entry: entry.name):
                self._known.setdefault(entry.name, _command(entry))
        return self._known

    @commands.setter
    def commands(self, known: MutableMapping[str, Any]) -> None:
        self._known = dict(known)
        self._looked = False


def group() -> typer.Typer:
    """The application `holovault import` with its commands."""
    app = typer.Typer(
        name="import", cls=Sources, no_args_is_help=True, help="Turn chat histories into notes; what you edited stays as it is."
    )
    app.command()(aliases)
    return app


def aliases(vault: Vault = None, json: Json = False) -> None:
    """Propose which project names mean the same, as lines for knowledge.toml. Nothing is changed. Exit status 1 where there are none."""
    from importlib.metadata import entry_points

    root, config, door = _vault(vault)
    entry = next(iter(entry_points(group=TOOLS, name="aliases")))
    found = entry.load()(door, config)
    if json:
        printer.show_json(found)
    elif found:
        lines = [f"{_toml(item.alias)} = {_toml(item.project)}  # {item.reason}" for item in found]
        printer.show([(Span("[projects.aliases]"),), *((Span(line),) for line in lines)])
        printer.remark([(Span(f"Put the lines that are right into {clean(str(root / 'knowledge.toml'))}.", "dim"),)])
    else:
        printer.say("No two project names look like one project.")
    if not found:
        raise typer.Exit(NOT_ALL)


def _toml(name: str) -> str:
    return '"' + clean(name).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _command(entry: "EntryPoint") -> Any:
    """A command for one kind. One that cannot be loaded says so when it is used, and leaves the others alone."""
    try:
        importer: Importer | None = entry.load()
        about = importer.about if importer else ""
    except Exception as error:  # noqa: BLE001
        importer, about = None, f"Cannot be used: {type(error).__name__}: {error}"

    def run(
        exports: Annotated[list[str] | None, typer.Argument(help="Zips, folders or files; the usual place unless named.")] = None,
        vault: Vault = None,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done and write nothing.")] = False,
        since: Annotated[str | None, typer.Option("--since", help="Skip what was last changed before this day (2026-03-01).")] = None,
        project: Annotated[str | None, typer.Option("--project", help="Take only what belongs to this project.")] = None,
        no_artifacts: Annotated[bool, typer.Option("--no-artifacts", help="Leave artifacts out.")] = False,
        thinking: Annotated[bool, typer.Option("--thinking", help="Keep what the model thought, folded.")] = False,
        tools: Annotated[
            ToolsName, typer.Option("--tools", help="Traffic with tools: none, one line, or all of it in a note of its own.")
        ] = ToolsName.line,
        redact: Annotated[
            bool | None,
            typer.Option(
                "--redact/--no-redact", help="Replace secrets everywhere, or nowhere; unless told, in tool text and in sessions of code."
            ),
        ] = None,
        json: Json = False,
    ) -> None:
        from holovault.model import ImportRequest

        if importer is None:
            raise UserError(f"The importer {entry.name} {about[:1].lower()}{about[1:]}. Update the package that brings it.")
        if since is not None and not _is_day(since):
            raise UsageError(f"--since is a day such as 2026-03-01, not {clean(since)}.")
        if not all(exports or ("usual",)):
            raise UsageError("An export has an empty name. Name a zip, a folder or a file.")
        given = tuple(text(export) for export in exports or ())
        request = ImportRequest(given, dry_run, since, text(project) if project else None, not no_artifacts, thinking, tools.value, redact)
        _run(importer, vault, request, json=json)

    app = typer.Typer(add_completion=False)
    app.command(name=entry.name, help=about)(run)
    command = typer.main.get_command(app)
    command.name = entry.name
    return command


def _is_day(given: str) -> bool:
    """Whether it is a day that the calendar has, written as exports are compared."""
    try:
        return bool(_DAY.fullmatch(given)) and bool(date.fromisoformat(given))
    except ValueError:
        return False


def _run(importer: Importer, vault: Path | None, request: "ImportRequest", *, json: bool) -> None:
    root, config, door = _vault(vault)
    with printer.progress() as show, _stopping() as stopped:
        report = importer.run(door, config, request, _in_megabytes(show), stopped)
    printer.show_json(report) if json else printer.show(report_lines(report, root))
    printer.remark((Span(f"problem: {clean(problem)}", "bad"),) for problem in report.problems)
    if report.stopped:
        raise typer.Exit(STOPPED)
    if report.problems or not report.examined:
        raise typer.Exit(NOT_ALL)


def report_lines(report: "ImportReport", root: Path) -> list[Line]:
    """The report for people: the fates, what it was made of, what to look at."""
    skipped = sum(tally.count for tally in report.skipped)
    fates = (
        ("new", report.new),
        ("updated", report.updated),
        ("appended", report.appended),
        ("conflicted", report.conflicted),
        ("unchanged", report.unchanged),
        ("skipped", skipped),
    )
    lines: list[Line] = [(Span("Nothing was written: this is what an import would do.", "dim"),)] if report.dry_run else []
    told = ", ".join(f"{count:,} {name}" for name, count in fates if count) or "nothing of this kind was found"
    lines.append((Span(f"Examined {report.examined:,}: {told}."),))
    lines += [(Span(f"  skipped {tally.count:,}: {clean(tally.name)}"),) for tally in report.skipped]
    lines += [_listed(title, tallies) for title, tallies in (("Notes", report.kinds), ("Contents", report.contents)) if tallies]
    if report.unknown:
        lines.append(_listed("Unknown blocks, kept folded", report.unknown))
    if report.redacted:
        lines.append((Span(f"Secrets replaced: {report.redacted:,}."),))
    if report.archived:
        lines.append((Span(f"Not in this export any more, marked as archived: {report.archived:,}."),))
    for conflict in report.conflicts:
        lines.append(
            (Span("You edited "), Span(clean(conflict.path), "path"), Span("; the newer text is in "), Span(clean(conflict.kept), "path"))
        )
    lines += [(Span(clean(remark), "dim"),) for remark in report.remarks]
    if report.stopped:
        lines.append((Span("Stopped. What was done is kept; the same command goes on from here."),))
    elif not report.dry_run and report.new:
        lines.append((Span(f"Search it: holovault search WORDS --vault {quoted(root)}", "dim"),))
    return lines


def _listed(title: str, tallies: Any) -> Line:
    return (Span(f"{title}: " + ", ".join(f"{tally.count:,} {clean(tally.name)}" for tally in tallies) + "."),)


def _vault(given: Path | None) -> "tuple[Path, Config, VaultDoor]":
    from holovault.cli.reach import vault_root
    from holovault.config import Home, load_config
    from holovault.vault import Vault as Door

    root = vault_root(given, Path.cwd())
    Home.from_environment().check_outside(root)
    file = root / "knowledge.toml"
    config = load_config(file.read_text(encoding="utf-8") if file.is_file() else None, str(file))
    return root, config, Door(root, config.vault)


def _in_megabytes(show: Any) -> Callable[[int, int], None]:
    from holovault.model import IndexProgress

    def step(done: int, total: int) -> None:
        show(IndexProgress("megabytes", done // _MB, max(total // _MB, 1)))

    return step


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: once ends the import after the conversation at hand, twice ends it at once."""
    pressed: list[bool] = []

    def note(number: int, frame: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(True)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)
