"""Sessions of Claude Code. `IMPORTER` is what the command line finds."""

from holovault_importers.claude_code.source import ClaudeCodeSource
from holovault_importers.importer import Importer

IMPORTER = Importer(ClaudeCodeSource())

__all__ = ["IMPORTER", "ClaudeCodeSource"]
