"""Identities of facts: new block ids, and the stand-in of a fact that has none.

Must not know where randomness comes from; it is handed in.
"""

import hashlib
from collections.abc import Callable, Container

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""32 characters (Crockford's base 32 in lower case): no `i`, `l`, `o`, `u`, so an id can be read out and typed."""

LENGTH = 4
DERIVED = "_"
"""First character of a derived id; no block id can contain it."""

_TRIES = 24


def new_id(below: Callable[[int], int], taken: Container[str]) -> str:
    """A block id that is not in `taken`, such as `k3f9`; longer where short ones are mostly used up.

    `below(n)` gives a random whole number from 0 to n − 1 (`secrets.randbelow`).
    """
    length = LENGTH
    while True:
        for _ in range(_TRIES):
            made = "".join(ALPHABET[below(32)] for _ in range(length))
            if made not in taken and not made.isdigit():
                return made
        length += 1


def derived_id(text: str) -> str:
    """The id under which a fact without a block id is read: `_` and 50 bits of the SHA-256 of its text, white space apart.

    It follows the text to another file and ends when the text changes; two facts with the same text share it.
    """
    digest = int.from_bytes(hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return DERIVED + "".join(ALPHABET[digest >> shift & 31] for shift in range(0, 50, 5))


def is_derived(name: str) -> bool:
    """Whether an id is no block id but derived from a text."""
    return name.startswith(DERIVED)
