"""What a passage states: links, tags, properties, headings, title, folders, and the names that its text mentions.

Pure: from a read and cut note to fillers. Owns where a filler comes from and which words are names. Must not know what a name
means in the vault (the store does), and must not compose vectors.
"""

from holovault.entities.fillers import VERSION, fillers_of, of_project

__all__ = ["VERSION", "fillers_of", "of_project"]
