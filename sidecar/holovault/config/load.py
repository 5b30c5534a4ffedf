"""From the text of knowledge.toml to a `Config`, with every problem at once.

Owns the walk over the parsed tables and the sentences about what is wrong, each with file and line. What a
key may be is declared in `values`. Must not read files, and never repeats the value of a key that looks like
a secret.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from holovault.config.checks import NAME, Check, Refused, kind, shown
from holovault.config.lines import Lines, Place
from holovault.config.values import (
    LISTS,
    PATTERNS,
    TABLES,
    Config,
    DaemonConfig,
    EmbeddingConfig,
    MemoryConfig,
    PathRule,
    ProjectAlias,
    ProjectRule,
    SearchConfig,
    TimeConfig,
    Topic,
    VaultConfig,
    Weights,
    keys_of,
)
from holovault.errors import ConfigError

MAX_CHARS = 1_000_000
"""A longer text is no configuration."""

_TOP = ("vault", "search", "embedding", "tiers", "projects", "topics", "time", "daemon", "memory")
_SUBTABLES: Mapping[str, tuple[str, ...]] = {"search": ("weights",), "projects": ("rules", "aliases")}
_SECRET = re.compile(r"api_?-?key|token|passw|secret|bearer|credential", re.IGNORECASE)
T = TypeVar("T")


def load_config(text: str | None, source: str) -> Config:
    """The configuration in `text` (None: there is no file), named `source` in messages.

    Raises ConfigError that holds every problem in the order of the lines.
    """
    if text is None:
        return Config()
    name = source.replace("\\", "/").rpartition("/")[2]
    text = text.removeprefix("\ufeff")
    reader = _Reader(_parse(text, source, name), Lines(text))
    config = reader.config()
    if reader.problems:
        raise ConfigError(
            source, tuple(f"{name} line {line}: {words}" for line, words in sorted(reader.problems, key=lambda item: item[0]))
        )
    return config


def _parse(text: str, source: str, name: str) -> dict[str, Any]:
    if len(text) > MAX_CHARS:
        raise ConfigError(source, (f"{name} line 1: has more than {MAX_CHARS:,} characters and is not read",))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(source, (f"{name} line 1: has brackets too deep inside each other",)) from None
    except ValueError as error:  # TOMLDecodeError, and int() of thousands of digits
        raise ConfigError(source, (_syntax(text, name, str(error)),)) from None


def _syntax(text: str, name: str, error: str) -> str:
    found = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$", error)
    words = error[: found.start()] if found else error
    line = int(found[1]) if found and found[1] else (text.rstrip().count("\n") + 1 if found else 1)
    return f"{name} line {line}: is not TOML: {words[:1].lower()}{words[1:]}"


class _Reader:
    """One pass over the tables. Defaults stand in for what is wrong, so that nothing hides behind the first problem."""

    def __init__(self, raw: dict[str, Any], lines: Lines) -> None:
        self._raw = raw
        self._lines = lines
        self.problems: list[tuple[int, str]] = []

    def config(self) -> Config:
        for key in self._raw:
            if key not in _TOP:
                self._unknown_table(key)
        weights = self._made(Weights, "search.weights")
        if not any((weights.fts, weights.jaccard, weights.hrr, weights.semantic)):
            self._problem(("search", "weights"), "[search.weights] leaves no lane a weight above 0")
        return Config(
            vault=self._made(VaultConfig, "vault"),
            search=self._made(SearchConfig, "search", weights=weights),
            embedding=self._embedding(),
            tiers=self._list("tiers", lambda values: PathRule(values["path"], values["tier"])),
            projects=self._projects(),
            project_aliases=self._aliases(),
            topics=self._topics(),
            time=self._made(TimeConfig, "time"),
            daemon=self._made(DaemonConfig, "daemon"),
            memory=self._made(MemoryConfig, "memory"),
        )

    def _problem(self, place: Place, words: str) -> None:
        self.problems.append((self._lines.of(place), words))

    def _table(self, *place: str) -> dict[str, Any]:
        """The raw table at a place; empty where there is none, or a problem where something else is."""
        table = self._raw
        for size, name in enumerate(place, 1):
            found: object = table.get(name, {})
            if not isinstance(found, dict):
                if size == len(place):
                    self._problem(place, f"[{'.'.join(place)}] must be a table, not {kind(found)}")
                return {}
            table = found
        return table

    def _made(self, made: Callable[..., T], name: str, **more: object) -> T:
        place = tuple(name.split("."))
        checks = keys_of(name)
        values: dict[str, object] = {}
        for key, value in self._table(*place).items():
            if key in checks:
                self._keep(values, checks[key], (*place, key), value)
            elif key not in _SUBTABLES.get(name, ()):
                self._unknown_key(place, key, f"[{name}]", (*checks, *_SUBTABLES.get(name, ())))
        return made(**values, **more)

    def _keep(self, values: dict[str, object], check: Check, place: Place, value: object) -> None:
        try:
            values[str(place[-1])] = check(value)
        except Refused as refused:
            self._problem(place if refused.entry is None else (*place, refused.entry), f"`{place[-1]}` {refused}")

    def _embedding(self) -> EmbeddingConfig:
        made = self._made(EmbeddingConfig, "embedding")
        raw = self._table_quietly("embedding")
        if made.provider == "openai":
            for key in ("base_url", "model"):
                if key not in raw:
                    self._problem(("embedding", "provider"), f'`provider` "openai" needs `{key}` in [embedding] as well')
        if made.refine and made.provider != "bundled":
            self._problem(("embedding", "refine"), '`refine` works behind `provider` "bundled" only; make the better model the `provider`')
        return made

    def _table_quietly(self, name: str) -> dict[str, Any]:
        table = self._raw.get(name)
        return table if isinstance(table, dict) else {}

    def _list(self, name: str, made: Callable[[dict[str, Any]], T]) -> tuple[T, ...]:
        place: Place = tuple(name.split("."))
        entries: Any = self._raw if len(place) == 1 else self._table_quietly(str(place[0]))
        entries = entries.get(place[-1], [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self._problem(place, f"rules are written as [[{name}]], each with {_and(LISTS[name])}")
            return ()
        kept = (self._entry(name, (*place, index), entry) for index, entry in enumerate(entries))
        return tuple(made(values) for values in kept if values is not None)

    def _entry(self, name: str, place: Place, entry: dict[str, Any]) -> dict[str, Any] | None:
        values: dict[str, Any] = {}
        for key, value in entry.items():
            if key in LISTS[name]:
                self._keep(values, LISTS[name][key][0], (*place, key), value)
            else:
                self._unknown_key(place, key, f"[[{name}]]", LISTS[name])
        for key in LISTS[name]:
            if key not in entry:
                self._problem(place, f"[[{name}]] needs `{key}`")
        return values if len(values) == len(LISTS[name]) else None

    def _projects(self) -> tuple[ProjectRule, ...]:
        for key in self._projects_table():
            if key not in _SUBTABLES["projects"]:
                self._unknown_key(("projects",), key, "[projects]", _SUBTABLES["projects"])
        rules = self._list("projects.rules", lambda values: ProjectRule(values["path"], values["name"]))
        for rule in rules:
            if rule.name == "*" and rule.star is None:
                words = f'`name` "*" needs one folder written "*" in the path, such as "Work/*/**", not "{shown(rule.pattern)}"'
                self._problem(("projects", "rules", rules.index(rule), "name"), words)
        return rules

    def _projects_table(self) -> dict[str, Any]:
        if isinstance(self._raw.get("projects"), list):
            self._problem(("projects",), "rules of projects are written as [[projects.rules]], each with `path` and `name`")
            return {}
        return self._table("projects")

    def _aliases(self) -> tuple[ProjectAlias, ...]:
        if not isinstance(self._raw.get("projects", {}), dict):
            return ()
        kept: dict[str, object] = {}
        for alias, project in self._table("projects", "aliases").items():
            place = ("projects", "aliases", alias)
            self._keep(kept, NAME, place, project)
            if not alias.strip():
                self._problem(place, "an alias in [projects.aliases] cannot be empty")
        self._check_aliases({alias: str(project) for alias, project in kept.items()})
        return tuple(ProjectAlias(alias, str(project)) for alias, project in kept.items())

    def _topics(self) -> tuple[Topic, ...]:
        kept: dict[str, Any] = {}
        for name, patterns in self._table("topics").items():
            place = ("topics", name)
            self._keep(kept, PATTERNS, place, patterns)
            if not name.strip():
                self._problem(place, "a topic in [topics] cannot be without a name")
            elif kept.get(name) == ():
                self._problem(place, f"`{name}` needs at least one word")
        return tuple(Topic(name, patterns) for name, patterns in kept.items())

    def _check_aliases(self, aliases: Mapping[str, str]) -> None:
        seen: dict[str, str] = {}
        for alias, project in aliases.items():
            place = ("projects", "aliases", alias)
            if alias.casefold() in seen:
                self._problem(place, f"`{alias}` and `{seen[alias.casefold()]}` are one alias: case does not count")
            seen.setdefault(alias.casefold(), alias)
            if project.casefold() in {other.casefold() for other in aliases} and project.casefold() != alias.casefold():
                self._problem(place, f'`{alias}` leads to "{shown(project)}", which is an alias itself; name the project')

    def _unknown_table(self, key: str) -> None:
        owners = _owners(key)
        if isinstance(self._raw[key], dict | list) and not owners:
            self._problem((key,), f"unknown table [{key}]" + _guess(key, _TOP, "[{}]"))
        elif _SECRET.search(key):
            self._secret((key,), key, "knowledge.toml")
        elif owners:
            self._problem((key,), f"`{key}` must stand below [{owners[0]}]")
        else:
            self._problem((key,), f"unknown key `{key}` outside of every table" + _guess(key, _TOP, "[{}]"))

    def _unknown_key(self, place: Place, key: str, table: str, known: Iterable[str]) -> None:
        known = tuple(known)
        guess = _guess(key, known, "`{}`")
        owners = _owners(key)
        if _SECRET.search(key) and not key.endswith("_env"):
            self._secret((*place, key), key, table)
        elif not guess and owners:
            self._problem((*place, key), f"unknown key `{key}` in {table}; it belongs in [{owners[0]}]")
        else:
            self._problem((*place, key), f"unknown key `{key}` in {table}" + (guess or f"; known are {_and(known)}"))

    def _secret(self, place: Place, key: str, table: str) -> None:
        words = f"`{key}` in {table} would put a secret into the vault, which sync services copy; "
        self._problem(place, words + 'set an environment variable and name it in [embedding]: api_key_env = "OPENAI_API_KEY"')


def _owners(key: str) -> list[str]:
    return [table for table in TABLES if key in keys_of(table)]


def _guess(key: str, known: Iterable[str], form: str) -> str:
    close = difflib.get_close_matches(key.lower().replace("-", "_"), tuple(known), n=1, cutoff=0.6)
    return f"; did you mean {form.format(close[0])}?" if close else ""


def _and(names: Iterable[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
