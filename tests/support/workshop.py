"""An embedding service around the fake model, with everything a test wants to see or turn."""

from dataclasses import dataclass, field
from pathlib import Path

from holovault.children import Child
from holovault.embed.breaker import Breaker
from holovault.embed.embedding import Embedding, Limits
from holovault.embed.host import Host, Timeouts
from holovault.embed.line import Line
from holovault.embed.spec import ModelSpec
from tests.support.processes import ENVIRONMENT, wait_until

DIMENSION = 8


@dataclass
class HandClock:
    """Seconds that pass when the test says so."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Workshop:
    """`model` is the fake's name; `batch` texts go in one batch; `journal` and `gate` are in `folder`."""

    folder: Path
    model: str = "good"
    batch: int = 8
    memory_mb: int = 250
    answer_s: float = 30.0
    load_s: float = 30.0
    clock: HandClock = field(default_factory=HandClock)
    line: Line = field(default_factory=lambda: Line("embedding"))
    child: Child = field(init=False)
    embedding: Embedding = field(init=False)

    def __post_init__(self) -> None:
        spec = ModelSpec("test", self.model, DIMENSION, 128, "ask: ", "tell: ")
        env = {**ENVIRONMENT, "HOLOVAULT_TEST_JOURNAL": str(self.folder / "journal"), "HOLOVAULT_TEST_GATE": str(self.folder / "gate")}
        log = self.folder / "embed-worker.log"
        self.child = Child("holovault.embed.worker", name="the embedding model", memory_mb=self.memory_mb, env=env, log=log)
        host = Host(spec, "tests.support.fake_model", self.child, Breaker(self.clock), Timeouts(self.load_s, self.answer_s))
        self.embedding = Embedding(spec, host, self.line, Limits(self.batch, 4096, 300.0), self.clock)

    def journal(self) -> list[str]:
        """What the fake model was asked, in order; the text that every load is tried with is left out."""
        path = self.folder / "journal"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if "lighthouse" not in line]

    def loads(self) -> int:
        """How often the model was loaded."""
        return self.journal().count("load")

    def open_gate(self) -> None:
        """Lets the fake model go on."""
        (self.folder / "gate").touch()

    def wait_for(self, line: str) -> None:
        """Until the fake model was asked this."""
        assert wait_until(lambda: line in self.journal()), self.journal()

    def wait_for_jobs(self, count: int) -> None:
        """Until so many jobs wait or run."""
        assert wait_until(lambda: self.line.unfinished() == count), self.line.unfinished()
