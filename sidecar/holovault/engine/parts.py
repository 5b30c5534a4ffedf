"""Everything that follows from a vault's configuration, built in one place.

Owns which object gets which collaborator. A changed knowledge.toml builds new parts; nothing is
patched in place. Must not start threads or do work.
"""

import hashlib
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from holovault.config import Config, Home, Rules
from holovault.entities import VERSION as ENTITIES_VERSION
from holovault.hrr import Atoms
from holovault.indexer import ChildCutter, CutSettings, CutterPool, WordsPass
from holovault.lexemes import Analyzer
from holovault.searcher import Models, Searcher
from holovault.searcher.algebra import Entities
from holovault.store import Store
from holovault.vault import Vault


@dataclass(frozen=True, slots=True)
class Parts:
    """The services of one configuration."""

    config: Config
    vault: Vault
    rules: Rules
    cutter: CutterPool
    words: WordsPass
    searcher: Searcher
    entities: Entities
    window: int


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What does not change with the configuration."""

    root: Path
    store: Store
    logs: Path
    now: Callable[[], datetime]
    clock: Callable[[], float]
    executor: Executor
    cutters: int
    home: Home | None = None
    index: Path | None = None


def build(config: Config, around: Surroundings, models: Models, window: int) -> Parts:
    """Wire one configuration's services together; notes are cut to windows of `window` tokens."""
    rules = Rules(config)
    vault = Vault(around.root, config.vault, around.now)
    settings = CutSettings(config.search.languages, window, config.memory.facts)
    log = around.logs / "cutter.log"
    cutter = CutterPool([ChildCutter(settings, log) for _ in range(around.cutters)])
    zone: tzinfo | None = ZoneInfo(config.time.zone) if config.time.zone else None
    digest = cut_digest(config)
    words = WordsPass(vault, around.store, cutter, rules, around.now, zone, around.executor, around.cutters, digest)
    analyzer, atoms = Analyzer(config.search.languages), Atoms()
    return Parts(
        config=config,
        vault=vault,
        rules=rules,
        cutter=cutter,
        words=words,
        searcher=Searcher(around.store, models, analyzer, config, rules, around.now, around.clock, atoms),
        entities=Entities(around.store, atoms, analyzer, around.clock),
        window=window,
    )


def cut_digest(config: Config) -> str:
    """Changes when the same notes would be stored otherwise: languages, tiers, projects, zone, facts, rules of names.

    Windows are cut anew without reading.
    """
    rules = (config.tiers, config.projects, config.project_aliases, config.memory.facts)
    text = repr((config.search.languages, *rules, config.time, ENTITIES_VERSION))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
