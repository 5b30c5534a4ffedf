"""The query language: what is a filter, what is words, and that nothing is an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.lexemes import Analyzer
from holovault.query import FactConditions, Filters, Property, Query, parse
from tests.support.texts import TEXTS

ANALYZER = Analyzer()
MARKS = [
    '"',
    "-",
    "-",
    "[",
    "]",
    ":",
    "#",
    "path:",
    "tag:",
    "-tag:",
    "after:",
    "in:title",
    "within:3d",
    "tier:1",
    "trust:>",
    "-fact:any",
    "“",
    "”",
    " ",
    "x",
    "2026",
    "^",
    "*",
    "\x00",
]


def query(text: str) -> Query:
    return parse(text, ANALYZER)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("pve-01", "pve-01 pve 01"),
        ("daemon-reexec", "daemon-reexec daemon reexec"),
        ("don't use agents", "use agent"),
        ("Downloads/transcripts", "downloads/transcripts download transcript"),
        ("what's the budget, roughly?", "budget rough"),
        ("2026.4.10", "2026.4.10 2026 4 10"),
        ("crew:run", "crew:run crew run"),
        ("title:foo", "title:foo titl foo"),
        ("a'b", "a'b b"),
        ('a"b', "b"),
        ("C++", "c++"),
        ("AND OR NOT", "and or not"),
        ("NEAR(", "near"),
        ("🙂 🎉", "🙂 🎉"),
        ("суббота", "суббот"),
        ("базе базы", "баз"),
        ("ёлка", "елк"),
        ("芯片", "芯片"),
        ("배포", "배포"),
        ("foo_bar", "foo_bar foo bar"),
        ("100% off", "100"),
        ("how do I restore the nightly postgres backup?", "restor night postgr backup"),
        ("где лежит ёлка", "леж елк"),
        ("to be or not to be", "to be or not"),
    ],
)
def test_any_wording_is_words(text: str, terms: str) -> None:
    found = query(text)
    assert found.terms == tuple(terms.split())
    assert found.words == text
    assert (found.filters, found.phrases, found.excluded) == (Filters(), (), ())


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\x00", '"', '""', "*", "^", "-", "--", "()", "\ud800", "“”", '-""'])
def test_what_says_nothing_asks_nothing(text: str) -> None:
    found = query(text)
    assert (found.terms, found.phrases, found.excluded, found.prefix, found.filters) == ((), (), (), None, Filters())
    assert not any(char in found.words for char in '\x00\ud800"“”')


def test_a_query_of_any_length_is_cut_at_64_terms() -> None:
    assert query("x" * 10_000).terms == ()
    assert query("word " * 2_000).terms == ("word",)
    found = query(" ".join(f"слово{number}" for number in range(2_000)))
    assert len(found.terms) == 64
    assert found.words.endswith("слово1999")
    assert query('"' * 10_001).terms == query("“" * 10_000).terms == query("[" * 10_000).terms == ()


def test_phrases_are_asked_as_typed_and_by_their_words() -> None:
    found = query('find "File-back Ingest Lint" and “the 1.0.21” now')
    assert found.phrases == ("File-back Ingest Lint", "the 1.0.21")
    assert found.words == "find File-back Ingest Lint and the 1.0.21 now"
    assert found.terms == ("find", "file-back", "file", "back", "ingest", "lint", "1.0.21", "1", "0", "21")


def test_an_open_quote_is_no_phrase() -> None:
    found = query('say "open end')
    assert (found.phrases, found.words) == ((), "say open end")


def test_a_phrase_of_signs_is_words() -> None:
    assert query('"->" x').phrases == ()


def test_excluded_words_reach_neither_terms_nor_the_embedder() -> None:
    found = query('server -nginx -"load balancer" -pve-01 - dash --flag well-known')
    assert found.excluded == ("nginx", "load balancer", "pve-01")
    assert found.words == "server - dash --flag well-known"
    assert found.terms == ("server", "dash", "flag", "well-known", "well", "known")


def test_filters_are_no_words() -> None:
    found = query('path:"my folder" folder:/Projects/x/ file:README.md project:Apollo tier:2 tag:#Work/A #идеи backup')
    assert found.words == "backup"
    assert found.filters == Filters(
        paths=("my folder",), folders=("Projects/x",), files=("README.md",), tags=("work/a", "идеи"), projects=("Apollo",), tiers=(2,)
    )


def test_filters_are_gathered_without_repetition() -> None:
    assert query("tag:a tag:b #A Tag:a path:x PATH:x").filters == Filters(tags=("a", "b"), paths=("x",))


def test_a_filter_in_a_decomposed_spelling_is_composed() -> None:
    assert query("path:Мои\u0306 folder:a\\b").filters == Filters(paths=("Мой",), folders=("a/b",))


def test_properties_are_asked_by_key_and_by_value() -> None:
    found = query('[status:open] [due] ["due date":"next week"] [рейтинг: 5] -[done:yes] [empty:]')
    keys = (("status", "open"), ("due", None), ("due date", "next week"), ("рейтинг", "5"), ("empty", None))
    assert found.filters.properties == tuple(Property(key, value) for key, value in keys)
    assert found.filters.excluded == Filters(properties=(Property("done", "yes"),))


@pytest.mark.parametrize("text", ["[[Link]]", "- [x] task", "[a](b)", "[see below]", "[ ] todo", "arr[0]", "[a:b]c"])
def test_other_brackets_are_words(text: str) -> None:
    assert query(text).filters.empty
    assert query(text).words == text


def test_negated_filters_stand_apart() -> None:
    found = query('-path:Chats -folder:"A B" -file:x -tag:y -#z -project:p -tier:2 word')
    assert found.words == "word"
    assert found.filters == Filters(
        excluded=Filters(paths=("Chats",), folders=("A B",), files=("x",), tags=("y", "z"), projects=("p",), tiers=(2,))
    )
    assert not found.filters.empty


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026", "2026-01-01"),
        ("2026-05", "2026-05-01"),
        ("2024-02-29", "2024-02-29"),
        ("2026-05-24T10:00:00Z", "2026-05-24T10:00:00Z"),
        ("2026-05-24t10:00:00.25+02:00", "2026-05-24T08:00:00Z"),
    ],
)
def test_dates_are_normalised(value: str, expected: str) -> None:
    found = query(f"after:{value} before:{value} x").filters
    assert (found.after, found.before) == (expected, expected)


@pytest.mark.parametrize(
    "value",
    [
        "never",
        "2026-13",
        "2026-02-30",
        "0000",
        "20260524",
        "26",
        "2026-5-4",
        "2026-05-24T10:00:00",
        "0001-01-01T00:00:00+14:00",
        "２０２６",
    ],
)
def test_what_is_no_date_is_words(value: str) -> None:
    found = query(f"after:{value}")
    assert found.filters.empty
    assert found.words == f"after:{value}"
    assert found.terms


@pytest.mark.parametrize(("value", "days"), [("36h", 1.5), ("14d", 14), ("2w", 14), ("3M", 90), ("1y", 365), ("0.5d", 0.5)])
def test_spans_are_days(value: str, days: float) -> None:
    assert query(f"within:{value}").filters == Filters(within_days=days)


@pytest.mark.parametrize(
    "text",
    [
        "within:0d",
        "within:d",
        "within:14",
        "within:-1d",
        "within:9999y",
        "tier:0",
        "tier:x",
        "path:",
        "tag:1",
        "#1",
        "#a,b",
        "folder:/",
        'tag:"a b"',
    ],
)
def test_a_value_without_sense_is_words(text: str) -> None:
    assert query(text).filters.empty
    assert query(text).words == text


def test_an_open_quote_in_a_value_is_words() -> None:
    assert query('path:"my folder').filters.empty


def test_the_last_time_counts_and_times_are_not_negated() -> None:
    assert query("after:2025 after:2026").filters.after == "2026-01-01"
    assert query("within:1d within:0d").filters.within_days == 1
    assert query("-after:2026 x").filters.empty


def test_in_title_asks_all_free_words_of_the_title() -> None:
    found = query('the postgres in:title "night backup" -old path:x')
    assert found.filters == Filters(paths=("x",), in_title=("postgr", "night", "backup"))
    assert found.terms == ("postgr", "night", "backup")
    assert found.words == "the postgres night backup"


def test_in_title_without_words_is_words() -> None:
    assert query("in:title path:x").filters == Filters(paths=("x",))
    assert query("in:title").terms == ("in:title", "titl")


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("Суббо", "суббо"),
        ("план Ёл", "ел"),
        ("one tw", "tw"),
        ("one two ", None),
        ("one two?", None),
        ('"one two"', None),
        ('"one tw', "tw"),
        ("one -tw", None),
        ("one tag:tw", None),
        ("one #tw", None),
        ("pve-0", "pve-0"),
        ("pve-", "pve"),
        ("src/ma", "src/ma"),
        ("Python-скр", "скр"),
        ("芯", "芯"),
        ("芯片设", "片设"),
        ("C++", "c++"),
        ("what is th", "th"),
    ],
)
def test_the_word_being_typed_is_the_prefix(text: str, prefix: str | None) -> None:
    assert query(text).prefix == prefix


@given(st.one_of(TEXTS, st.lists(st.sampled_from(MARKS)).map("".join), st.text()))
def test_every_text_is_a_query(text: str) -> None:
    found = query(text)
    assert found.text == text
    assert len(found.terms) == len(set(found.terms)) <= 64
    assert set(found.terms) <= {term.term for part in (found.words, *found.words.split()) for term in ANALYZER.analyze(part)}
    assert all(ANALYZER.index_text(asked) for asked in (*found.phrases, *found.excluded))
    found.words.encode("utf-8")


@given(TEXTS)
def test_reading_the_words_again_finds_the_same_terms_if_nothing_was_a_filter(text: str) -> None:
    found = query(text)
    if (
        found.filters.empty
        and not found.excluded
        and not found.phrases
        and query(found.words).filters.empty
        and not query(found.words).excluded
    ):
        assert query(found.words).terms == found.terms


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("fact:^K3F9 fact:_7kq", FactConditions(ids=("k3f9", "_7kq"))),
        ('category:"Моя семья" category:Work', FactConditions(categories=("Моя семья", "Work"))),
        ("trust:>0.6", FactConditions(trust=(0.6, 1.0))),
        ("trust:.6 trust:<=0,8", FactConditions(trust=(0.6, 0.8))),
        ("trust:<1", FactConditions()),
        ("fact:any", FactConditions(ids=("any",))),
    ],
)
def test_conditions_on_facts_are_filters(text: str, facts: FactConditions) -> None:
    found = query(text)
    assert (found.words, found.filters.facts or FactConditions()) == ("", facts)


def test_conditions_on_facts_turn_round_but_for_trust_and_what_is_none_stays_words() -> None:
    excluded = query("tea -category:Work -fact:k3f9").filters.excluded
    assert excluded is not None
    assert excluded.facts == FactConditions(ids=("k3f9",), categories=("Work",))
    for text in ("trust:high", "trust:>1.5", "trust:me", "fact:", "category: x"):
        assert query(text).filters.facts is None
        assert query(text).words
