"""A vault with facts, its engine, and a service for facts whose writes somebody disturbs. Run as a program it is one that dies.

`python -m tests.support.remembering ROOT HOME COUNT` folds and is killed right after its COUNT-th write.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from holovault.engine import Engine
from holovault.memory import Facts, Surroundings
from holovault.model import Fact, FactQuery, FeedbackRequest, Vote, WriteResult
from tests.support.embeddings import WordEmbedding
from tests.support.engines import index, open_engine
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

PEOPLE = (
    "# Work\n\n"
    "- [[Ivan]] leads [[Atlas]] #team [trust:: 0.7] [created:: 2026-05-24] ^k3f9\n"
    "- The office is in Oslo\n"
    "\n"
    "## Дом\n\n"
    "* Кота зовут Барсик ^kot1\r\n"
    "* Собаку зовут Рекс\n"
    "  - она добрая\n"
    "\n"
    "The end.\n"
)
NOTE = "Memory/Facts/People.md"
GOOD: Vote = "helpful"
BAD: Vote = "unhelpful"


@contextmanager
def remembering(place: Path, notes: Mapping[str, str | bytes] | None = None, *, home: str = "home") -> Iterator[tuple[VaultFolder, Engine]]:
    """A vault with `notes` (else PEOPLE in NOTE) and an engine that has indexed it."""
    vault = make_vault(place / "vault", {NOTE: PEOPLE} if notes is None else notes, NO_MODEL)
    with open_engine(vault.root, place / home, embedding=WordEmbedding()) as engine:
        index(engine)
        yield vault, engine


@contextmanager
def reopened(vault: VaultFolder, home: Path) -> Iterator[Engine]:
    """Another engine over the same vault."""
    with open_engine(vault.root, home, embedding=WordEmbedding()) as engine:
        index(engine)
        yield engine


def facts_of(engine: Engine) -> tuple[Fact, ...]:
    """All of them."""
    return engine.facts.list(FactQuery(limit=500)).facts


def texts(engine: Engine) -> list[str]:
    """What all facts say."""
    return [fact.text for fact in facts_of(engine)]


def fact(engine: Engine, name: str) -> Fact:
    """The fact with this id."""
    return engine.facts.history(name).fact


def vote(engine: Engine, name: str, *votes: Vote) -> Fact:
    """Cast these votes; the fact afterwards."""
    for each in votes:
        engine.facts.feedback(FeedbackRequest(name, each))
    return fact(engine, name)


def disturbed(engine: Engine, before_write: Callable[[int], object], after_write: Callable[[int], None] = lambda _: None) -> Facts:
    """The engine's service for facts, with something done around each of its writes, which are counted from 1."""
    around: Surroundings = engine.facts._around
    count = 0

    def write(path: str, content: bytes, expected_hash: str | None, create: bool, /) -> WriteResult:
        nonlocal count
        count += 1
        before_write(count)
        result = engine.write(path, content, expected_hash, create)
        after_write(count)
        return result

    return Facts(replace(around, write=write))


def main(root: str, home: str, last: str) -> None:
    def die(count: int) -> None:
        if count == int(last):
            os.kill(os.getpid(), signal.SIGKILL)

    with open_engine(Path(root), Path(home), embedding=WordEmbedding()) as engine:
        index(engine)
        disturbed(engine, lambda _: None, die).fold()


if __name__ == "__main__":
    main(*sys.argv[1:])
