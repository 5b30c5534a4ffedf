"""Searching over a real index: what is found, what is not, and what is said about it."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from holovault.embed import ModelWarming
from holovault.errors import WorkerError
from holovault.model import Mode, Profile
from tests.support.searching import Desk, NoModel, desk

NOTES = {
    "Garden/Tomatoes.md": "# Tomatoes\n\nSow the seedlings in March; the soil must be warm.\n",
    "Garden/Fence.md": "# Fence\n\nThe carpenter repairs the wooden fence in the third week.\n",
    "Home/Cat.md": "# Cat\n\nThe kitten sees the vet on Monday about its paw.\n",
    "Home/Кот.md": "# Кот\n\nКот боится пылесоса и прячется под диваном.\n",
    "Work/Budget.md": (
        "---\ntags: [finance/plan]\nstatus: open\n---\n# Budget\n\nThe invoice of 4000 euros is due; version 1.0.21 was billed twice.\n"
    ),
    "Work/Ticket.md": "# Ticket\n\nComplaint 1021 was closed after the second invoice.\n",
    "Chats/2026/Talk.md": "# Talk\n\nWe spoke about the carpenter and the wooden fence, and about nothing else.\n",
    "Projects/Roof/Plan.md": "# Plan\n\nThe roof gets new tiles when the scaffold stands.\n",
}
MODIFIED = {"Home/Cat.md": "2026-06-14T00:00:00Z", "Garden/Fence.md": "2026-06-10T00:00:00Z", "Garden/Tomatoes.md": "2024-01-01"}
MODES: tuple[Mode, ...] = ("hybrid", "lexical", "semantic")


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with desk(tmp_path_factory.mktemp("index"), NOTES, modified=MODIFIED) as opened:
        yield opened


def test_words_find_their_note_in_any_inflection(vault: Desk) -> None:
    assert vault.paths("repaired fences", "lexical")[0] == "Garden/Fence.md"
    assert vault.paths("коты под диванами", "lexical") == ["Home/Кот.md"]


def test_meaning_finds_a_note_that_has_none_of_the_words(vault: Desk) -> None:
    assert vault.paths("питомец", "lexical") == []
    assert vault.paths("питомец", "semantic")[0].startswith("Home/")
    assert vault.first("питомец").signals.lexical is None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", ["qwzxv plrtk", "жбрщц", "bnmgf dkzj wrtpl"])
def test_letter_salad_finds_nothing_in_any_mode(vault: Desk, query: str, mode: Mode) -> None:
    assert vault.paths(query, mode) == []


@pytest.mark.parametrize("mode", MODES)
def test_a_topic_that_the_vault_does_not_have_finds_nothing_in_any_mode(vault: Desk, mode: Mode) -> None:
    assert vault.paths("medieval falconry licences", mode) == []


def test_a_question_in_sentences_finds_its_note_without_a_model(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES, NoModel()) as alone:
        response = alone.ask("When did we agree that the carpenter would come and repair the fence?")
        assert response.results[0].path == "Garden/Fence.md"
        assert [(item.lane, item.code) for item in response.degraded] == [("semantic", "disabled")]


def test_a_phrase_is_taken_literally(vault: Desk) -> None:
    assert vault.paths('"1.0.21"') == ["Work/Budget.md"]
    assert vault.paths('"third week"') == ["Garden/Fence.md"]
    assert vault.paths('"week third"') == []


def test_an_excluded_word_is_in_no_hit(vault: Desk) -> None:
    assert set(vault.paths("invoice")) == {"Work/Budget.md", "Work/Ticket.md"}
    assert vault.paths("invoice -complaint") == ["Work/Budget.md"]


def test_filters_hold_in_every_mode(vault: Desk) -> None:
    for mode in MODES:
        assert vault.paths("kitten vet folder:Garden", mode) == []
        assert vault.paths("kitten vet folder:Home", mode)[0] == "Home/Cat.md"


def test_a_small_folder_is_not_starved_by_a_big_one(tmp_path: Path) -> None:
    crowd = {f"Big/{number}.md": f"# Fence\n\nThe fence of house {number} is a fence.\n" for number in range(130)}
    with desk(tmp_path, {**crowd, "Small/One.md": "# One\n\nA long note that says fence once among many other words of no use.\n"}) as full:
        for mode in ("hybrid", "lexical"):
            assert full.paths("fence folder:Small", mode) == ["Small/One.md"]


def test_a_query_of_filters_only_lists_newest_notes(vault: Desk) -> None:
    assert vault.paths("within:7d") == ["Home/Cat.md", "Garden/Fence.md"]
    assert vault.paths("folder:Garden") == ["Garden/Fence.md", "Garden/Tomatoes.md"]
    assert vault.paths("#finance") == ["Work/Budget.md"]
    assert vault.paths("[status:open]") == ["Work/Budget.md"]
    assert (
        vault.paths("path:Home path:Roof")
        == ["Home/Cat.md", "Projects/Roof/Plan.md", "Home/Кот.md"][:1] + vault.paths("path:Home path:Roof")[1:]
    )


def test_several_paths_are_alternatives(vault: Desk) -> None:
    assert set(vault.paths("path:Home path:Roof")) == {"Home/Cat.md", "Home/Кот.md", "Projects/Roof/Plan.md"}


def test_an_empty_query_finds_nothing_and_is_no_error(vault: Desk) -> None:
    for query in ("", "   ", '"', "-", "()", "OR AND NOT", "*", "\x00", "𒀀" * 3):
        assert vault.ask(query).query == query


def test_a_word_still_being_typed_finds_what_it_may_become(vault: Desk) -> None:
    assert vault.paths("carpen", "lexical")[:1] == ["Garden/Fence.md"]
    assert vault.paths("carpen ", "lexical") == []


def test_a_slip_of_the_keys_is_offered_the_right_word(vault: Desk) -> None:
    response = vault.ask("scafold ", "lexical")
    assert (response.results, response.suggestion) == ((), "scaffold ")
    assert vault.ask("scaffold").suggestion is None


def test_matches_mark_the_words_in_the_excerpt(vault: Desk) -> None:
    hit = vault.first("repaired fences")
    assert [hit.excerpt[start:end].casefold() for start, end in hit.matches if start > 8] == ["repairs", "fence"]
    assert len(hit.excerpt) <= 300


def test_a_hit_found_by_meaning_shows_the_window_that_was_found(tmp_path: Path) -> None:
    filler = " ".join(f"The archive of year {number} fills a shelf of its own near the door." for number in range(60))
    with desk(tmp_path, {**NOTES, "Long.md": f"# Long\n\n{filler}\n\nTomatoes and vegetables: sow seedlings, soil, garden.\n"}) as long:
        hits = [hit for hit in long.ask("огород рассада", "semantic").results if hit.path == "Long.md"]
        assert hits
        assert "Tomatoes and vegetables" in hits[0].excerpt


def test_tier_one_comes_first_among_equals_and_is_told(vault: Desk) -> None:
    hits = vault.ask("carpenter wooden fence", "lexical").results
    assert [(hit.path, hit.tier, hit.signals.tier) for hit in hits[:2]] == [("Garden/Fence.md", 1, 1.2), ("Chats/2026/Talk.md", 2, 1.0)]


@pytest.mark.parametrize("profile", ["coverage", "rrf", "weighted"])
@pytest.mark.parametrize("mode", MODES)
def test_an_explanation_adds_up_and_is_given_only_when_asked(vault: Desk, mode: Mode, profile: Profile) -> None:
    hits = vault.ask("kitten vet", mode, profile=profile, explain=True).results
    assert hits
    for hit in hits:
        told = hit.explanation
        assert told is not None
        assert told.profile == profile
        assert sum(part.contribution for part in told.parts) == pytest.approx(told.relevance)
        assert told.relevance * told.tier * told.trust * told.decay == pytest.approx(hit.score)
    assert all(one.score >= other.score for one, other in pairwise(hits))
    assert vault.first("kitten vet", mode).explanation is None


def test_a_model_that_is_not_ready_leaves_words_and_says_so(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as waiting:
        waiting.embedding.fault = ModelWarming("loading since 2 s")
        response = waiting.ask("repair fence")
        assert response.results[0].path == "Garden/Fence.md"
        assert [(item.lane, item.code) for item in response.degraded] == [("semantic", "warming")]
        waiting.embedding.fault = WorkerError("the worker died")
        assert [item.code for item in waiting.ask("repair fence", "semantic").degraded] == ["failed"]
        assert waiting.ask("repair fence", "lexical").degraded == ()


def test_windows_without_vectors_are_counted_in_the_answer(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES, embedded=False) as raw:
        response = raw.ask("repair fence")
        assert response.results[0].path == "Garden/Fence.md"
        (gap,) = response.degraded
        assert (gap.lane, gap.code) == ("semantic", "building")
        assert gap.reason.startswith("8 of 8 windows not embedded yet")


def test_an_empty_index_says_that_it_is_empty(tmp_path: Path) -> None:
    with desk(tmp_path, {}) as empty:
        assert [item.code for item in empty.ask("anything", "lexical").degraded] == ["empty"]


def test_time_comes_from_the_clock_that_was_handed_in(vault: Desk) -> None:
    assert vault.ask("fence").took_ms == 1000.0


def test_the_limit_is_kept_and_at_least_one(vault: Desk) -> None:
    assert len(vault.ask("invoice", limit=1).results) == 1
    assert len(vault.ask("invoice", limit=0).results) == 1


def test_in_title_wants_the_words_in_the_title(vault: Desk) -> None:
    assert vault.paths("in:title fence", "lexical") == ["Garden/Fence.md"]
