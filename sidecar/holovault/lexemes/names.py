"""The normal form of a name: what makes two spellings the same name.

Owns that one rule, for entities, tags, headings and atoms alike. Must not stem: inflected forms are told apart
here and brought together, with a margin, by whoever resolves names.
"""

from holovault.lexemes.folding import fold


def normal_name(name: str) -> str:
    """The name folded as words are, with its white space collapsed; "" for a name without a visible character."""
    return " ".join(fold(name).split())
