"""Which notes a note is linked with, in either direction.

Owns resolving a link's target to the notes it can mean: a path, a tail of one, or a name, case aside. Must not read notes.
"""

from holovault.model import LinkWay
from holovault.store import ChunkId, FileQuery, Store

MOST = 64
"""Different targets that are looked up; an index page with a thousand links is related to nothing in particular."""


def linked_with(store: Store, path: str) -> dict[str, tuple[LinkWay, ...]]:
    """The notes that link to this one or that it links to, without itself, by path, and which of both they do."""
    targets = dict.fromkeys(_comparable(link.target) for link in store.notes.links_from(path))
    found: dict[str, tuple[LinkWay, ...]] = {link.path: ("links-here",) for link in store.notes.links_to(path)}
    for other in set().union(*(_named(store, target) for target in list(targets)[:MOST])):
        found[other] = (*found.get(other, ()), "linked-from-here")
    found.pop(path, None)
    return found


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
