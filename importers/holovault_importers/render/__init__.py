"""From values to notes: pure, one module for each kind of note."""

from holovault_importers.render.notes import Options, Renderer

__all__ = ["Options", "Renderer"]
