"""Feedback and its folding: nothing counted twice, nothing lost, whoever crashes, syncs or edits in between."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from holovault.config import Home, device_name
from holovault.errors import DiskError
from holovault.memory.feedback import Ballot
from holovault.model import FeedbackRequest
from tests.support.engines import ROOT, ask, index
from tests.support.remembering import BAD, GOOD, NOTE, PEOPLE, disturbed, fact, facts_of, remembering, reopened, vote
from tests.support.vaults import VaultFolder

OTHER = "Memory/Facts/Other.md"


def trusts(vault: VaultFolder, home: Path) -> dict[str, float]:
    """Trust of every fact in an index that is built from nothing."""
    with reopened(vault, home) as engine:
        return {each.id: each.trust for each in facts_of(engine)}


def test_votes_change_trust_and_neither_the_fact_nor_its_age(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        before = fact(engine, "k3f9")
        done = vote(engine, "k3f9", "helpful", "helpful", "unhelpful")
        assert (done.trust, done.own_trust, done.helpful, done.unhelpful) == (0.7, 0.7, 2, 1)
        assert (done.created, done.hash) == (before.created, before.hash)
        assert vault.at(NOTE).read_bytes() == PEOPLE.encode("utf-8")
        notes = [path for path in vault.notes() if path.startswith("Memory/Feedback/")]
        assert notes == [f"Memory/Feedback/{device_name(Home(tmp_path / 'home'))}.md"]
        assert not [hit for hit in ask(engine, "person facts vote joined", "lexical").results if hit.path in notes]
        assert [each.vote for each in engine.facts.history("k3f9").votes] == ["helpful", "helpful", "unhelpful"]
        assert sum(day.votes for day in engine.facts.activity().days) == 3


def test_trust_stays_between_nothing_and_certainty(tmp_path: Path) -> None:
    with remembering(tmp_path) as (_, engine):
        assert vote(engine, "k3f9", *[GOOD] * 7).trust == 1.0
        assert vote(engine, "kot1", *[BAD] * 6).trust == 0.0


def test_votes_for_the_id_of_a_text_still_count_when_a_person_writes_an_id(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        index(engine)
        office = next(each for each in facts_of(engine) if not each.written)
        vault.write("Memory/Feedback/hand.md", f"- ^{office.id} helpful 2026-05-24T10:00:00Z\n- ^{office.id} helpful\n")
        vault.write(office.path, vault.at(office.path).read_text(encoding="utf-8").replace(f"{office.text}\n", f"{office.text} ^mine\n"))
        index(engine)
        assert (fact(engine, "mine").text, fact(engine, "mine").trust) == (office.text, 0.6)
        assert len(engine.facts.history("mine").votes) == 2
        assert vote(engine, "mine", BAD).trust == 0.5
        assert [(each.id, each.trust) for each in engine.facts.fold().facts] == [("mine", 0.5)]
        assert fact(engine, "mine").trust == 0.5


def test_votes_of_two_devices_meet_as_plain_text(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "k3f9", "helpful")
    with reopened(vault, tmp_path / "another device") as engine:
        vote(engine, "k3f9", "helpful", "unhelpful")
        one, other = (path for path in vault.notes() if path.startswith("Memory/Feedback/"))
        assert fact(engine, "k3f9").trust == 0.7
        # A conflict copy that a sync tool leaves, and a device's note that was joined by hand: no vote counts twice.
        vault.write(one.replace(".md", " (conflicted copy).md"), vault.at(one).read_bytes())
        vault.write(other, vault.at(other).read_bytes() * 2)
        index(engine)
        assert (fact(engine, "k3f9").helpful, fact(engine, "k3f9").unhelpful) == (2, 1)


def test_two_votes_of_one_moment_are_two(tmp_path: Path) -> None:
    with remembering(tmp_path) as (_, engine):
        around = engine.facts._around
        moment = around.now()
        ballot = Ballot(replace(around, now=lambda: moment))
        assert len({ballot.cast("k3f9", "helpful").at for _ in range(3)}) == 3
        assert fact(engine, "k3f9").helpful == 3


def test_a_feedback_note_that_somebody_else_appends_to_keeps_all_lines(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "k3f9", "helpful")
        path = f"Memory/Feedback/{device_name(Home(tmp_path / 'home'))}.md"
        theirs = "- ^kot1 unhelpful 2026-01-02T03:04:05Z"
        text = vault.at(path).read_text(encoding="utf-8").rstrip("\n")

        def by_hand(count: int) -> None:
            if count == 1:
                vault.write(path, f"{text}\n{theirs}")

        disturbed(engine, by_hand).feedback(FeedbackRequest("k3f9", "unhelpful"))
        written = vault.at(path).read_text(encoding="utf-8")
        assert written.startswith(f"{text}\n{theirs}\n- ^k3f9 unhelpful ")
        assert (fact(engine, "kot1").unhelpful, fact(engine, "k3f9").unhelpful) == (1, 1)


def test_folding_writes_the_sum_into_the_line_and_counts_it_never_again(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "k3f9", "helpful", "helpful", "unhelpful", "helpful")
        vote(engine, "kot1", "unhelpful")
        before = {each.id: each.trust for each in facts_of(engine)}
        report = engine.facts.fold()
        assert [(each.id, each.before, each.trust) for each in report.facts] == [("k3f9", 0.7, 0.75), ("kot1", 0.5, 0.4)]
        assert (report.paths, report.left) == ((NOTE,), ())
        expected = PEOPLE.replace("[trust:: 0.7] [created:: 2026-05-24]", "[trust:: 0.75] [created:: 2026-05-24] [counted:: +3 -1]")
        expected = expected.replace("^kot1", "[trust:: 0.4] [counted:: +0 -1] ^kot1")
        assert vault.at(NOTE).read_bytes() == expected.encode("utf-8")
        assert {each.id: each.trust for each in facts_of(engine)} == before
        assert engine.facts.fold().facts == ()
        assert vote(engine, "k3f9", "helpful").trust == 0.8
        assert [(each.before, each.trust, each.helpful) for each in engine.facts.fold().facts] == [(0.75, 0.8, 1)]
    assert trusts(vault, tmp_path / "new home")["k3f9"] == 0.8


def test_votes_that_arrive_after_a_fold_count_although_they_are_older(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "k3f9", "helpful")
        engine.facts.fold()
        vault.write("Memory/Feedback/phone.md", "- ^k3f9 helpful 2020-01-01\n- ^k3f9 unhelpful 2020-01-02T03:04:05Z\n")
        index(engine)
        assert fact(engine, "k3f9").trust == 0.7


def test_lost_feedback_notes_take_nothing_back_and_count_once_when_they_return(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "k3f9", "helpful", "helpful")
        engine.facts.fold()
        path = next(path for path in vault.notes() if path.startswith("Memory/Feedback/"))
        kept = vault.at(path).read_bytes()
        vault.delete(path)
        vault.write("Memory/Feedback/phone.md", "- ^k3f9 unhelpful 2026-01-02T03:04:05Z\n")
        index(engine)
        assert fact(engine, "k3f9").trust == 0.7
        engine.facts.fold()
        vault.write(path, kept)
        index(engine)
        assert fact(engine, "k3f9").trust == 0.7
        assert engine.facts.fold().facts == ()


def test_a_copied_id_is_not_folded_and_said(tmp_path: Path) -> None:
    notes = {NOTE: "- one ^same\n- three ^k3f9\n", OTHER: "- two ^same\n", "Memory/Feedback/x.md": "^same helpful\n^k3f9 helpful\n"}
    with remembering(tmp_path, notes) as (vault, engine):
        report = engine.facts.fold()
        assert [each.id for each in report.facts] == ["k3f9"]
        assert [sentence.partition(" has ")[0] for sentence in report.left] == [f"{OTHER}:1", f"{NOTE}:1"]
        assert vault.at(OTHER).read_bytes() == b"- two ^same\n"


def test_a_note_edited_during_the_fold_is_folded_from_fresh_bytes(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "kot1", "unhelpful")
        edited = PEOPLE.replace("# Work\n", "# Work\n\n- first\n").replace("^kot1", "[trust:: 0.9] ^kot1")

        def by_hand(count: int) -> None:
            if count == 1:
                vault.write(NOTE, edited)

        report = disturbed(engine, by_hand).fold()
        assert [(each.before, each.trust) for each in report.facts] == [(0.9, 0.8)]
        assert fact(engine, "kot1").trust == 0.8


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a signal of POSIX")
def test_a_fold_that_is_killed_between_two_notes_changes_no_trust(tmp_path: Path) -> None:
    notes = {NOTE: PEOPLE, OTHER: "- Tea is green [trust:: 0.9] ^tea1\n- Milk is white ^milk\n"}
    with remembering(tmp_path, notes) as (vault, engine):
        for name, votes in (("k3f9", 3), ("kot1", 1), ("tea1", 1), ("milk", 2)):
            vote(engine, name, *[GOOD] * votes, "unhelpful")
        before = {each.id: each.trust for each in facts_of(engine)}
    child = [sys.executable, "-m", "tests.support.remembering", str(vault.root), str(tmp_path / "home"), "1"]
    ended = subprocess.run(child, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert ended.returncode == -9, ended.stderr.decode()
    marks = [b"counted::" in vault.at(path).read_bytes() for path in (NOTE, OTHER)]
    assert sorted(marks) == [False, True]
    with reopened(vault, tmp_path / "home") as engine:
        assert {each.id: each.trust for each in facts_of(engine)} == before
        assert len(engine.facts.fold().paths) == 1
        assert {each.id: each.trust for each in facts_of(engine)} == before
    assert trusts(vault, tmp_path / "new home") == before


def test_a_device_keeps_its_name_and_tells_nothing_by_it(tmp_path: Path) -> None:
    one, other = Home(tmp_path / "one"), Home(tmp_path / "other")
    assert device_name(one) == device_name(one) != device_name(other)
    assert len(device_name(one)) == 6 and int(device_name(one), 16) >= 0
    one.device.write_text("../../evil", encoding="ascii")
    assert len(device_name(one)) == 6 and "." not in device_name(one)
    other.device.unlink()
    other.device.mkdir()
    with pytest.raises(DiskError, match="needs its name"):
        device_name(other)
