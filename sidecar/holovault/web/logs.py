"""The daemon's log: JSON lines in rotating files. Must not be told note text, queries or tokens; nobody here looks for them."""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

import msgspec

LIMIT = 5_000_000
FILES = 5


@dataclass(frozen=True, slots=True)
class _Line:
    time: str
    level: str
    logger: str
    message: str
    trace: str | None = None


class JsonLines(logging.Formatter):
    """One record as one line of JSON, the time in RFC 3339 UTC."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line = _Line(
            time=datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            level=record.levelname.lower(),
            logger=record.name,
            message=_clean(record.getMessage()),
            trace=_clean(self.formatException(record.exc_info)) if record.exc_info else None,
        )
        return msgspec.json.encode(line).decode("utf-8")


def log_to(folder: Path, key: str, level: int = logging.INFO) -> logging.Handler:
    """Sends this process's log to `folder`/daemon-`key`.jsonl, five files of 5 MB at most; returns the handler to close."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = RotatingFileHandler(folder / f"daemon-{key}.jsonl", maxBytes=LIMIT, backupCount=FILES - 1, encoding="utf-8", delay=True)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    return handler


def _clean(text: str) -> str:
    # A file name that is not Unicode reaches a message as lone surrogates.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
