"""Holovault: search of a Markdown vault by words and by meaning, with an address for every answer."""

__version__ = "0.1.0"
