"""The page of facts in a real browser, on a real vault: search, filters, edits, votes, two tabs, hostile text, small windows, keys."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import browser, width_of
from tests.support.engines import index
from tests.support.pages import Site, site
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

HOME = """# Home

- The boiler is serviced every October #house ^boil
- [[Anna Berg]] has the spare key [trust:: 0.9] [created:: 2026-05-24] ^keyk
- <img src=x onerror="document.title='run'"> <script>document.title='run'</script> is text ^html
"""
WORK = "- Релиз выходит по четвергам #работа/релизы ^rele\n- The staging server is called heron ^hero\n"
NOTES: dict[str, str | bytes] = {
    "Memory/Facts/Home.md": HOME,
    "Memory/Facts/Work.md": WORK,
    "Elsewhere.md": "# Elsewhere\n\n- not a fact\n",
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> VaultFolder:
    return make_vault(tmp_path_factory.mktemp("page") / "vault", NOTES, NO_MODEL)


@pytest.fixture(scope="module")
def served(folder: VaultFolder) -> Iterator[Site]:
    with site(folder.root, folder.root.parent / "home") as found:
        yield found


@pytest.fixture
def here(served: Site, folder: VaultFolder) -> Site:
    """The same daemon for every test, its vault as it was in the beginning."""
    for path in set(folder.notes()) - set(NOTES):
        folder.at(path).unlink()
    folder.write_all(NOTES)
    index(served.engine)
    return served


@pytest.fixture
def vault(here: Site, folder: VaultFolder) -> VaultFolder:
    return folder


@pytest.fixture
def page(here: Site, chromium: Browser) -> Iterator[Page]:
    with chromium.new_context() as context:
        yield here.enter(context)


def shown(page: Page) -> list[str]:
    """The ids of the facts on the page, in order."""
    return [one.get_attribute("data-fact") or "" for one in page.locator("[data-fact]").all()]


def test_facts_are_found_while_typing_and_by_category_tag_and_trust(page: Page) -> None:
    assert set(shown(page)) == {"boil", "keyk", "html", "rele", "hero"}
    page.get_by_role("searchbox").press_sequentially("spare ke")
    expect(page.locator("[data-fact]:not([data-fact=keyk])")).to_have_count(0)
    assert shown(page) == ["keyk"]
    assert "query=spare%20ke" in page.url
    page.get_by_role("searchbox").fill("")
    page.get_by_role("combobox", name="Category").select_option("Work")
    expect(page.locator("[data-fact]")).to_have_count(2)
    page.get_by_role("combobox", name="Tag").select_option("работа/релизы")
    expect(page.locator("[data-fact]")).to_have_count(1)
    page.get_by_role("combobox", name="Category").select_option("")
    page.get_by_role("combobox", name="Tag").select_option("")
    page.get_by_role("combobox", name="Trust at least").select_option("0.7")
    expect(page.locator("[data-fact]:not([data-fact=keyk])")).to_have_count(0)
    assert shown(page) == ["keyk"]


def test_an_inline_edit_changes_the_line_and_nothing_else(page: Page, vault: VaultFolder) -> None:
    fact = page.locator("[data-fact=boil]")
    fact.get_by_text("edit", exact=True).click()
    page.locator("textarea").fill("The boiler is serviced every November #house")
    page.get_by_role("button", name="Save").click()
    expect(fact.locator(".text")).to_have_text(re.compile("November"))
    assert vault.at("Memory/Facts/Home.md").read_text("utf-8") == HOME.replace("October", "November")


def test_a_vote_moves_trust_and_is_a_line_of_its_own_note(page: Page, vault: VaultFolder) -> None:
    fact = page.locator("[data-fact=hero]")
    fact.get_by_role("button", name="unhelpful").click()
    expect(fact.get_by_role("status")).to_have_text("Trust 0.50 → 0.40.")
    fact.get_by_role("button", name="helpful", exact=True).click()
    expect(fact.get_by_role("status")).to_have_text("Trust 0.40 → 0.45.")
    [feedback] = (vault.root / "Memory" / "Feedback").glob("*.md")
    votes = [line.split()[1:3] for line in feedback.read_text("utf-8").splitlines() if "^hero" in line]
    assert votes == [["^hero", "unhelpful"], ["^hero", "helpful"]]
    assert vault.at("Memory/Facts/Work.md").read_text("utf-8") == WORK
    fact.get_by_text("Memory/Facts/Work.md:2").click()
    expect(page.get_by_role("img", name="Trust over time")).to_be_visible()
    expect(page.get_by_role("heading", name="2 votes")).to_be_visible()


def test_forgetting_asks_once_and_removes_the_line(page: Page, vault: VaultFolder) -> None:
    fact = page.locator("[data-fact=keyk]")
    fact.get_by_text("forget", exact=True).click()
    fact.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("Forgotten: Memory/Facts/Home.md")).to_be_visible()
    assert vault.at("Memory/Facts/Home.md").read_text("utf-8") == "".join(line for line in HOME.splitlines(True) if "^keyk" not in line)


def test_something_new_is_remembered_and_listed(page: Page, vault: VaultFolder) -> None:
    page.get_by_text("Remember something").click()
    page.get_by_label("Text, one line").fill("The bakery opens at six")
    page.locator("details input[name=category]").fill("Home")
    page.get_by_role("button", name="Remember").click()
    expect(page.locator("main > .said")).to_have_text("Remembered.")
    expect(page.get_by_text("The bakery opens at six")).to_be_visible()
    assert "The bakery opens at six" in vault.at("Memory/Facts/Home.md").read_text("utf-8")


def test_two_tabs_that_edit_one_fact_both_see_both_versions(here: Site, chromium: Browser, vault: VaultFolder) -> None:
    with chromium.new_context() as context:
        one = here.enter(context)
        other = context.new_page()
        other.goto(one.url)
        for tab in (one, other):
            tab.locator("[data-fact=rele]").get_by_text("edit", exact=True).click()
        one.locator("textarea").fill("Релиз выходит по средам #работа/релизы")
        one.get_by_role("button", name="Save").click()
        expect(one.locator("[data-fact=rele] .text")).to_have_text(re.compile("средам"))
        other.locator("textarea").fill("Релиз выходит по пятницам #работа/релизы")
        other.get_by_role("button", name="Save").click()
        expect(other.locator(".theirs")).to_have_text("Релиз выходит по средам #работа/релизы")
        expect(other.locator(".yours")).to_have_text("Релиз выходит по пятницам #работа/релизы")
        assert "средам" in vault.at("Memory/Facts/Work.md").read_text("utf-8")
        other.get_by_role("button", name="Save mine").click()
        expect(other.locator("[data-fact=rele] .text")).to_have_text(re.compile("пятницам"))
        assert "Релиз выходит по пятницам #работа/релизы ^rele" in vault.at("Memory/Facts/Work.md").read_text("utf-8")


def test_text_that_looks_like_a_page_is_shown_and_never_run(page: Page) -> None:
    expect(page.locator("[data-fact=html] .text")).to_contain_text("<script>document.title='run'</script> is text")
    assert page.title().startswith("Facts")
    assert page.locator("main img, main script").count() == 0


def test_nothing_outside_the_machine_is_asked_for_and_no_script_complains(here: Site, chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        asked: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(here.way_in())
        for part in ("entities", "status", "facts"):
            page.get_by_role("link", name=part, exact=True).click()
            page.wait_for_url(f"**/{part}")
        page.get_by_role("searchbox").press_sequentially("boiler")
        expect(page.locator("[data-fact]")).to_have_count(1)
        assert [url for url in asked if not url.startswith((here.address, "data:,"))] == []
        assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_window_of_320_pixels_needs_no_scrolling_sideways(here: Site, chromium: Browser, scheme: str) -> None:
    with chromium.new_context(viewport={"width": 320, "height": 640}, color_scheme="dark" if scheme == "dark" else "light") as context:
        page = here.enter(context)
        assert width_of(page) <= 320
        page.locator("[data-fact=boil]").get_by_text("edit", exact=True).click()
        expect(page.locator("textarea")).to_be_visible()
        assert width_of(page) <= 320
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(int(number) for number in re.findall(r"\d+", ground)[:3]) < 200) == (scheme == "dark")
        for part in ("entities", "status"):
            page.get_by_role("link", name=part, exact=True).click()
            page.wait_for_url(f"**/{part}")
            assert width_of(page) <= 320


def test_a_person_without_a_mouse_can_search_edit_and_vote(page: Page, vault: VaultFolder) -> None:
    page.keyboard.press("/")
    page.keyboard.type("heron")
    expect(page.locator("[data-fact]")).to_have_count(1)
    _tab_to(page, "edit")
    page.keyboard.press("Enter")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("The staging server is called egret")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-fact=hero] .text")).to_have_text(re.compile("egret"))
    assert "egret" in vault.at("Memory/Facts/Work.md").read_text("utf-8")
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url("**/status")


def test_without_scripts_every_form_still_works(here: Site, chromium: Browser, vault: VaultFolder) -> None:
    with chromium.new_context(java_script_enabled=False) as context:
        page = here.enter(context)
        page.get_by_role("searchbox").fill("boiler")
        page.get_by_role("button", name="Search").click()
        assert shown(page) == ["boil"]
        page.get_by_text("edit", exact=True).click()
        page.locator("textarea").fill("The boiler is new #house")
        page.get_by_role("button", name="Save").click()
        assert page.locator("main > .said").text_content() == "Corrected."
        assert "The boiler is new #house ^boil" in vault.at("Memory/Facts/Home.md").read_text("utf-8")


def test_a_vault_without_facts_says_how_to_begin(tmp_path: Path, chromium: Browser) -> None:
    empty = make_vault(tmp_path / "empty", {"One.md": "# One\n"}, NO_MODEL)
    with site(empty.root, tmp_path / "home") as found, chromium.new_context() as context:
        page = found.enter(context)
        expect(page.get_by_text("There are no facts yet.")).to_be_visible()


def test_a_fact_that_is_gone_is_said_so(page: Page, vault: VaultFolder, here: Site) -> None:
    page.locator("[data-fact=boil]").get_by_text("edit", exact=True).click()
    vault.write("Memory/Facts/Home.md", "# Home\n")
    page.locator("textarea").fill("anything")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert vault.at("Memory/Facts/Home.md").read_text("utf-8") == "# Home\n"


def _tab_to(page: Page, name: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"the tab key never comes to {name!r}")
