"""The file knowledge.toml of a vault, as text. Must not understand it."""

from pathlib import Path

from holovault.errors import ConfigError


def read_config(root: Path) -> tuple[str | None, str]:
    """The text of the vault's knowledge.toml (null where there is none) and where it is. Raises ConfigError."""
    path = root / "knowledge.toml"
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except FileNotFoundError:
        return None, str(path)
    except (OSError, UnicodeDecodeError) as fault:
        raise ConfigError(str(path), (f"it cannot be read: {fault}",)) from fault
