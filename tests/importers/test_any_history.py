"""Any sequence of exports and hand edits: not one line that a person wrote disappears, and a second import writes nothing."""

import shutil
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.support.exports import ROOT, at, chat, imported, turn, uid, write_json

CHATS = 2


class Histories(RuleBasedStateMachine):
    """Two chats that grow, branch and are retold, and a person with an editor between the exports."""

    folder: Path
    count = 0

    @initialize()
    def begin(self) -> None:
        Histories.count += 1
        self.vault = self.folder / f"vault{Histories.count}"
        self.messages: dict[int, list[dict[str, Any]]] = {number: [] for number in range(1, CHATS + 1)}
        self.written: dict[str, int] = {}
        self.version = 0
        self.grow(1, 2)
        self.take()

    def grow(self, number: int, more: int) -> None:
        said = self.messages[number]
        for _ in range(more):
            parent = said[-1]["uuid"] if said else ROOT
            position = len(said)
            said.append(
                turn(number * 1000 + position, "assistant" if position % 2 else "human", f"said {number}.{position}", position, parent)
            )

    @rule(number=st.integers(1, CHATS), more=st.integers(1, 3))
    def newer_export(self, number: int, more: int) -> None:
        self.grow(number, more)
        self.take()

    @precondition(lambda self: self.messages[1])
    @rule(data=st.data())
    def retell(self, data: st.DataObject) -> None:
        position = data.draw(st.integers(0, len(self.messages[1]) - 1))
        self.version += 1
        old = self.messages[1][position]
        self.messages[1][position] = turn(1000 + position, old["sender"], f"retold {self.version}", position, old["parent_message_uuid"])
        self.take()

    @precondition(lambda self: self.messages[1])
    @rule()
    def branch(self) -> None:
        self.version += 1
        self.messages[1].append(turn(1500 + self.version, "assistant", f"aside {self.version}", 0, self.messages[1][0]["uuid"]))
        self.take()

    def take(self) -> None:
        self.version += 1
        chats = [chat(number, f"Chat {number}", said, at(self.version)) for number, said in self.messages.items() if said]
        export = write_json(self.folder / "c.json", chats)
        imported(self.vault, export)
        before = self._stamps()
        imported(self.vault, export)
        assert self._stamps() == before

    @rule(data=st.data())
    def write(self, data: st.DataObject) -> None:
        note = self._note(data)
        lines = note.read_bytes().decode("utf-8").split("\n")
        front = lines.index("---", 1) + 1 if lines[0] == "---" and "---" in lines[1:] else 0
        at_line = data.draw(st.integers(front, len(lines)))
        words = f"hand written {len(self.written)}"
        self.written[words] = 0
        note.write_bytes("\n".join((*lines[:at_line], words, *lines[at_line:])).encode("utf-8"))

    @rule(data=st.data(), name=st.sampled_from(["tags: [mine]", "rating: 5", "title: mine"]))
    def set_property(self, data: st.DataObject, name: str) -> None:
        note = self._note(data)
        text = note.read_bytes().decode("utf-8")
        if text.startswith("---\n"):
            words = f"hand{len(self.written)}: {name.partition(':')[2].strip()}"
            self.written[words] = 0
            note.write_bytes(text.replace("---\n", f"---\n{words}\n", 1).encode("utf-8"))

    @rule(data=st.data(), name=st.sampled_from(["A.md", "Deep/er/B.md", "Chats/C.md"]))
    def move(self, data: st.DataObject, name: str) -> None:
        target = self.vault / name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            self._note(data).rename(target)

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        note = self._note(data)
        text = note.read_text("utf-8")
        self.written = {words: seen for words, seen in self.written.items() if words not in text.split("\n")}
        note.unlink()

    @rule()
    def lose_the_state(self) -> None:
        (self.vault / "_import/state.json").unlink(missing_ok=True)

    @invariant()
    def nothing_written_by_hand_is_gone(self) -> None:
        if not hasattr(self, "vault"):
            return
        there = {line for path in self.vault.rglob("*.md") for line in path.read_bytes().decode("utf-8").splitlines()}
        assert [words for words in self.written if words not in there] == []

    def _note(self, data: st.DataObject) -> Path:
        """A note to edit; where none is left, a new import makes one."""
        notes = sorted(self.vault.rglob("*.md"))
        if len(notes) < 2:
            self.lose_the_state()
            self.take()
            notes = sorted(self.vault.rglob("*.md"))
        return data.draw(st.sampled_from(notes))

    def _stamps(self) -> dict[Path, tuple[int, bytes]]:
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in self.vault.rglob("*") if path.is_file()}

    def teardown(self) -> None:
        if hasattr(self, "vault"):
            shutil.rmtree(self.vault, ignore_errors=True)


def test_any_history_keeps_what_a_person_wrote(tmp_path: Path) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    assert uid(1)
    machine = type("Here", (Histories,), {"folder": tmp_path})
    run_state_machine_as_test(machine, settings=settings(max_examples=8, stateful_step_count=10, deadline=None))
