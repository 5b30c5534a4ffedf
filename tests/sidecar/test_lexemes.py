"""What is a word: the cases that people search for and that tokenizers get wrong."""

import pytest

from holovault.errors import UsageError
from holovault.lexemes import Analyzer, fold

ANALYZER = Analyzer()


def terms(text: str) -> list[str]:
    return [term.term for term in ANALYZER.analyze(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("суббота", "субботу"),
        ("базе", "базы"),
        ("елка", "ёлка"),
        ("елка", "е\u0308лка"),
        ("ЁЛКИ", "ёлку"),
        ("озера", "озеро"),
        ("миграции", "миграция"),
        ("замок", "за\u0301мок"),
        ("connections", "connected"),
        ("README", "readme"),
        ("café", "cafe\u0301"),
        ("strasse", "Straße"),
        ("istanbul", "İstanbul"),
        ("file", "ﬁle"),
        ("abc", "ＡＢＣ"),
        ("cooperate", "co\u00adoperate"),
        ("שלום", "שָׁלוֹם"),
        ("محمد", "مُحَمَّد"),
        ("don't", "don’t"),
        ("wi-fi", "wi\u2011fi"),
        ("٢٠٢٦", "2026"),
        ("👍", "👍🏽"),
        ("🗂", "🗂️"),
        ("カ\u3099", "ガ"),
        ("각", "\u1100\u1161\u11a8"),
    ],
)
def test_spellings_and_inflections_meet(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(
    ("one", "other"), [("1.0.21", "1021"), ("foo_bar", "fooxbar"), ("й", "и"), ("C++", "C"), ("C#", "C"), ("мир", "мор")]
)
def test_different_things_stay_different(one: str, other: str) -> None:
    assert not set(terms(one)) & set(terms(other))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pve-01", "pve-01 pve 01"),
        ("2026.4.10", "2026.4.10 2026 4 10"),
        ("v1.0.21", "v1.0.21 1.0.21 1 0 21"),
        ("v1.0.0-beta.1", "v1.0.0-beta.1 v1.0.0 1.0.0 1 0 0 beta.1 beta 1"),
        ("C++, C#; F# and g++.", "c++ c# f# and g++"),
        ("C++/CLI", "c++/cli c++ cli"),
        (".NET", ".net net"),
        ("ASP.NET", "asp.net asp net"),
        ("foo_bar", "foo_bar foo bar"),
        ("path/to/file.md", "path/to/file.md path to file.md file md"),
        ("my-file.md", "my-file.md my-file my file md"),
        ("vault/.obsidian", "vault .obsidian obsidian"),
        ("crew:run", "crew:run crew run"),
        ("Downloads/transcripts", "downloads/transcripts download transcript"),
        ("don't", "don't"),
        ("John's dogs'", "john dog"),
        ("a'b", "a'b a b"),
        ('a"b', "a b"),
        ("l'homme", "l'homme l homm"),
        ("п'ять", "п'ят"),
        ("l'Ёлка", "l елк"),
        ("芯's", "芯 s"),
        ("HTTPServer", "httpserver http server"),
        ("parseHTTPResponse", "parsehttprespons pars http respons"),
        ("PDFs", "pdfs pdf"),
        ("iPhone", "iphon phone"),
        ("GPT4", "gpt4 gpt 4"),
        ("GPT-4", "gpt-4 gpt 4"),
        ("h2o", "h2o 2"),
        ("Python-скрипт", "python скрипт"),
        ("Wi-Fi-сеть", "wi-fi wi fi сет"),
        ("модель-4-GPT", "модель-4 модел 4 gpt"),
        ("версия2", "версия2 верс 2"),
        ("user@example.com", "user@example.com user example.com exampl com"),
        ("https://example.com/a", "https example.com/a example.com exampl com a"),
        ("AT&T", "at&t at t"),
        ("12:30", "12:30 12 30"),
        ("2026年", "2026 年"),
        ("Docker容器", "docker 容器"),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(text: str, expected: str) -> None:
    assert terms(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("芯片", "芯片"),
        ("水", "水"),
        ("电子芯片设计", "电子 子芯 芯片 片设 设计"),
        ("芯片。设计", "芯片 设计"),
        ("배포는", "배포 포는"),
        ("データ", "デー ータ"),
        ("データを作る", "デー ータ タを を作 作る"),
        ("ｶﾞｽ", "ガス"),
        ("𠮷野家", "𠮷野 野家"),
        ("สวัสดี", "สวั วัส สดี"),
        ("㍿", "株式 式会 会社"),
    ],
)
def test_scripts_without_spaces_give_overlapping_pairs(text: str, expected: str) -> None:
    assert terms(text) == expected.split()


@pytest.mark.parametrize(
    ("query", "note"), [("芯片", "电子芯片设计"), ("배포", "배포는 금요일"), ("データ", "データベースを作る"), ("สวัสดี", "สวัสดีครับ")]
)
def test_a_word_is_found_inside_a_script_without_spaces(query: str, note: str) -> None:
    assert set(terms(query)) <= set(terms(note))


