"""The order of messages: the path that was followed to its end, and the branches that were left.

Pure. With parents it is a tree; without them (older exports, whose arrays are not in order) it is sorted by time. Cycles and
parents that are not there end a path, they never loop.
"""

from collections.abc import Mapping, Sequence

from holovault_importers.values import Branch, Message

NO_PARENT = frozenset({"", "00000000-0000-4000-8000-000000000000", "00000000-0000-0000-0000-000000000000"})


def ordered(messages: Sequence[Message], parents: Mapping[str, str], leaf: str = "") -> tuple[tuple[Message, ...], tuple[Branch, ...]]:
    """The active path and all branches. `parents` maps message ids to the ids before them; `leaf` is the last one if the export says so."""
    linked = any(parent not in NO_PARENT for parent in parents.values())
    if not parents or (not linked and len(messages) > 2):
        return tuple(_by_time(messages)), ()
    by_id = {message.id: message for message in messages}
    active = _path(_leaf(messages, by_id, parents, leaf), by_id, parents)
    taken = {message.id for message in active}
    branches: list[Branch] = []
    for message in _ends(messages, parents):
        if message.id not in taken:
            tail = _path(message.id, by_id, parents, taken)
            after = parents.get(tail[0].id, "")
            branches.append(Branch(after if after in by_id else None, tuple(tail)))
            taken.update(item.id for item in tail)
    return tuple(active), tuple(branches)


def _by_time(messages: Sequence[Message]) -> list[Message]:
    """By time, a person's message before the answer of the same second; without times as they stand."""
    known = [message.created for message in messages if message.created]
    if len(known) < len(messages):
        return list(messages)
    return [
        message for _, message in sorted(enumerate(messages), key=lambda item: (item[1].created or "", item[1].role != "human", item[0]))
    ]


def _leaf(messages: Sequence[Message], by_id: Mapping[str, Message], parents: Mapping[str, str], leaf: str) -> str:
    if leaf in by_id:
        return leaf
    ends = _ends(messages, parents) or list(messages)
    return max(enumerate(ends), key=lambda item: (item[1].created or "", item[0]))[1].id


def _ends(messages: Sequence[Message], parents: Mapping[str, str]) -> list[Message]:
    """Messages that nothing follows, in order; in a cycle, its latest member."""
    followed = set(parents.values())
    ends = [message for message in messages if message.id not in followed]
    reached: set[str] = set()
    for end in ends:
        at = end.id
        while at and at not in reached:
            reached.add(at)
            at = parents.get(at, "")
    for message in sorted(messages, key=lambda item: item.created or "", reverse=True):
        if message.id not in reached:
            ends.append(message)
            at = message.id
            while at and at not in reached:
                reached.add(at)
                at = parents.get(at, "")
    return ends


def _path(
    leaf: str, by_id: Mapping[str, Message], parents: Mapping[str, str], taken: set[str] | frozenset[str] = frozenset()
) -> list[Message]:
    path: list[Message] = []
    seen: set[str] = set()
    at = leaf
    while at in by_id and at not in seen and at not in taken:
        seen.add(at)
        path.append(by_id[at])
        at = parents.get(at, "")
    path.reverse()
    return path
