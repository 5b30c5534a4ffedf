"""The command line: the only part that prints. Every command asks the facade that all surfaces ask."""

from holovault.cli.entry import main

__all__ = ["main"]
