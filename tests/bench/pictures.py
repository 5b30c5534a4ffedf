"""The pictures of the manual, taken in a real browser of a small invented vault.

    python -m tests.bench.pictures [--out docs/images]

Owns the vault that they show and which parts are pictured. Run it after the page has changed.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page

from holovault.model import FeedbackRequest
from tests.support.browser import browser
from tests.support.pages import Site, site
from tests.support.vaults import NO_MODEL, make_vault

NOTES: dict[str, str | bytes] = {
    "Memory/Facts/Home.md": "# Home\n\n"
    "- The boiler is serviced every October #house [created:: 2026-01-12] ^boil\n"
    "- [[Anna Berg|Anna]] has the spare key [trust:: 0.8] [created:: 2026-05-24] ^keyk\n"
    "- The lease ends on 2027-03-31 #house/lease [created:: 2026-02-02] ^leas\n"
    "- The lease ends on 2027-06-30 #house/lease [created:: 2026-08-10] ^less\n",
    "Memory/Facts/Работа.md": "# Работа\n\n"
    "- Релиз выходит по четвергам #работа/релизы [created:: 2026-09-01] ^rele\n"
    "- Сервер проверки называется heron, за него отвечает [[Борис Ким]] [created:: 2026-10-15] ^hero\n"
    "- Бюджет на год 1 200 000 рублей [trust:: 0.3] [created:: 2025-12-15] ^budg\n",
    "Projects/Heron/Plan.md": "# Plan\n\n[[Anna Berg]] writes the parser, [[Борис Ким]] the tests, [[Carla Díaz]] draws. #work/plan\n",
    "Projects/Heron/Log.md": "# Log\n\n[[Борис Ким]] met [[Carla Díaz]] about the harbour. #work/log\n\n"
    "## Review\n\n[[Anna Berg]] and [[Ove]] read it.\n",
    "People/Anna Berg.md": "---\naliases: [Анна]\n---\n# Anna Berg\n\nRuns [[Heron]] with [[Борис Ким]]; knows [[Ove]] from school.\n",
    "People/Ove.md": "# Ove\n\nKeeps the harbour's books with [[Carla Díaz]]; [[Heron]] is his idea.\n",
    "Broken.md": "---\ntags: [[\n---\n# Broken\n",
}
VOTES = (("keyk", "helpful"), ("keyk", "helpful"), ("rele", "unhelpful"), ("hero", "helpful"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pictures", description="Takes the pictures of the manual.")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    out: Path = parser.parse_args(arguments).out
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser() as running:
        vault = make_vault(Path(folder) / "Notebook", NOTES, NO_MODEL)
        with site(vault.root, Path(folder) / "home") as here:
            for name, vote in VOTES:
                here.engine.facts.feedback(FeedbackRequest(name, "helpful" if vote == "helpful" else "unhelpful"))
            for name, picture in PICTURES.items():
                picture(here, running, out / f"{name}.png")
                print(out / f"{name}.png")


def _window(running: Browser, here: Site, part: str, width: int, height: int, dark: bool = False) -> Page:
    context = running.new_context(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    return here.enter(context, part)


def _facts(here: Site, running: Browser, file: Path) -> None:
    page = _window(running, here, "facts", 900, 900)
    page.get_by_text("cannot both be so").click()
    page.screenshot(path=file, full_page=True)


def _edit(here: Site, running: Browser, file: Path) -> None:
    page = _window(running, here, "facts", 320, 640, dark=True)
    page.locator("[data-fact=keyk]").get_by_text("edit", exact=True).click()
    page.locator("textarea").wait_for()
    page.screenshot(path=file)


def _entity(here: Site, running: Browser, file: Path) -> None:
    page = _window(running, here, "entities", 900, 900, dark=True)
    page.get_by_role("link", name="Anna Berg", exact=True).click()
    page.get_by_role("group").wait_for()
    page.screenshot(path=file)


def _status(here: Site, running: Browser, file: Path) -> None:
    page = _window(running, here, "status", 900, 520)
    page.screenshot(path=file)


PICTURES = {"page-facts": _facts, "page-edit-320": _edit, "page-entity-dark": _entity, "page-status": _status}

if __name__ == "__main__":
    main()
