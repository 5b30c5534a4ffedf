"""What passages state: structure first, then names, precision before recall."""

import unicodedata

import pytest

from holovault.chunking import chunk
from holovault.entities import fillers_of, of_project
from holovault.markdown import parse
from holovault.model import Filler


def stated(text: str, path: str = "a.md", title: str = "") -> list[set[tuple[str, str]]]:
    """Role and name of what each chunk of a note states, its title left out."""
    document = parse(text)
    chunks = fillers_of(document, chunk(document), path, title or "-")
    return [{(one.role, one.name) for one in fillers} - {("title", title or "-")} for fillers in chunks]


def entities(text: str, path: str = "a.md", title: str = "") -> set[str]:
    """The names of all chunks in the role `entity`."""
    return {name for said in stated(text, path, title) for role, name in said if role == "entity"}


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("[[Note]]", "Note"),
        ("[[Note|alias]]", "Note"),
        ("[[Note#Heading]]", "Note"),
        ("![[folder/Note.md#^block|x]]", "folder/Note"),
        ("[text](../folder/My%20Note.md#part)", "folder/My Note"),
        ("[[🦊 fox]]", "🦊 fox"),
        ("[[release v1.2]]", "release v1.2"),
        ("[[100%_sure]]", "100%_sure"),
    ],
)
def test_a_link_states_the_note_that_it_names(link: str, name: str) -> None:
    assert entities(f"see {link} there") == {name}


@pytest.mark.parametrize(
    "link", ["[[#Heading]]", "![[photo.PNG]]", "[x](https://example.org/Note)", "`[[Note]]`", "```\n[[Note]]\n```", "%% [[Note]] %%"]
)
def test_what_names_no_note_states_none(link: str) -> None:
    assert entities(f"see\n\n{link}\n") == set()


def test_a_tag_is_in_all_tags_above_it_and_its_leaf_is_something() -> None:
    assert stated("about #a/b/Leaf and `#code`") == [{("tag", "a/b/Leaf"), ("tag", "a/b"), ("tag", "a"), ("entity", "Leaf")}]


def test_properties_are_stated_by_every_chunk_and_their_links_are_entities() -> None:
    text = (
        "---\nTitle: x\nstatus: [draft, open]\nlead: '[[People/Anna|A.]]'\nnested:\n  city: Paris\ncreated: 2024-01-01\nempty:\n"
        "related: [[Bob]]\ntags: [top/sub]\n---\n" + "one word. " * 700 + "\n\n" + "another word. " * 700
    )
    chunks = stated(text)
    expected = {
        ("prop:status", "draft"),
        ("prop:status", "open"),
        ("prop:lead", "People/Anna"),
        ("entity", "People/Anna"),
        ("prop:nested.city", "Paris"),
        ("prop:related", "Bob"),
        ("entity", "Bob"),
        ("tag", "top/sub"),
        ("tag", "top"),
        ("entity", "sub"),
    }
    assert len(chunks) > 1
    assert all(said == expected for said in chunks)


def test_inline_fields_are_properties_of_their_chunk() -> None:
    text = "rated [mood:: good] and (place:: [[Home]])\n\n**Owner**:: Anna\n\n- due:: friday\n\n`x:: y` C++ std::vector"
    fields = {(role, name) for role, name in stated(text)[0] if role != "entity"}
    assert fields == {("prop:mood", "good"), ("prop:place", "Home"), ("prop:owner", "Anna"), ("prop:due", "friday")}


def test_headings_and_folders_are_stated() -> None:
    text = "# Top\n\nwords\n\n## Deeper\n\nmore words\n"
    assert stated(text, "Areas/House/note.md") == [{("head", "Top"), ("head", "Deeper"), ("in", "Areas/House"), ("in", "Areas")}]


@pytest.mark.parametrize(
    ("path", "title", "names"),
    [
        ("People/Anna Ray.md", "Anna Ray", {"Anna Ray"}),
        ("Life/Люди/Иван/diary.md", "diary", {"Иван"}),
        ("Projects/Boat/Notes/log.md", "log", {"Boat"}),
        ("Projects/overview.md", "overview", set()),
    ],
)
def test_folders_of_people_and_projects_name_them(path: str, title: str, names: set[str]) -> None:
    assert entities("lower case words", path, title) == names


