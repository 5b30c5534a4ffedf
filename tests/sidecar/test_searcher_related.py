"""Related notes: near ones and linked ones, never the note itself, and words where vectors are missing."""

from pathlib import Path

import pytest

from holovault.errors import NotFoundError
from holovault.hrr import Atoms
from holovault.indexer import StructurePass
from holovault.model import Hit, RelatedRequest
from tests.support.searching import NoModel, desk

NOTES = {
    "Garden/Tomatoes.md": "# Tomatoes\n\nSow the seedlings in the soil. See [[Ledger]] for the bill.\n",
    "Garden/Soil.md": "# Soil\n\nVegetables want soil that is warm, says the garden book; sow late.\n",
    "Дача.md": "# Дача\n\nРассада и помидоры, огород ждёт.\n",
    "Work/Ledger.md": "# Ledger\n\nEverything that was paid, by month.\n",
    "Home/Cat.md": "# Cat\n\nThe kitten sees the vet.\n",
    "Index.md": "# Index\n\nAll pages: [[Garden/Tomatoes]].\n",
    "Empty.md": "",
}


def test_related_notes_are_near_in_meaning_in_any_language_and_never_the_note_itself(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as vault:
        response = vault.related("Garden/Tomatoes.md")
        paths = [hit.path for hit in response.results]
        assert set(paths[:2]) == {"Garden/Soil.md", "Дача.md"}
        assert "Garden/Tomatoes.md" not in paths
        assert "Home/Cat.md" not in paths
        assert response.degraded == ()


def test_linked_notes_are_related_in_both_directions(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as vault:
        paths = [hit.path for hit in vault.related("Garden/Tomatoes.md").results]
        assert {"Work/Ledger.md", "Index.md"} <= set(paths)
        assert "Garden/Tomatoes.md" in [hit.path for hit in vault.related("Work/Ledger.md").results]


def test_a_related_note_says_which_way_it_is_linked(tmp_path: Path) -> None:
    with desk(
        tmp_path, NOTES | {"Both.md": "# Both\n\nSeedlings, [[Work/Ledger|paid]].\n", "Work/Ledger.md": "# Ledger\n\nSee [[Both]].\n"}
    ) as vault:
        ways = {hit.path: hit.links for hit in vault.related("Garden/Tomatoes.md").results}
        assert (ways["Work/Ledger.md"], ways["Index.md"], ways["Garden/Soil.md"]) == (("linked-from-here",), ("links-here",), ())
        assert {hit.path: hit.links for hit in vault.related("Both.md").results}["Work/Ledger.md"] == ("links-here", "linked-from-here")


def test_each_note_comes_once_and_the_limit_is_kept(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as vault:
        paths = [hit.path for hit in vault.related("Garden/Tomatoes.md").results]
        assert len(paths) == len(set(paths))
        assert [hit.path for hit in vault.related("Garden/Tomatoes.md", limit=2).results] == paths[:2]


def test_scores_are_explained_and_fall(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as vault:
        hits = vault.related("Garden/Tomatoes.md").results
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for hit in hits:
            assert hit.explanation is not None
            assert sum(part.contribution for part in hit.explanation.parts) == pytest.approx(hit.score)


def test_without_a_model_rare_words_of_the_note_find_related_ones_and_it_is_said(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES, NoModel()) as vault:
        response = vault.related("Garden/Tomatoes.md")
        assert response.results[0].path in {"Garden/Soil.md", "Index.md", "Work/Ledger.md"}
        assert "Garden/Soil.md" in [hit.path for hit in response.results]
        assert [(item.lane, item.code) for item in response.degraded] == [("semantic", "disabled")]


def test_before_vectors_are_there_words_are_used_and_it_is_said(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES, embedded=False) as vault:
        response = vault.related("Garden/Tomatoes.md")
        assert "Garden/Soil.md" in [hit.path for hit in response.results]
        assert [item.code for item in response.degraded] == ["building"]


def test_a_note_that_the_index_does_not_have_is_an_error_that_says_so(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as vault, pytest.raises(NotFoundError, match=r"Nowhere\.md"):
        vault.related("Nowhere.md")


def test_an_empty_note_is_related_to_nothing_without_an_error(tmp_path: Path) -> None:
    with desk(tmp_path, NOTES) as vault:
        assert vault.related("Empty.md").results == ()


NAMED = {
    "a.md": "Met [[Vera]] about [[Lamp]] and [[Everywhere]].",
    "b.md": "Bought oil. [[Vera]], [[Lamp]].",
    "c.md": "Nothing of it. [[Lamp]] in a long list: " + ", ".join(f"[[Thing {number}]]" for number in range(12)),
    "d.md": "Only [[Everywhere]].",
    "e.md": "Alone.",
    "Vera.md": "She lives at sea.",
}


def _kin(folder: Path, *, unlinked: bool = False) -> dict[str, Hit]:
    with desk(folder, NAMED, NoModel()) as place:
        StructurePass(place.store, Atoms()).all(lambda _: None, lambda: False)
        found = place.searcher.related(RelatedRequest("a.md", unlinked=unlinked))
    return {hit.path: hit for hit in found.results}


def test_notes_that_speak_of_the_same_names_are_related_and_say_through_which(tmp_path: Path) -> None:
    found = _kin(tmp_path)
    assert {"b.md", "c.md", "d.md", "Vera.md"} <= set(found)
    assert set(found["b.md"].via) == {"Vera", "Lamp"}
    assert found["c.md"].via == ("Lamp",)
    assert found["b.md"].score > found["c.md"].score
    assert not {"a.md", "e.md"} & set(found)
    for hit in found.values():
        assert hit.explanation is not None
        assert {"links", "entities", "structure"} < {part.lane for part in hit.explanation.parts}
        assert sum(part.contribution for part in hit.explanation.parts) == pytest.approx(hit.score)


def test_one_name_that_is_nearly_everywhere_relates_nothing(tmp_path: Path) -> None:
    rare = [f"[[Thing {number}]]" for number in range(20)]
    notes = {"a.md": f"Crates: {', '.join(rare)}, [[Everywhere]]."}
    notes |= {f"rare{number}.md": f"Ship {number}: {name}." for number, name in enumerate(rare)}
    notes |= {f"common{number}.md": f"Only [[Everywhere]], day {number}." for number in range(100, 140)}
    with desk(tmp_path, notes, NoModel()) as place:
        StructurePass(place.store, Atoms()).all(lambda _: None, lambda: False)
        found = {hit.path for hit in place.searcher.related(RelatedRequest("a.md", limit=100)).results}
    assert {f"rare{number}.md" for number in range(20)} == found


def test_notes_that_are_linked_already_can_be_left_out(tmp_path: Path) -> None:
    assert "Vera.md" not in _kin(tmp_path, unlinked=True)
    assert "b.md" in _kin(tmp_path / "again", unlinked=True)
