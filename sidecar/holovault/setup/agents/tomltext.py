"""One table in somebody else's TOML file, everything else as it was. Pure; the library keeps comments and order."""

from collections.abc import Mapping
from typing import Any


def with_entry(text: str, table: str, name: str, entry: Mapping[str, Any]) -> str:
    """`text` with `[table.name]` saying `entry`. Raises ValueError where the text is not TOML or does not survive being read."""
    import tomlkit

    document = _parsed(text)
    servers = document.setdefault(table, tomlkit.table(is_super_table=True))
    if not isinstance(servers, Mapping):
        raise ValueError(f"{table} is not a table")
    made = tomlkit.table()
    for key, value in entry.items():
        made.add(key, value)
    if name in servers:
        servers[name] = made  # type: ignore[index]
    else:
        servers.add(name, made)  # type: ignore[attr-defined]
    return _proven(text, tomlkit.dumps(document), table, name, dict(entry))


def without_entry(text: str, table: str, name: str) -> str:
    """`text` without `[table.name]`; the same text where there is none. Raises ValueError like `with_entry`."""
    import tomlkit

    document = _parsed(text)
    servers = document.get(table)
    if not isinstance(servers, Mapping) or name not in servers:
        return text
    servers.pop(name)  # type: ignore[attr-defined]
    if not servers:
        document.pop(table)
    after = tomlkit.dumps(document)
    # The blank line that came before the table.
    after = after[:-1] if after.endswith("\n\n") and not text.endswith("\n\n") else after
    return _proven(text, after, table, name, None)


def entries(text: str, table: str) -> dict[str, Any]:
    """The entries of a table as plain values; empty where there is none. Raises ValueError like `with_entry`."""
    found = _parsed(text).unwrap().get(table, {})
    if not isinstance(found, dict):
        raise ValueError(f"{table} is not a table")
    return found


def _parsed(text: str) -> Any:
    import tomlkit

    document = tomlkit.parse(text)
    if tomlkit.dumps(document) != text:
        raise ValueError("the text does not survive being read")
    return document


def _proven(before: str, after: str, table: str, name: str, entry: dict[str, Any] | None) -> str:
    old, new = _parsed(before).unwrap(), _parsed(after).unwrap()
    mine = new.get(table, {}).pop(name, None)
    old.get(table, {}).pop(name, None)
    if mine != entry or {key: value for key, value in old.items() if value} != {key: value for key, value in new.items() if value}:
        raise ValueError("it cannot be changed without changing something else")
    return after
