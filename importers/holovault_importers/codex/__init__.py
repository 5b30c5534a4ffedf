"""Sessions of Codex. `IMPORTER` is what the command line finds."""

from holovault_importers.codex.source import CodexSource
from holovault_importers.importer import Importer

IMPORTER = Importer(CodexSource())

__all__ = ["IMPORTER", "CodexSource"]
