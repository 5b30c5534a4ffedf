"""Exports of ChatGPT. `IMPORTER` is what the command line finds."""

from holovault_importers.chatgpt.source import ChatGptSource
from holovault_importers.importer import Importer

IMPORTER = Importer(ChatGptSource())

__all__ = ["IMPORTER", "ChatGptSource"]