@pytest.mark.parametrize("word", ["हिन्दी", "שלום", "مرحبا", "Ελλάδα", "հայերեն", "ქართული", "ἀρχή"])
def test_other_scripts_keep_their_words_whole(word: str) -> None:
    found = ANALYZER.analyze(f"({word}), {word}.")
    assert [(term.start, term.end) for term in found] == [(1, 1 + len(word)), (4 + len(word), 4 + 2 * len(word))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "*",
        "^",
        "-",
        "'",
        "---",
        "...",
        "'''",
        "|:---|",
        "***",
        "\u200b",
        "\ufeff",
        "\ud800",
        "\ufe0f",
        "\u0301",
        "…",
        "—«»",
    ],
)
def test_what_is_no_word_gives_no_term(text: str) -> None:
    assert terms(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**bold** _word_ `code` ~~gone~~ ==mark==", "bold word code gone mark"),
        ("[[Note#Heading|alias]]", "note#heading note head alia"),
        ("| a | b |", "a b"),
        ("End. Start, (then) “quoted” «слово»!", "end start then quot слов"),
        ("__init__", "init"),
        ("#tag #a/b", "tag a/b a b"),
        ("one\x00two", "one two"),
        ("a...b", "a b"),
    ],
)
def test_markdown_and_punctuation_separate(text: str, expected: str) -> None:
    assert terms(text) == expected.split()


@pytest.mark.parametrize(("text", "expected"), [("🙂", "🙂"), ("a🙂b", "a 🙂 b"), ("👨‍👩‍👧", "👨 👩 👧"), ("🇷🇺🇩🇪", "🇷🇺 🇩🇪"), ("1️⃣", "1")])
def test_pictographs_are_words(text: str, expected: str) -> None:
    assert terms(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("x ﬁle y", ["x", "ﬁle", "y"]),
        ("е\u0308лка", ["е\u0308лка"]),
        ("ＡＢ１", ["ＡＢ１", "ＡＢ", "１"]),
        ("ﷺ", ["ﷺ"] * 4),
        ("👍🏽 ок", ["👍🏽", "ок"]),
        ("co\u00adop!", ["co\u00adop"]),
        ("(path/to)", ["path/to", "path", "to"]),
    ],
)
def test_offsets_are_those_of_the_text_that_was_given(text: str, spans: list[str]) -> None:
    assert [text[term.start : term.end] for term in ANALYZER.analyze(text)] == spans


def test_encoded_data_is_not_indexed_but_its_neighbours_are() -> None:
    blob = "iVBORw0KGgo+AAAA/NSUhEUgAA" * 40
    found = terms(f"hello data:image/png;base64,{blob} world")
    assert found == ["hello", "data:image/png", "data", "imag", "png", "base64", "base", "64", "world"]
    assert terms("x" * 65) == []
    assert terms("x" * 64) == ["x" * 64]


def test_a_key_of_letters_and_digits_does_not_fall_to_pieces() -> None:
    assert terms("a1b2c3d4e5f6") == ["a1b2c3d4e5f6"]


def test_a_long_address_loses_only_its_whole() -> None:
    address = "/".join(["example.org", *("segment" for _ in range(20)), "page-one.html"])
    found = terms(address)
    assert {"example.org", "page-one.html", "segment", "page"} <= set(found)
    assert max(map(len, found)) <= 64


def test_the_first_language_of_a_script_stems_it() -> None:
    assert Analyzer(("de", "en", "ru")).index_text("Häuser субботу") == "haus суббот"
    assert Analyzer(("en",)).index_text("running субботу") == "run субботу"
    assert Analyzer(()).index_text("running субботу") == "running субботу"
    assert Analyzer(("uk", "zh")).index_text("running") == "running"


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"No such language: xx\..* en, "):
        Analyzer(("en", "xx"))


def test_words_lead_from_a_beginning_to_the_stems_it_begins() -> None:
    words = ANALYZER.words("Субботу, pve-01 и ёлка: HTTPServer; 芯片设计 Straße")
    assert {
        ("субботу", "суббот"),
        ("pve-01", "pve-01"),
        ("pve", "pve"),
        ("елка", "елк"),
        ("httpserver", "httpserver"),
        ("芯片", "芯片"),
    } <= words
    assert {stem for word, stem in words if word.startswith("субб")} == {"суббот"}
    assert {stem for _, stem in words} == set(terms("Субботу, pve-01 и ёлка: HTTPServer; 芯片设计 Straße"))
    assert ("strasse", "strass") in words


def test_stop_words_are_known_in_any_spelling_and_as_stems() -> None:
    assert all(map(ANALYZER.is_stop, ["the", "The", "don’t", "ещё", "еще", "КОТОРЫЕ", *terms("которые"), *terms("does")]))
    assert not any(map(ANALYZER.is_stop, ["budget", "суббота", "C++", "", "der"]))
    assert Analyzer(("de",)).is_stop("der")
    assert ANALYZER.is_stop("doe") and not ANALYZER.is_stop_word("doe")


def test_finding_gives_the_wanted_terms_at_their_places() -> None:
    text = "Миграция базы pve-01, миграции."
    assert ANALYZER.find(text, {"миграц", "01"}) == [term for term in ANALYZER.analyze(text) if term.term in {"миграц", "01"}]
    assert len(ANALYZER.find(text, {"миграц", "01"})) == 3


def test_folding_makes_spellings_equal() -> None:
    assert fold("Ёж") == fold("е\u0308ж") == "еж"
    assert fold("ＷＩ‑ＦＩ") == "wi-fi"
    assert fold("\u0390") == fold("\u03b9\u0308\u0301") == "\u0390"
