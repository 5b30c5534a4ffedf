"""Exports of Claude.ai, in all their packagings. `IMPORTER` is what the command line finds."""

from holovault_importers.claude.source import ClaudeSource
from holovault_importers.importer import Importer

IMPORTER = Importer(ClaudeSource())

__all__ = ["IMPORTER", "ClaudeSource"]
