"""Which notes a note is linked with, in either direction.

Owns resolving a link's target to the notes it can mean: a path, a tail of one, or a name, case aside. Must not read notes.
"""

from holovault.store import ChunkId, FileQuery, Store

MOST = 64
"""Different targets that are looked up; an index page with a thousand links is related to nothing in particular."""


def linked_with(store: Store, path: str) -> frozenset[str]:
    """Paths of the notes that link to this one or that it links to, without itself."""
    targets = dict.fromkeys(_comparable(link.target) for link in store.notes.links_from(path))
    found = {link.path for link in store.notes.links_to(path)}
    for target in list(targets)[:MOST]:
        found |= _named(store, target)
    return frozenset(found - {path})


def _named(store: Store, target: str) -> set[str]:
    """Notes whose path is the target or ends with it."""
    name = target.rpartition("/")[2]
    if not name:
        return set()
    allowed = store.filter(FileQuery(files=(name,)))
    paths = {row.path for row in store.notes.chunk_rows([ChunkId(int(number)) for number in allowed.ids[:MOST]])}
    return {path for path in paths if f"/{_comparable(path)}".endswith(f"/{target}")}


def _comparable(target: str) -> str:
    folded = target.strip().strip("/").casefold()
    return folded.removesuffix(".md")
