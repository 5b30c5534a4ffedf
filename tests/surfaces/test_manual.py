"""The manual says what the code does: generated tables, links that lead somewhere, every command named."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from holovault.markdown import parse
from tests.support.mcp_pages import codes_table, tools_table
from tests.support.recordings import ROOT, matches, with_section
from tests.support.reference_pages import commands_table, routes_table, settings_table

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_there_are_pages_in_both_languages() -> None:
    assert len(PAGES) > 12
    assert sum(page.startswith("ru/") for page in PAGES) >= 3


@pytest.mark.parametrize(
    ("page", "section", "made"),
    [
        ("docs/Configuration.md", "settings", settings_table),
        ("docs/Command line.md", "commands", commands_table),
        ("docs/HTTP interface.md", "routes", routes_table),
        ("docs/Agents.md", "tools", tools_table),
        ("docs/Agents.md", "codes", codes_table),
    ],
)
def test_generated_tables_are_up_to_date(page: str, section: str, made: object) -> None:
    assert callable(made)
    matches(page, with_section(page, section, made()))


def _targets() -> Iterator[str]:
    for page in PAGES:
        path = PurePosixPath(page)
        yield from (path.stem.casefold(), path.with_suffix("").as_posix().casefold())
        yield from (alias.casefold() for alias in parse((DOCS / page).read_text(encoding="utf-8")).front.aliases)
    yield from (picture.relative_to(DOCS).as_posix() for picture in (DOCS / "images").iterdir())


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    known = set(_targets())
    links = parse((DOCS / page).read_text(encoding="utf-8")).links
    assert [
        link.target
        for link in links
        if link.target and "://" not in link.target and link.target.casefold().removesuffix(".md") not in known
    ] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_no_path_of_a_machine(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert not re.search(r"/tmp/|/root/|/home/\w+/", text)
