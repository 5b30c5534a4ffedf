"""The commands of `holovault model`: which models there are, which one a vault uses, fetching and removing them."""

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json, Vault, quoted
from holovault.cli.prune import prune
from holovault.cli.render import Line, Span, clean, table

if TYPE_CHECKING:
    from holovault.engine.models import Choice, ModelRow, Models, Used

_MB = 1_000_000
_STATES = {"here": "here", "started": "partly", "absent": "", "remote": "remote"}

Name = Annotated[str, typer.Argument(help="A model, as `holovault model list` names it.")]


class PoolingName(StrEnum):
    """How the vectors of a text's tokens become one."""

    mean = "mean"
    cls = "cls"


def group() -> typer.Typer:
    """The application `holovault model` with its commands."""
    app = typer.Typer(name="model", no_args_is_help=True, help="Choose the model that reads the notes; nothing is fetched unasked.")
    app.command("list")(listing)
    for command in (use, download, add, remove, prune):
        app.command()(command)
    return app


def listing(vault: Vault = None, json: Json = False) -> None:
    """List providers and models: vector length, trained length, size, licence, which are on this machine, and which one the vault uses."""
    from holovault.config import find_vault

    root = _root(vault) if vault else find_vault(Path.cwd())
    rows = _models().rows(root)
    printer.show_json(rows) if json else printer.show(_listed(rows))


def use(
    name: Annotated[str, typer.Argument(help="A model, or a provider: bundled, e5, fastembed, openai, none.")],
    vault: Vault = None,
    base_url: Annotated[str | None, typer.Option(help="For openai: the address of the service.", show_default=False)] = None,
    model: Annotated[str | None, typer.Option(help="For openai: the service's name of the model.", show_default=False)] = None,
    api_key_env: Annotated[str | None, typer.Option(help="For openai: the variable that holds the key.", show_default=False)] = None,
    dimensions: Annotated[int | None, typer.Option(help="For openai: the vector length to ask for.", show_default=False)] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm the address that note text will be sent to.")] = False,
    json: Json = False,
) -> None:
    """Let the vault use a model: fetch and try it if it is not here yet, then write it into knowledge.toml; all else there stays."""
    from holovault.engine.models import ServiceWishes

    models, root = _models(), _root(vault)
    choice = models.choose(root, name, ServiceWishes(base_url, model, api_key_env, dimensions))
    if choice.address and not yes:
        _confirm(choice, asked_for=base_url is not None and (choice.key_name is None or api_key_env is not None))
    with _transfer() as progress:
        used = models.use(root, choice, progress)
    if json:
        printer.show_json(used)
    else:
        printer.show(_used(used, root))


def download(name: Name, json: Json = False) -> None:
    """Fetch a model of fastembed's list to this machine; an interrupted download goes on where it stopped."""
    models = _models()
    with _transfer() as progress:
        row = models.download(name, progress)
    printer.show_json(row) if json else printer.show([*_facts(row), (Span(f"Use it with: holovault model use {row.name}", "dim"),)])


