"""Keeping the index equal to the vault: words first (`WordsPass`), structure (`StructurePass`) and meaning (`Meaning`) after.

The store's rows change nowhere else. Must not know any surface.
"""

from holovault.indexer.cutter import ChildCutter, Cutter, CutterPool, LocalCutter
from holovault.indexer.cutting import CutSettings
from holovault.indexer.dates import rfc3339
from holovault.indexer.meaning import Meaning
from holovault.indexer.structure import StructurePass
from holovault.indexer.words import Progress, Tally, WordsPass, silent

__all__ = [
    "ChildCutter",
    "CutSettings",
    "Cutter",
    "CutterPool",
    "LocalCutter",
    "Meaning",
    "Progress",
    "StructurePass",
    "Tally",
    "WordsPass",
    "rfc3339",
    "silent",
]
