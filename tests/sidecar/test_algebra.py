"""Questions about names over a real index: the exact index decides who belongs, the vectors decide in which order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from holovault.errors import AmbiguousError, NotFoundError, UsageError
from holovault.model import AnalogyRequest, EntityQuery, LikeRequest, NeighbourRequest, ProbeRequest, ReasonRequest
from tests.support.structured import Shop, note, shop

NOTES = (
    note("People/Анна Кузнецова.md", ["title=Анна Кузнецова", "Берлин"], aliases=("Аня", "Anna K.")),
    note("Projects/Маяк.md", ["title=Маяк", "prop:lead=Анна Кузнецова", "Анна Кузнецова", "prop:status=active", "Порт"]),
    note("Projects/Orion.md", ["title=Orion", "prop:lead=Boris Orlov", "Boris Orlov", "prop:status=active", "Dock"]),
    note("focus.md", ["Аня"], ["anna k.", "Порт", *(f"Thing {number}" for number in range(12))]),
    note("meeting.md", ["Анна Кузнецова", "Boris Orlov", "Порт"], ["Порт", "Dock", "Crane"], ["Dock", "Crane"]),
    note("tags.md", ["tag=work/deep", "deep"], ["foo_bar"], ["foo%bar"], ["fooxbar"]),
    note("a/Twin.md", ["title=Twin"]),
    note("b/Twin.md", ["title=Twin"]),
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with shop(tmp_path_factory.mktemp("index"), *NOTES) as made:
        yield made


def _found(answer: object) -> list[str]:
    return [f"{hit.path}:{hit.start_line}" for hit in answer.results]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["Анна Кузнецова", "аня", "ANNA K.", "People/Анна Кузнецова"])
def test_a_probe_finds_every_passage_under_every_name_and_the_most_about_it_first(desk: Shop, name: str) -> None:
    found = desk.entities.probe(ProbeRequest(name))
    assert set(_found(found)) == {"Projects/Маяк.md:1", "focus.md:1", "focus.md:3", "meeting.md:1"}
    assert (_found(found)[0], _found(found)[-1]) == ("focus.md:1", "focus.md:3")
    assert found.results[0].presence == pytest.approx(1.0)
    assert all(hit.verified and (hit.presence or 0) > 0.6 and hit.via == ("Анна Кузнецова",) for hit in found.results)
    assert (found.entities[0].path, found.entities[0].kind) == ("People/Анна Кузнецова.md", "note")


def test_the_note_that_a_name_is_leads_its_probe_however_much_else_it_states(tmp_path: Path) -> None:
    own = note("People/Vera.md", ["title=Vera", "Vera", *(f"Thing {number}" for number in range(12))], ["Vera", "Lamp"])
    with shop(tmp_path, note("a.md", ["Vera"]), own, note("z.md", ["Vera"])) as made:
        found = _found(made.entities.probe(ProbeRequest("vera")))
        assert found == ["People/Vera.md:3", "a.md:1", "z.md:1", "People/Vera.md:1"]
        assert _found(made.entities.probe(ProbeRequest("vera", limit=1))) == found[:1]


@pytest.mark.parametrize("role", ["lead", "prop:lead", "Lead", "prop:LEAD"])
def test_a_role_narrows_a_probe(desk: Shop, role: str) -> None:
    assert _found(desk.entities.probe(ProbeRequest("Аня", role))) == ["Projects/Маяк.md:1"]


def test_a_role_that_nothing_has_is_told_with_those_that_are(desk: Shop) -> None:
    with pytest.raises(NotFoundError, match="prop:lead, prop:status"):
        desk.entities.probe(ProbeRequest("Аня", "client"))


@pytest.mark.parametrize(("name", "path"), [("foo_bar", "tags.md:3"), ("foo%bar", "tags.md:5"), ("fooxbar", "tags.md:7")])
def test_wildcards_of_sql_are_letters(desk: Shop, name: str, path: str) -> None:
    assert _found(desk.entities.probe(ProbeRequest(name))) == [path]


def test_an_inflected_name_is_resolved_and_the_answer_says_as_what(desk: Shop) -> None:
    found = desk.entities.probe(ProbeRequest("Анной Кузнецовой"))
    assert found.entities[0].text == "Анна Кузнецова"
    assert len(found.results) == 4


def test_a_name_that_may_be_several_is_an_error_that_lists_them(desk: Shop) -> None:
    with pytest.raises(AmbiguousError, match=r"foo_bar.*foo%bar|foo%bar.*foo_bar"):
        desk.entities.resolve("foo-bar")


def test_a_name_that_nothing_states_is_not_guessed(desk: Shop) -> None:
    with pytest.raises(NotFoundError, match="by words"):
        desk.entities.resolve("Наполеон Бонапарт")
    with pytest.raises(UsageError):
        desk.entities.resolve("  ")


def test_reason_gives_the_passages_that_hold_all(desk: Shop) -> None:
    found = desk.entities.reason(ReasonRequest(("Аня", "boris orlov")))
    assert (_found(found), found.mode) == (["meeting.md:1"], "all")
    assert found.results[0].verified
    assert set(found.results[0].via) == {"Анна Кузнецова", "Boris Orlov"}


def test_without_a_passage_that_holds_all_reason_builds_bridges_and_says_so(desk: Shop) -> None:
    found = desk.entities.reason(ReasonRequest(("Аня", "Crane")))
    assert found.mode == "bridges"
    assert "meeting.md:3" in _found(found)
    assert all(hit.verified is False and len(hit.via) >= 2 for hit in found.results)


def test_a_name_that_is_only_a_heading_has_company_and_bridges_too(tmp_path: Path) -> None:
    notes = (
        note("a.md", ["head=iCloud", "Drive", "Vault"]),
        note("b.md", ["Sync", "Vault", "Plan"]),
        note("c.md", ["Sync", "Drive"]),
        note("d.md", ["Sync", "Other"]),
    )
    with shop(tmp_path, *notes) as desk:
        bridges = desk.entities.reason(ReasonRequest(("Sync", "iCloud")))
        assert (bridges.mode, {hit.path for hit in bridges.results} >= {"b.md", "c.md"}) == ("bridges", True)
        assert {hit.path for hit in desk.entities.related(NeighbourRequest("iCloud")).results} == {"b.md", "c.md"}


def test_related_passages_share_company_and_never_name_the_entity(desk: Shop) -> None:
    found = desk.entities.related(NeighbourRequest("Аня"))
    assert _found(found)[0] == "meeting.md:3"
    assert "Порт" in found.results[0].via
    own = {"Projects/Маяк.md:1", "focus.md:1", "focus.md:3", "meeting.md:1", "People/Анна Кузнецова.md:1"}
    assert not own & set(_found(found))


def test_an_analogy_finds_the_role_and_who_plays_it(desk: Shop) -> None:
    found = desk.entities.analogy(AnalogyRequest("Маяк", "Аня", "orion"))
    assert found.role == "prop:lead"
    assert found.answer is not None
    assert found.answer.text == "Boris Orlov"
    assert _found(found) == ["Projects/Orion.md:1"]


def test_an_analogy_may_name_a_note_by_its_heading(tmp_path: Path) -> None:
    with shop(tmp_path, *NOTES, note("p.md", ["head=Второй план", "prop:lead=Vera Lind", "Vera Lind"])) as desk:
        answer = desk.entities.analogy(AnalogyRequest("Маяк", "Аня", "второй план")).answer
    assert (answer and answer.text) == "Vera Lind"


def test_an_analogy_that_does_not_hold_has_no_answer(desk: Shop) -> None:
    found = desk.entities.analogy(AnalogyRequest("Маяк", "Crane", "Orion"))
    assert (found.answer, found.results) == (None, ())


def test_like_finds_the_same_structure_under_another_name(desk: Shop) -> None:
    plain = desk.entities.like(LikeRequest("Projects/Маяк.md:1"))
    assert _found(plain)[0] == "meeting.md:1"
    swapped = desk.entities.like(LikeRequest("Projects/Маяк.md:1", plus=("lead:Boris Orlov",), minus=("lead:Аня",)))
    assert _found(swapped)[0] == "Projects/Orion.md:1"
    assert "Boris Orlov" in swapped.results[0].via
    assert all(hit.path != "Projects/Маяк.md" for hit in swapped.results)


@pytest.mark.parametrize("address", ["nothing.md:1", "Projects/Маяк.md:99"])
def test_like_of_a_place_that_is_not_there_is_told(desk: Shop, address: str) -> None:
    with pytest.raises(NotFoundError, match=address.partition(":")[0]):
        desk.entities.like(LikeRequest(address))


def test_roles_of_a_name_come_with_their_spellings(desk: Shop) -> None:
    found = desk.entities.roles("Аня")
    assert {use.role: use.chunks for use in found.roles} == {"entity": 4, "prop:lead": 1, "title": 1}
    assert {"Аня", "Anna K.", "Анна Кузнецова"} <= set(found.spellings)
    assert all((use.presence or 0) > 0.6 for use in found.roles)


def test_entities_are_listed_by_prefix_and_kind(desk: Shop) -> None:
    found = desk.entities.list(EntityQuery("КУЗН"))
    assert [one.text for one in found.entities] == ["Анна Кузнецова"]
    notes = desk.entities.list(EntityQuery(kind="note", limit=1))
    assert ([one.text for one in notes.entities], notes.total) == (["Анна Кузнецова"], 1)
    everything = desk.entities.list(EntityQuery())
    assert everything.total == len(everything.entities)
    assert [one.name for one in desk.entities.list(EntityQuery(offset=1)).entities] == [one.name for one in everything.entities[1:]]


def test_while_vectors_are_made_the_answer_is_whole_and_says_what_is_missing(tmp_path: Path) -> None:
    with shop(tmp_path, *NOTES, composed=False) as desk:
        found = desk.entities.probe(ProbeRequest("Аня"))
    assert len(found.results) == 4
    assert all(hit.presence is None and hit.verified for hit in found.results)
    assert [(one.lane, one.code) for one in found.degraded] == [("hrr", "building")]


def test_an_index_without_names_says_so(tmp_path: Path) -> None:
    with shop(tmp_path, note("a.md", [])) as desk, pytest.raises(NotFoundError):
        desk.entities.probe(ProbeRequest("anything"))
