"""After any history of edits, moves, deletes, restarts and kills, the index equals one that is built from nothing."""

import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from holovault.chunking import VERSION as CHUNKER_VERSION
from holovault.config import Home
from holovault.engine import Engine
from holovault.engine.inbox import Work
from holovault.lexemes import Analyzer
from holovault.model import IndexProgress, IndexRequest
from holovault.store import Store
from tests.support.dumps import differences, dump, first_words, index_file
from tests.support.embeddings import WordEmbedding
from tests.support.engines import ask, index
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
EIGHT_DAYS_S = 8 * 24 * 3_600.0
FOLDERS = ["", "a/", "a/b/", "Папка/", "Memory/Facts/", "Memory/Feedback/"]
NAMES = ["one.md", "two.md", "Three.MD", "Мой.md", "🦊.md", "plain.txt"]
PATHS = [folder + name for folder in FOLDERS for name in NAMES]
PIECES = [
    "# Heading of rivers\n\nThe river rose two metres in the night.\n\n",
    "## Погода\n\nВ субботу обещали дождь, ёлки уже украшены.\n\n",
    "- first item about bread ^abc\n- second item about butter\n\n",
    "- [[Ваня]] пьёт чай #red [trust:: 0.7] [created:: 2026-05-24] ^abc\n1. numbered fact [trust:: many]\n   - nested ^abc\n\n",
    "^abc helpful 2026-05-25T10:00:00Z\n^abc unhelpful 2026-05-26\n\n",
    "| wine | year |\n|---|---|\n| red | 1999 |\n| white | 2003 |\n\n",
    "```python\ndef foo_bar():\n    return 1\n```\n\n",
    "See [[one]] and [text](a/two.md), with #colour/blue and #red.\n\n",
    "Later [[Ваня]] and [[a/Three|the third]] met Anna Petrova, mood:: [[two]].\n\n",
    "%% a hidden remark %%\n\n",
    "芯片的功耗很低。 배포는 금요일에 하지 않는다.\n\n",
    "\r\nCarriage\r\nreturns.\r\n\r\n",
    "A longer paragraph " + "with many repeated words about gardens and fences and gates " * 12 + "\n\n",
]
FRONTS = [
    *("", "", ""),
    "---\ntitle: Named\ntags: [x, y/z]\ncreated: 2024-01-02\n---\n",
    "---\nbroken: [[\n---\n",
    "---\nproject: Boat\nmodified: 2023-03-04\n---\n",
    "---\naliases: [Ваня, one]\nlead: '[[Мой|x]]'\n---\n",
]
CONTENTS = st.builds(lambda front, pieces: front + "".join(pieces), st.sampled_from(FRONTS), st.lists(st.sampled_from(PIECES), max_size=5))


