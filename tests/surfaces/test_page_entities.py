"""The pages of names and of the index's state in a real browser, on a real vault."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import browser, width_of
from tests.support.pages import Site, site
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

NOTES: dict[str, str | bytes] = {
    "People/Anna Berg.md": "---\naliases: [Анна]\n---\n# Anna Berg\n\nRuns [[Heron]] with [[Boris]].\n",
    "Projects/Heron/Plan.md": "# Plan\n\n[[Anna Berg]] writes the parser, [[Boris]] the tests. #work/plan\n",
    "Projects/Heron/Log.md": "# Log\n\n[[Boris]] met [[Carla]] about the <b>harbour</b>. #work/log\n",
    "Alone.md": "# Alone\n\n## Far away\n\n[[Hermit]].\n",
    "Harbour.md": "# Harbour\n\n[[Carla]] knows the [[Harbour master]].\n",
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> VaultFolder:
    return make_vault(tmp_path_factory.mktemp("names") / "vault", NOTES, NO_MODEL)


@pytest.fixture(scope="module")
def here(vault: VaultFolder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(vault.root, tmp_path_factory.mktemp("home")) as found:
        yield found


@pytest.fixture
def page(here: Site, chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 320, "height": 700}) as context:
        yield here.enter(context, "entities")


def test_names_are_found_while_typing_and_lead_to_their_passages(page: Page) -> None:
    page.get_by_role("searchbox").press_sequentially("berg")
    expect(page.locator("#list li")).to_have_count(1)
    page.get_by_role("link", name="Anna Berg").click()
    expect(page.get_by_role("heading", name="Anna Berg", level=1)).to_be_visible()
    expect(page.get_by_text("Анна")).to_be_visible()
    passages = page.locator("ul.hits").first
    expect(passages).to_contain_text("Projects/Heron/Plan.md:1-3")
    assert width_of(page) <= 320


def test_the_neighbourhood_is_drawn_and_can_be_walked(page: Page) -> None:
    page.get_by_role("link", name="Boris", exact=True).click()
    picture = page.get_by_role("group", name="Names that stand together with Boris")
    expect(picture).to_be_visible()
    other = picture.get_by_role("link").first
    name = other.text_content()
    other.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name or "")


def test_what_two_names_have_in_common_is_shown_and_without_it_what_lies_between(page: Page) -> None:
    page.get_by_text("What is said of two names together").click()
    page.get_by_label("One").fill("anna berg")
    page.get_by_label("Another").fill("BORIS")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("ul.hits")).to_contain_text("Projects/Heron/Plan.md")
    page.goto(page.url.replace("BORIS", "Carla"))
    expect(page.get_by_role("status")).to_contain_text("No passage names them all. These lie between them.")
    page.goto(page.url.replace("Carla", "Hermit"))
    expect(page.get_by_role("status")).to_contain_text("and none lies between them")
    expect(page.locator("ul.hits")).to_have_count(0)


def test_what_is_only_a_heading_is_shown_as_one(page: Page) -> None:
    page.goto(page.url + "/of?name=far%20away")
    expect(page.get_by_role("heading", name="Where it is named as head")).to_be_visible()
    expect(page.locator("ul.hits")).to_contain_text("Alone.md")


def test_text_of_notes_is_text(page: Page) -> None:
    page.get_by_role("link", name="Carla", exact=True).click()
    expect(page.get_by_text("<b>harbour</b>").first).to_be_visible()


def test_a_name_that_nobody_knows_is_said_so(page: Page) -> None:
    page.goto(page.url + "/of?name=Nobody%20At%20All")
    expect(page.get_by_role("alert")).to_be_visible()


def test_the_state_of_the_index_changes_under_the_eyes(here: Site, chromium: Browser, vault: VaultFolder) -> None:
    with chromium.new_context() as context:
        page = here.enter(context, "status")
        expect(page.locator(".numbers div").filter(has_text="notes").locator("dd")).to_have_text("5")
        expect(page.get_by_role("heading", name="Nothing failed")).to_be_visible()
        vault.write("New.md", "---\nbroken: [[\n---\n# New\n")
        expect(page.locator(".numbers div").filter(has_text="notes").locator("dd")).to_have_text("6", timeout=10_000)
        expect(page.get_by_role("heading", name="1 thing that did not work")).to_be_visible(timeout=10_000)
        expect(page.locator(".failures")).to_contain_text("front matter")
        vault.delete("New.md")
        expect(page.get_by_role("heading", name="Nothing failed")).to_be_visible(timeout=10_000)
