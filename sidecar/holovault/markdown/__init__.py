"""Markdown as structure with line numbers: front matter, blocks, links, tags, comments.

Owns how a note's text is read. Pure: text in, values out; must not know chunks, words or files.
"""

from holovault.markdown.blocks import Block, BlockKind
from holovault.markdown.document import BlockId, Document, parse
from holovault.markdown.front import Front, parse_front_matter
from holovault.markdown.opaque import Span
from holovault.markdown.text import decode, split_lines

__all__ = ["Block", "BlockId", "BlockKind", "Document", "Front", "Span", "decode", "parse", "parse_front_matter", "split_lines"]
