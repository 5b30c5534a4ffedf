"""From what a person typed to the name that is meant.

Owns the steps: the name itself, an alias or a title of a note, the words of links, then likeness by letters with a margin. What is not
clear is an error that lists the candidates, never a guess.
"""

from collections.abc import Iterable, Sequence

from holovault.errors import AmbiguousError, NotFoundError, UsageError
from holovault.hrr import Atoms, NameBook
from holovault.hrr.names import SURE
from holovault.lexemes import normal_name
from holovault.model import EntityInfo, EntityKind, EntityList, EntityQuery
from holovault.store import Store

ROLES = frozenset({"entity", "tag", "head", "title", "in", "text", "src"})
LIKELY = 0.3
"""Likeness from which an unknown name is worth offering."""

_SHOWN = 5


class Naming:
    """Resolves names of one store. Thread-safe; keeps the letters of all names while the index stays as it is."""

    def __init__(self, store: Store, atoms: Atoms) -> None:
        self._store = store
        self._atoms = atoms
        self._book: tuple[int, NameBook, dict[str, str]] | None = None

    def resolve(self, name: str) -> EntityInfo:
        """The one name that is meant. Raises UsageError for nothing, AmbiguousError or NotFoundError with the nearest names."""
        canonical = self._store.structure.canonical(name)
        if not canonical:
            raise UsageError("Name an entity: a note, a person, a tag, or whatever your notes call by a name.")
        if self._known(canonical):
            return self.info(canonical)
        shown = self._store.structure.shown_as(name)
        if len(shown) == 1:
            return self.info(shown[0])
        if shown:
            raise self._several(name, shown)
        return self._by_letters(name)

    def info(self, canonical: str) -> EntityInfo:
        """A canonical name, made presentable."""
        count = self._store.structure.frequency([canonical]).get(canonical, 0)
        return self._presentable({canonical: count})[0]

    def infos(self, names: Iterable[str]) -> dict[str, EntityInfo]:
        """Several canonical names by name."""
        wanted = list(dict.fromkeys(names))
        counts = self._store.structure.frequency(wanted)
        return {one.name: one for one in self._presentable({name: counts.get(name, 0) for name in wanted})}

    def role(self, text: str) -> str:
        """A role as people write it: `entity`, `tag`, a property's name with or without `prop:`. Raises NotFoundError for another."""
        kind, _, rest = text.strip().partition(":")
        if kind in ROLES and not rest:
            return kind
        wanted = f"prop:{normal_name(rest if kind == 'prop' and rest else text)}"
        known = self._store.structure.roles()
        if wanted in known:
            return wanted
        offered = ", ".join(sorted(role for role in known if role.startswith("prop:"))[:10])
        also = f", {offered}" if offered else ""
        raise NotFoundError(f"No passage states anything in the role {text.strip()}. Roles are {', '.join(sorted(ROLES))}{also}.")

    def filler(self, text: str) -> tuple[str, str]:
        """`role:name` or `name` as (role, canonical name). Raises NotFoundError or AmbiguousError as `resolve` does."""
        for at in (place for place, char in enumerate(text) if char == ":"):
            try:
                role = self.role(text[:at])
            except NotFoundError:
                continue
            if text[at + 1 :].strip():
                return role, self._store.structure.canonical(text[at + 1 :])
        return "entity", self.resolve(text).name

    def listed(self, query: EntityQuery) -> EntityList:
        """Names that begin, or one of whose words begins, as the query says."""
        prefix = normal_name(query.prefix)
        counts = self._store.structure.counts()
        fitting = {name: count for name, count in counts.items() if name.startswith(prefix) or f" {prefix}" in name}
        if query.kind is not None:
            kinds = self._kinds(fitting)
            fitting = {name: count for name, count in fitting.items() if kinds[name] == query.kind}
        ordered = sorted(fitting.items(), key=lambda item: (-item[1], item[0]))[query.offset : query.offset + query.limit]
        return EntityList(tuple(self._presentable(dict(ordered))), len(fitting))

    def _known(self, canonical: str) -> bool:
        return bool(self._store.structure.roles_of(canonical)) or self._store.structure.note_of(canonical) is not None

    def _presentable(self, counts: dict[str, int]) -> list[EntityInfo]:
        described = self._store.structure.described(counts)
        tags = self._store.structure.frequency(list(counts), "tag")
        return [EntityInfo(one.name, one.text, _kind(one.path, one.name in tags), one.chunks, one.path) for one in described]

    def _kinds(self, counts: dict[str, int]) -> dict[str, EntityKind]:
        return {one.name: one.kind for one in self._presentable(counts)}

    def _by_letters(self, name: str) -> EntityInfo:
        book, meant = self._letters()
        found = book.resolve(name, _SHOWN)
        if found.name is not None:
            return self.info(meant[found.name])
        near = list(dict.fromkeys(meant[candidate] for candidate, likeness in found.candidates if likeness >= LIKELY))
        if len(near) > 1 and found.candidates[0][1] >= SURE:
            raise self._several(name, near)
        offer = f" The nearest are {self._quoted(near)}." if near else " Search for it by words: a note may have it in its text."
        raise NotFoundError(f"No note states the name {_quoted(name)}.{offer}")

    def _letters(self) -> tuple[NameBook, dict[str, str]]:
        generation, kept = self._store.generation, self._book
        if kept is not None and kept[0] == generation:
            return kept[1], kept[2]
        names = self._store.structure.counts()
        meant = {normal_name(text): name for name, text in self._store.structure.texts(names).items()} | {name: name for name in names}
        book = NameBook(list(_one_each(meant)), self._atoms)
        self._book = (generation, book, meant)
        return book, meant

    def _several(self, name: str, near: Sequence[str]) -> AmbiguousError:
        return AmbiguousError(f"{_quoted(name)} may be several names: {self._quoted(near)}. Name the one that you mean.")

    def _quoted(self, names: Sequence[str]) -> str:
        infos = self.infos(names[:_SHOWN])
        return ", ".join(_quoted(infos[name].text) for name in names[:_SHOWN])


def _one_each(meant: dict[str, str]) -> Iterable[str]:
    """One spelling of each name: two of one name would leave no margin between them. A title goes before a path."""
    chosen: dict[str, str] = {}
    for spelling, name in meant.items():
        if name not in chosen or "/" in chosen[name]:
            chosen[name] = spelling
    return chosen.values()


def _kind(path: str | None, tagged: bool) -> EntityKind:
    if path is not None:
        return "note"
    return "tag" if tagged else "name"


def _quoted(name: str) -> str:
    return f"«{' '.join(name.split())[:80]}»"
