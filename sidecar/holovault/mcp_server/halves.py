r"""Halves of characters in a message: `\ud83d` without its other half, as from a text that was cut inside an emoji.

Owns their replacement by U+FFFD, the character that stands for what is no character. A message with one is no JSON to the SDK, which
then drops it in silence: the agent would wait for an answer for ever. Pure.
"""

import re

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def mended(line: bytes) -> bytes:
    """One line of JSON without halves; every other byte as it was."""
    if b"\\ud" not in line.lower():
        return line
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found[0], line)
