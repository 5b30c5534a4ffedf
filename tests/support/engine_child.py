"""A process that opens an engine on a vault and indexes it, for tests that kill it or measure it.

    python -m tests.support.engine_child VAULT HOME [hold PHASE DONE] [fake | changing]

Writes one JSON line per progress step and a last one with its report and memory. `hold` stops at
that step until stdin ends. `fake` embeds without a model, `changing` with stand-ins for the models that knowledge.toml names.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import psutil

from holovault.config import Home
from holovault.engine import Engine
from holovault.model import IndexProgress, IndexRequest
from tests.support.changing import Works
from tests.support.embeddings import WordEmbedding


def say(**values: object) -> None:
    """One report."""
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def peak_mb(children: bool = False) -> float:
    """The largest resident size so far of this process, or of the largest child that has ended, in MB."""
    if sys.platform == "win32":
        return 0.0 if children else float(psutil.Process().memory_info().peak_wset) / 1e6
    import resource

    peak = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def main(root: Path, home: Path, orders: list[str]) -> None:
    hold = orders[orders.index("hold") + 1 : orders.index("hold") + 3] if "hold" in orders else None

    def progress(step: IndexProgress) -> None:
        say(**asdict(step))
        if hold and step.phase == hold[0] and step.done >= int(hold[1]):
            sys.stdin.read()

    fake, works = WordEmbedding() if "fake" in orders else None, Works() if "changing" in orders else None
    with Engine.open(root, Home(home), owner="child", embedding=fake, models=works) as engine:
        before = peak_mb()
        report = engine.index(IndexRequest(wait=True), progress)
        after = peak_mb()
    say(phase="end", report=asdict(report), before_mb=before, after_mb=after, children_mb=peak_mb(children=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
