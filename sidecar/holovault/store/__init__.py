"""The index of one vault: one SQLite file and a scan cache beside it.

Owns SQL, transactions and row ids; nothing above makes sense of either. Must not read notes, cut text,
run models or look at configuration. The index is a copy: it may be deleted and is rebuilt from the notes.
"""

from holovault.store.facade import Store
from holovault.store.facts import FactFilter, FactRow, VoteRow
from holovault.store.live import SegmentRules
from holovault.store.snapshot import ScanLimits
from holovault.store.values import (
    Backlink,
    ChunkFilter,
    ChunkId,
    ChunkRow,
    ChunkTerms,
    CleanUpReport,
    ColumnWeights,
    Counts,
    Coverage,
    FileQuery,
    Fingerprint,
    LexicalMatch,
    PendingWindow,
    Placement,
    Property,
    PruneReport,
    PutReport,
    Scale,
    SemanticMatch,
    Standing,
    StoredNote,
)

__all__ = [
    "Backlink",
    "ChunkFilter",
    "ChunkId",
    "ChunkRow",
    "ChunkTerms",
    "CleanUpReport",
    "ColumnWeights",
    "Counts",
    "Coverage",
    "FactFilter",
    "FactRow",
    "FileQuery",
    "Fingerprint",
    "LexicalMatch",
    "PendingWindow",
    "Placement",
    "Property",
    "PruneReport",
    "PutReport",
    "Scale",
    "ScanLimits",
    "SegmentRules",
    "SemanticMatch",
    "Standing",
    "Store",
    "StoredNote",
    "VoteRow",
]
