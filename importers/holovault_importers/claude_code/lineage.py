"""Which records of a session led to its end. Pure.

Records point at the ones before them; a prompt that was taken back leaves a dead branch. Owns walking back from the last record,
across machinery, compactions and records that are not there. A session whose records mostly point nowhere is taken as it stands.
"""

from collections.abc import Mapping, Sequence

from holovault_importers.claude_code.records import Entry


def reached(entries: Sequence[Entry], links: Mapping[str, str]) -> set[int]:
    """Positions of the entries that belong to the talk. `links` lead from every record with an id to the one before it."""
    if sum(bool(entry.parent) for entry in entries) * 2 < len(entries) - 1:
        return set(range(len(entries)))
    places = {entry.uuid: place for place, entry in enumerate(entries) if entry.uuid}
    path = _walk(entries, places, links)
    spoken = {entries[place].message for place in path if entries[place].kind == "assistant"} - {""}
    path |= {place for place, entry in enumerate(entries) if entry.kind == "assistant" and entry.message in spoken}
    for place, entry in enumerate(entries):
        if entry.kind == "queued" and _up(entry.parent, places, links)[0] in (*path, None):
            path.add(place)
    return path


def _walk(entries: Sequence[Entry], places: Mapping[str, int], links: Mapping[str, str]) -> set[int]:
    path: set[int] = set()
    at: int | None = max((place for place, entry in enumerate(entries) if entry.kind in ("human", "assistant")), default=None)
    while at is not None and at not in path:
        path.add(at)
        entry = entries[at]
        before, is_lost = _up(entry.parent, places, links)
        if before is None and entry.kind in ("compaction", "recap"):
            before, _ = _up(entry.logical, places, links)
            before = at - 1 if before is None or before > at else before
        elif before is None and is_lost:
            before = at - 1  # its record is not there: what stands before it is the nearest
        at = before if before is not None and before >= 0 else None
    return path


def _up(uuid: str, places: Mapping[str, int], links: Mapping[str, str]) -> tuple[int | None, bool]:
    """The nearest entry from a record upwards; without one, whether the way ends at a record that is not there."""
    seen: set[str] = set()
    while uuid and uuid not in places:
        if uuid in seen or uuid not in links:
            return None, uuid not in links
        seen.add(uuid)
        uuid = links[uuid]
    return (places[uuid], False) if uuid else (None, False)
