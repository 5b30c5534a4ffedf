"""Which tier and which project a note belongs to, and by which rule.

Pure decisions over vault-relative paths (NFC, `/`) and two fields of front matter. The first rule that
matches wins: the rules of knowledge.toml in their order, then the defaults below. Must not read files.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pathspec import GitIgnoreSpec

from holovault.config.values import Config, PathRule, ProjectRule

DEFAULT_TIERS = (PathRule("/Chats/**", 2), PathRule("/Code/**", 2), PathRule("/Artifacts/**", 2))
"""Raw material: what importers write and what programs made."""

DEFAULT_PROJECTS = (ProjectRule("/Projects/*/**", "*"),)

IMPORTED = frozenset({"claude.ai", "claude-code", "chatgpt", "codex", "gemini"})
"""What importers write as `source:` into the front matter of their notes."""

FEEDBACK = "Memory/Feedback/"
"""The folder of feedback notes, one by each device."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """A decision and, in words for `holovault explain`, the rule that made it."""

    value: T
    rule: str


@dataclass(frozen=True, slots=True)
class _Tier:
    spec: GitIgnoreSpec
    verdict: Verdict[int]


@dataclass(frozen=True, slots=True)
class _Project:
    spec: GitIgnoreSpec
    rule: ProjectRule
    words: str


class Rules:
    """The path rules of one configuration, compiled once. Safe to ask from any thread."""

    def __init__(self, config: Config) -> None:
        self._tiers = [
            *(_tier(rule, "knowledge.toml [[tiers]]") for rule in config.tiers),
            *(_tier(rule, "default") for rule in DEFAULT_TIERS),
        ]
        self._projects = [
            *(_project(rule, "knowledge.toml [[projects.rules]]") for rule in config.projects),
            *(_project(rule, "default") for rule in DEFAULT_PROJECTS),
        ]
        self._facts = GitIgnoreSpec.from_lines([config.memory.facts])
        self._aliases = {item.alias.casefold(): item.project for item in config.project_aliases}

    def tier_of(self, path: str, source: str | None = None) -> Verdict[int]:
        """Tier 1 (one's own words) or 2 (raw material). `source` is the front matter's field of that name."""
        for tier in self._tiers:
            if tier.spec.match_file(path):
                return tier.verdict
        if source is not None and _imported(source):
            return Verdict(2, f"default: front matter says source: {source.strip()}, an importer's")
        return Verdict(1, "default: everything else is tier 1")

    def project_of(self, path: str, front: str | None = None) -> Verdict[str] | None:
        """The project, by its own name even where an alias was used; None where no rule matches.

        `front` is the front matter's `project:`, which goes before every path rule.
        """
        if front is not None and (named := _plain(front)):
            return self._named(named, f"front matter says project: {front.strip()}")
        for project in self._projects:
            if project.spec.match_file(path):
                return self._named(_name(project.rule, path), project.words)
        return None

    def canonical(self, project: str) -> str:
        """A project's own name for any of its aliases, compared without case."""
        return self._aliases.get(project.casefold(), project)

    def is_facts(self, path: str, source: str | None = None) -> bool:
        """True for notes whose list items are facts (`[memory] facts`); never one of feedback, nor one that an importer owns."""
        return self._facts.match_file(path) and not self.is_feedback(path) and not _imported(source)

    def is_feedback(self, path: str) -> bool:
        """True for notes that devices keep their votes on facts in: they are counted, not searched."""
        return path.startswith(FEEDBACK)

    def _named(self, name: str, words: str) -> Verdict[str]:
        own = self.canonical(name)
        return Verdict(own, words if own == name else f"{words}; {name} is an alias of {own}")


def _imported(source: str | None) -> bool:
    return source is not None and source.strip().casefold() in IMPORTED


def _tier(rule: PathRule, origin: str) -> _Tier:
    return _Tier(GitIgnoreSpec.from_lines([rule.pattern]), Verdict(rule.tier, f"{origin}: {rule.pattern.lstrip('/')} is tier {rule.tier}"))


def _project(rule: ProjectRule, origin: str) -> _Project:
    name = "the project of that folder's name" if rule.name == "*" else f"project {rule.name}"
    return _Project(GitIgnoreSpec.from_lines([rule.pattern]), rule, f"{origin}: {rule.pattern.lstrip('/')} is {name}")


def _name(rule: ProjectRule, path: str) -> str:
    return path.split("/")[rule.star] if rule.name == "*" and rule.star is not None else rule.name


def _plain(front: str) -> str:
    """`[[Projects/x/CONTEXT|X]]` and `"X"` mean the project X."""
    text = front.strip().strip("\"'").strip()
    if text.startswith("[[") and text.endswith("]]"):
        target, _, alias = text[2:-2].partition("|")
        parts = target.split("/")
        text = alias or (parts[1] if parts[0] == "Projects" and len(parts) > 2 else parts[-1])
    return text.strip()
