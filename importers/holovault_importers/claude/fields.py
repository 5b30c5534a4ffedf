"""Reading fields of JSON that may be missing, null or of another type. Pure; nothing raises."""

import json
from typing import Any

MAX_RAW = 20_000


def text_of(value: object, key: str) -> str:
    """A text field; "" for everything else."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def list_of(value: object, key: str) -> list[Any]:
    """A list field, also where it was encoded twice; empty for everything else."""
    found = value.get(key) if isinstance(value, dict) else None
    if isinstance(found, str):
        found = decoded(found)
    return found if isinstance(found, list) else []


def dict_of(value: object, key: str) -> dict[str, Any]:
    """An object field, also where it was encoded twice; empty for everything else."""
    found = value.get(key) if isinstance(value, dict) else None
    if isinstance(found, str):
        found = decoded(found)
    return found if isinstance(found, dict) else {}


def decoded(text: str) -> object:
    """A text that holds JSON once more; None where it does not."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def raw(value: object, longest: int = MAX_RAW) -> str:
    """A value as indented JSON, cut where it is very long; long runs without a space (base64) are left out."""
    try:
        text = json.dumps(_without_blobs(value), ensure_ascii=False, indent=1)
    except (TypeError, ValueError, RecursionError):
        text = "…"
    return text if len(text) <= longest else text[:longest] + f"\n… ({len(text) - longest:,} characters more)"


def _without_blobs(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_blobs(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_blobs(item) for item in value]
    if isinstance(value, str) and is_blob(value):
        return f"({len(value):,} characters of data)"
    return value


def is_blob(text: str) -> bool:
    """Whether a text is encoded data: a thousand characters without white space."""
    return len(text) >= 1000 and not any(char.isspace() for char in text[:1000])