class History(RuleBasedStateMachine):
    """A vault and the index of its owner, which changes hands and dies now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="history-"))
        self.home = self.place / "home"
        self.vault: VaultFolder = make_vault(self.place / "vault", {}, NO_MODEL)
        self.heard: set[str] = set()
        self.engine = self.open()

    def open(self) -> Engine:
        return Engine.open(self.vault.root, Home(self.home), owner="history", embedding=WordEmbedding())

    def teardown(self) -> None:
        try:
            self.equals_a_rebuild()
        finally:
            self.engine.close()
            shutil.rmtree(self.place)

    def files(self) -> list[str]:
        places = [place for place in self.vault.root.rglob("*") if place.is_file() and place.suffix != ".toml"]
        return sorted(place.relative_to(self.vault.root).as_posix() for place in places)

    @initialize(contents=st.lists(st.tuples(st.sampled_from(PATHS), CONTENTS), max_size=5))
    def begins_with(self, contents: list[tuple[str, str]]) -> None:
        for path, content in contents:
            self.vault.write(path, content)
            self.vault.age(path)

    @rule(path=st.sampled_from(PATHS), content=CONTENTS)
    def saved(self, path: str, content: str) -> None:
        self.vault.write(path, content)
        self.heard.add(path)

    @rule(data=st.data(), piece=st.sampled_from(PIECES), before=st.booleans())
    @precondition(lambda self: self.files())
    def edited(self, data: st.DataObject, piece: str, before: bool) -> None:
        path = data.draw(st.sampled_from(self.files()))
        old = self.vault.at(path).read_bytes()
        self.vault.write(path, piece.encode() + old if before else old + piece.encode())
        self.heard.add(path)

    @rule(data=st.data(), goal=st.sampled_from(PATHS))
    @precondition(lambda self: self.files())
    def renamed(self, data: st.DataObject, goal: str) -> None:
        path = data.draw(st.sampled_from(self.files()))
        self.vault.rename(path, goal)
        self.heard |= {path, goal}

    @rule(data=st.data(), goal=st.sampled_from(PATHS))
    @precondition(lambda self: self.files())
    def copied(self, data: st.DataObject, goal: str) -> None:
        path = data.draw(st.sampled_from(self.files()))
        self.vault.write(goal, self.vault.at(path).read_bytes())
        self.heard.add(goal)

    @rule(data=st.data())
    @precondition(lambda self: self.files())
    def deleted(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(self.files()))
        self.vault.delete(path)
        self.heard.add(path)

    @rule(data=st.data(), day=st.integers(1, 300))
    @precondition(lambda self: self.files())
    def touched(self, data: st.DataObject, day: int) -> None:
        path = data.draw(st.sampled_from(self.files()))
        self.vault.touch_like_a_sync_tool(path, (1_600_000_000 + day * 86_400) * 1_000_000_000)
        self.heard.add(path)

    @rule(old=st.sampled_from(["a", "a/b", "Папка"]), new=st.sampled_from(["c", "c/d", "a/e"]))
    def folder_moved(self, old: str, new: str) -> None:
        if self.vault.at(old).is_dir() and not self.vault.at(new).exists() and not (new + "/").startswith(old + "/"):
            self.vault.rename(old, new)

    @rule(exclude=st.sampled_from(["", "a/b/", "*.txt", "Папка/"]), facts=st.sampled_from(["Memory/Facts/**", "Memory/Facts/**", "a/**"]))
    def configured(self, exclude: str, facts: str) -> None:
        self.vault.config(NO_MODEL + f"[memory]\nfacts = '{facts}'\n" + (f"[vault]\nexclude = ['{exclude}']\n" if exclude else ""))

    @rule(content=CONTENTS)
    def written_by_the_engine(self, content: str) -> None:
        path = "a/Engine.md"
        old = self.engine.explain(path).hash if self.vault.at(path).exists() else None
        if self.vault.at(path).exists() and old != self._hash(path):
            return
        self.engine.write(path, content.encode(), old, old is None)

    @rule(count=st.integers(1, 3))
    def some_changes_are_heard(self, count: int) -> None:
        paths = sorted(self.heard)[:count]
        self.heard.difference_update(paths)
        self.engine.words(Work(frozenset(path for path in paths if path.lower().endswith(".md")), False, ()))

    @rule()
    def all_is_compared(self) -> None:
        self.engine.words(Work(frozenset(), True, ()))
        self.heard.clear()

    @rule()
    def a_little_is_embedded(self) -> None:
        self.engine.meaning_step()

    @rule()
    def restarted(self) -> None:
        self.engine.close()
        self.engine = self.open()

    @rule(step=st.integers(0, 4))
    def killed_while_indexing(self, step: int) -> None:
        """What kill -9 leaves is what lay in the files at that moment: they are copied away and put back."""
        image = self.place / "image"
        steps = 0

        def copy(_: IndexProgress) -> None:
            nonlocal steps
            if steps <= step:
                shutil.rmtree(image, ignore_errors=True)
                shutil.copytree(self.home / "index", image)
            steps += 1

        self.engine.index(IndexRequest(wait=True), copy)
        self.engine.close()
        shutil.rmtree(self.home / "index")
        image.rename(self.home / "index")
        self.engine = self.open()

    @rule()
    def equals_a_rebuild(self) -> None:
        """The index after one more pass, cleaned up, against one from nothing."""
        self.engine.words(Work(frozenset(), True, ()))
        index(self.engine)
        answers = self.answers(self.engine)
        self.engine.close()
        with tempfile.TemporaryDirectory(dir=self.place) as fresh:
            with Engine.open(self.vault.root, Home(Path(fresh)), owner="fresh", embedding=WordEmbedding()) as engine:
                index(engine)
                assert answers == self.answers(engine)
            there = self.cleaned(Path(fresh))
        here = self.cleaned(self.home)
        self.engine = self.open()
        found = differences(here, there)
        assert not found, "\n".join(found)

    def answers(self, engine: Engine) -> list[tuple[str, str, int, int, float]]:
        """What every note's first words find."""
        texts = [content.decode("utf-8").replace("#", " ") for content in self.vault.notes().values()]
        words = sorted({word for text in texts for word in first_words(text)})
        hits = [(word, hit) for word in words for hit in ask(engine, word, "lexical", limit=100).results]
        return sorted((word, hit.path, hit.start_line, hit.end_line, round(hit.score, 6)) for word, hit in hits)

    @staticmethod
    def cleaned(home: Path) -> dict[str, list[tuple[object, ...]]]:
        with Store.open(index_file(home).parent, Analyzer.version, CHUNKER_VERSION) as store:
            store.clean_up(time.time() + EIGHT_DAYS_S)
        return dump(home)

    def _hash(self, path: str) -> str:
        return self.engine.read(path).hash


History.TestCase.settings = settings(
    max_examples=200 if SOAK else 12,
    stateful_step_count=40 if SOAK else 14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
test_the_index_equals_a_rebuild_after_any_history = History.TestCase
pytestmark = pytest.mark.timeout(3600 if SOAK else 900)