def add(
    name: Annotated[str, typer.Argument(help="What knowledge.toml will call it, such as my/model.")],
    folder: Annotated[Path, typer.Argument(help="The folder with the ONNX file and the tokenizer's files.")],
    dimension: Annotated[int | None, typer.Option(min=1, help="Numbers in a vector; measured unless told.", show_default=False)] = None,
    window: Annotated[
        int | None, typer.Option(min=32, help="Tokens that the model was trained to read at once.", show_default=False)
    ] = None,
    query_prefix: Annotated[str | None, typer.Option(help="What it expects before a question.", show_default=False)] = None,
    passage_prefix: Annotated[str | None, typer.Option(help="What it expects before a passage.", show_default=False)] = None,
    pooling: Annotated[PoolingName | None, typer.Option(help="How it becomes one vector.", show_default=False)] = None,
    file: Annotated[str | None, typer.Option(help="The ONNX file, where the folder has several.", show_default=False)] = None,
    licence: Annotated[str | None, typer.Option(help="Its licence, for the list.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Put a folder of your own on this machine's list of models, after it has embedded something. The folder stays where it is."""
    from holovault.engine.models import Wishes

    wishes = Wishes(name, folder, dimension, window, query_prefix, passage_prefix, pooling.value if pooling else None, file, licence)
    row = _models().add(wishes)
    printer.show_json(row) if json else printer.show([*_facts(row), (Span(f"Use it with: holovault model use {row.name}", "dim"),)])


def remove(
    name: Name,
    force: Annotated[bool, typer.Option("--force", help="Also where a vault uses it.")] = False,
    json: Json = False,
) -> None:
    """Take a model off this machine: its files if they were fetched, the entry alone if the folder is yours."""
    gone = _models().remove(name, force=force)
    if json:
        printer.show_json(gone)
    elif gone.files_kept:
        printer.say(f"{gone.name} is off the list. Its folder {clean(gone.folder)} is untouched.")
    else:
        printer.say(f"Removed {gone.name}: {gone.megabytes} MB in {clean(gone.folder)}.")


def _models() -> "Models":
    from holovault.config import Home
    from holovault.engine.models import Models

    return Models(Home.from_environment())


def _root(vault: Path | None) -> Path:
    from holovault.cli.reach import vault_root

    return vault_root(vault, Path.cwd())


def _transfer() -> "_Transfer":
    return _Transfer()


class _Transfer:
    """Bytes as megabytes for the progress bar; nothing for a model that is there already."""

    def __enter__(self) -> Callable[[int, int], None]:
        self._bar = printer.progress()
        show = self._bar.__enter__()

        def step(done: int, total: int) -> None:
            from holovault.model import IndexProgress

            show(IndexProgress("megabytes", done // _MB, max(total // _MB, 1)))

        return step

    def __exit__(self, *problem: object) -> None:
        self._bar.__exit__(None, None, None)


def _confirm(choice: "Choice", *, asked_for: bool) -> None:
    """An address or a key's name that stands in knowledge.toml may have come with it; one on the command line was typed by the person."""
    from holovault.errors import UsageError

    if asked_for:
        return
    what, options = "Note text", "--base-url"
    if choice.key_name is not None:
        what, options = f"Note text and {choice.key_name}", "--base-url and --api-key-env"
    if not sys.stdin.isatty():
        raise UsageError(f"{what} would be sent to {choice.address}. Confirm it with --yes, or say it yourself with {options}.")
    if not typer.confirm(f"{what} will be sent to {choice.address}. Is that what you want?", err=True):
        raise typer.Exit(1)


def _listed(rows: "Sequence[ModelRow]") -> list[Line]:
    widest = max(len(clean(row.name)) for row in rows)
    head = f"{'':2}{'provider':<10}{'model':<{widest}}  {'vector':>6}  {'reads':>6}  {'MB':>5}  {'disk':<6}  {'licence':<12}  languages"
    return [(Span(head, "dim"),), *(_row(row, widest) for row in rows)]


def _row(row: "ModelRow", widest: int) -> Line:
    reads = str(row.trained) if row.trained else "any" if row.dimension else ""
    size = str(row.megabytes) if row.megabytes else ""
    remark = "; ".join(clean(part) for part in (row.languages, row.remark) if part)
    about = f"  {row.dimension or '':>6}  {reads:>6}  {size:>5}  {_STATES[row.state]:<6}  {clean(row.licence):<12}  {remark}"
    mark = Span("* " if row.in_use else "  ", "good")
    return (mark, Span(f"{row.provider:<10}"), Span(f"{clean(row.name):<{widest}}", "path"), Span(about))


def _facts(row: "ModelRow") -> list[Line]:
    return table(
        [
            ("Model", clean(row.name)),
            ("Vector", f"{row.dimension} numbers"),
            ("Reads", f"{row.trained} tokens at once"),
            ("Folder", f"{clean(row.folder or '')} ({row.megabytes} MB)"),
            ("Licence", clean(row.licence) or "not known"),
        ]
    )


def _used(used: "Used", root: Path) -> list[Line]:
    name = clean(used.model or used.provider)
    if not used.changed:
        return [(Span(f"{clean(used.file)} already names {name}."),)]
    lines: list[Line] = [(Span(f"{clean(used.file)} now names {name}."),)]
    if used.memory_mb:
        lines.append((Span(f"The model needs more memory than was allowed, so memory_mb is {used.memory_mb} there."),))
        words = f"A service of this vault has a limit of its own and learns of it by: holovault service install --vault {quoted(root)}"
        lines.append((Span(words, "dim"),))
    words = f"A daemon that runs brings it in while the old model answers: holovault status --vault {quoted(root)}"
    return [*lines, (Span(words, "dim"),)]
