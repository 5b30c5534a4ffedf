"""The command line's edge: the list of commands, and what every kind of ending looks like.

Exit status: 0 yes, 1 the answer is no, 2 usage, 3 it cannot be answered, 130 interrupted. Imports nothing
heavy, so that `holovault --help` is quick.
"""

import os
import sys
from typing import Any

import typer
import typer.core

from holovault.cli import (
    agents,
    asking,
    doctor,
    entities,
    facts,
    importing,
    leftovers,
    mcp,
    model,
    page,
    plugin,
    printer,
    running,
    service,
    token,
    writing,
)
from holovault.errors import HolovaultError, UserError

CANNOT = 3
INTERRUPTED = 130
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Group(typer.core.TyperGroup):
    """Runs a command and turns what it raises into one sentence and an exit status."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command that was named."""
        try:
            result = super().invoke(ctx)
            printer.flush()
        except UserError as error:
            printer.error(error.code, str(error), error.quoted)
            raise typer.Exit(error.exit) from error
        except HolovaultError as error:
            printer.error(UserError.code, str(error))
            raise typer.Exit(CANNOT) from error
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            printer.hang_up()
            raise typer.Exit(0) from None
        return result


def make() -> typer.Typer:
    """The application with all its commands."""
    app = typer.Typer(
        name="holovault",
        cls=Group,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        help="Search of a Markdown vault by words and by meaning, with an address for every answer.",
    )
    for command in (
        running.up,
        asking.search,
        asking.read,
        asking.related,
        writing.write,
        writing.edit,
        writing.append,
        running.index,
        asking.status,
        asking.explain,
        entities.entities,
        entities.probe,
        entities.reason,
        entities.like,
        entities.analogy,
        facts.facts,
        facts.remember,
        facts.correct,
        facts.forget,
        facts.feedback,
        doctor.doctor,
        running.serve,
        mcp.mcp,
        running.stop,
        leftovers.prune,
        running.version,
    ):
        app.command()(command)
    app.command("open")(page.open_page)
    app.add_typer(model.group())
    app.add_typer(service.group())
    app.add_typer(agents.group())
    app.add_typer(plugin.group())
    app.add_typer(token.group())
    app.add_typer(importing.group())
    return app


def main() -> None:
    """Runs the command line and ends the process."""
    printer.utf8_streams()
    for name in BLAS_THREADS:
        # A scan is as quick as the memory on one thread; more of them wait for each other when the machine is busy.
        os.environ.setdefault(name, "1")
    try:
        make()()
    except Exception:  # noqa: BLE001
        printer.bug()
        sys.exit(CANNOT)