def test_the_project_of_the_rules_is_stated_once() -> None:
    assert of_project((Filler("entity", "boat"),), "Boat") == (Filler("entity", "boat"), Filler("prop:project", "Boat"))
    assert of_project((), "Boat") == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("вчера приходил Иван Петров, говорили", {"Иван Петров"}),
        ("мы читали А. С. Пушкина и Льва Толстого", {"А. С. Пушкина", "Льва Толстого"}),
        ("they moved to New York in spring", {"New York"}),
        ("we met Anna-Maria there", {"Anna-Maria"}),
        ("she likes Ludwig van Beethoven's music", {"Ludwig van Beethoven"}),
        ("a talk with J. R. R. Tolkien about it", {"J. R. R. Tolkien"}),
        ("we sat with Jean-Luc O'Brien and José Álvarez", {"Jean-Luc O'Brien", "José Álvarez"}),
        ("поехали в Нью-Йорк", {"Нью-Йорк"}),
        ("там был президент Чили Себастьян Пиньера", {"Себастьян Пиньера"}),
        ("там была Клара Цеткин", {"Клара Цеткин"}),
        ("там был Никита Сергеевич Хрущёв", {"Никита Сергеевич Хрущёв"}),
        ("из США Шон Донован приехал", {"Шон Донован"}),
        ("an English-speaking Ivan Petrov", {"Ivan Petrov"}),
        ("on Monday Ivan Petrov came", {"Ivan Petrov"}),
        ("συνάντησα τον Νίκο Παππά εκεί", {"Νίκο Παππά"}),
        ("The New York office is open", {"New York"}),
        ("Ivan Petrov came. Then we saw Ivan Petrov again.", {"Ivan Petrov"}),
        ("the MOC links here; that MOC is long", {"MOC"}),
    ],
)
def test_names_are_found_in_any_script_with_capitals(text: str, names: set[str]) -> None:
    assert entities(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "don't use the cache, it can't",
        "Yesterday Ivan came. Open Settings first. Новый Год близко.",
        "# Getting Started Guide\n\nlower case",
        "A Guide To Writing Better Notes With Less Effort",
        "THIS IS VERY IMPORTANT News Today",
        "on Monday March and в Понедельник Января",
        "run `Foo Bar` and --Foo Bar",
        "```\nnew Foo Bar\n```",
        "at https://example.org/Foo-Bar and /usr/Foo-Bar and C:\\Foo-Bar and me@Foo-Bar.org",
        "the API and the API and OK and OK",
        "call Foo.Bar or Foo_Bar or fooBar or New York() now",
        "\n- Quick Switcher\n- **Command Palette**\n- [ ] Buy Milk\n| Key Name | Other Name |",
        "«Новый Проект» — Важная Задача",
        "read-Only and Read-only modes",
        "芯片的功耗很低",
        "- Disable Blinking for the Vim Cursor\n- Header 1 Bottom Border: the width",
        "in Max Image Size the image has a max size",
        "wir haben die neue Datei Ordner und das ist nicht für den Tag Nacht",
        "is it DONE or not DONE, when it is done",
        "[Ivan Petrov](https://example.org)",
    ],
)
def test_capitals_with_another_reason_are_no_names(text: str) -> None:
    assert entities(text) == set()


def test_a_note_typed_on_another_system_states_the_same() -> None:
    text = "вчера утром видели около дома Андрея Королёва и José Álvarez, #Ёлка [[Йога]]"
    both = [stated(unicodedata.normalize(form, text))[0] for form in ("NFC", "NFD")]
    assert both[0] == {(role, unicodedata.normalize("NFC", name)) for role, name in both[1]}
    assert len(both[0]) == 5


def test_ten_thousand_links_are_spread_over_their_chunks() -> None:
    lines = stated("\n".join(f"- see [[Note {number}]] here" for number in range(10_000)))
    assert sum(len(said) for said in lines) == 10_000
    assert max(len(said) for said in lines) < 300
    one_line = stated(" ".join(f"[[Note {number}]]" for number in range(10_000)))
    assert max(len(said) for said in one_line) < 400
    assert len(set().union(*one_line)) >= 9_900


def test_ten_thousand_values_do_not_burden_every_chunk() -> None:
    said = stated("---\nlist:\n" + "".join(f"  - value {number}\n" for number in range(10_000)) + "---\ntext\n")
    assert len(said[0]) == 100


def test_long_values_are_text_and_no_names() -> None:
    assert stated(f"---\nsummary: {'long ' * 40}\n---\ntext\n") == [set()]
