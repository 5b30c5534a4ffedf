"""Hashes of text, in one spelling. Must not hash files: `vault` hashes what it read."""

import hashlib


def text_hash(text: str) -> str:
    """SHA-256 of the UTF-8 text, lower-case hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
