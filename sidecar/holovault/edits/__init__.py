"""Changing a note's bytes: what is not part of the change stays as it is, byte for byte.

Owns what an edit and an append mean. Pure: bytes and a change in, bytes out. Must not read or write files, and must not decide
whether a change may be made: `vault` compares hashes.

What a change has to bring. Replacing a whole note takes the hash that was read, because the new text says nothing about what it
throws away. An edit brings the old text itself: it is refused unless that text stands there as often as was said, so it can only
remove what its author has seen. An append removes nothing. Both may therefore come without a hash, and a hash that comes with them
is held to like that of a replacement.
"""

from holovault.edits.change import Edited, changed
from holovault.edits.differences import difference

__all__ = ["Edited", "changed", "difference"]
