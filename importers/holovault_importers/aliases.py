"""Names that look like one project: proposals for `[projects.aliases]`, for a person to take or leave.

Owns the comparison (pure) and collecting names from folders and front matter. Writes nothing.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from holovault.config import Config, Rules
from holovault.errors import UserError
from holovault.lexemes import normal_name
from holovault.markdown import decode, parse_front_matter
from holovault.model.imports import AliasProposal
from holovault.vault import Vault

ALIKE = 0.86
_APART = re.compile(r"[\W_]+")
_VERSION = re.compile(r"\s(?:v?\d+(?:\s\d+)*|copy|old|new|final|копия|старый|новый)$")
_COPY = re.compile(r"\s*\([0-9a-f]{8}\)$")


def proposals(vault: Vault, config: Config) -> tuple[AliasProposal, ...]:
    """Merges among the projects of this vault: its folders below `Projects` and `Code`, and `project:` in front matter."""
    rules = Rules(config)
    counts: dict[str, int] = {}
    for seen in vault.scan().seen:
        name = _name(vault, seen.path)
        if name:
            counts[name] = counts.get(name, 0) + 1
    known = {alias.alias.casefold() for alias in config.project_aliases}
    return propose({name: count for name, count in counts.items() if name.casefold() not in known and rules.canonical(name) == name})


def propose(counts: Mapping[str, int]) -> tuple[AliasProposal, ...]:
    """Proposals for names with how many notes each has: the name with more notes is kept, of equal ones the shorter."""
    names = sorted(counts, key=lambda name: (-counts[name], len(name), name))
    taken: set[str] = set()
    found: list[AliasProposal] = []
    for index, project in enumerate(names):
        if project in taken:
            continue
        for other in names[index + 1 :]:
            if other not in taken and (reason := _alike(project, other)):
                taken.add(other)
                found.append(AliasProposal(other, project, reason))
    return tuple(found)


def as_toml(found: Iterable[AliasProposal]) -> str:
    """The proposals as lines for knowledge.toml."""
    return "\n".join(("[projects.aliases]", *(f"{_quoted(item.alias)} = {_quoted(item.project)}" for item in found)))


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _name(vault: Vault, path: str) -> str | None:
    parts = path.split("/")
    if parts[0] in ("Projects", "Code") and len(parts) > 2:
        return _COPY.sub("", parts[1])
    if parts[0] != "Chats":
        return None
    try:
        text, _ = decode(vault.read(path).data[:4096]), None
    except UserError:
        return None
    return parse_front_matter(text).front.project


def _plain(name: str) -> str:
    return " ".join(_APART.sub(" ", normal_name(name)).split())


def _alike(left: str, right: str) -> str:
    """Why two names look like one project; "" where they do not."""
    one, two = _plain(left), _plain(right)
    if not one or not two:
        return ""
    if one.replace(" ", "") == two.replace(" ", ""):
        return "the same letters"
    if _VERSION.sub("", one) == _VERSION.sub("", two):
        return "the same name but for a version"
    if min(len(one), len(two)) >= 5 and SequenceMatcher(None, one, two).ratio() >= ALIKE and not _numbers_differ(one, two):
        return "almost the same letters"
    initials = "".join(word[0] for word in one.split())
    return "its first letters" if len(initials) >= 2 and initials == two else ""


def _numbers_differ(one: str, two: str) -> bool:
    return re.findall(r"\d+", one) != re.findall(r"\d+", two)
