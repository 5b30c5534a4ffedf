"""Facts in Markdown: list items of a facts note, their fields and ids, and feedback on them.

Owns how a fact is read from a line, written as a line, changed inside a file to the byte, and what feedback makes of its
trust. Pure: text and bytes in, values out; must not know files, clocks or rows.
"""

from holovault.facts.editing import add_id, edit_field, edit_text, fact_at, remove_fact
from holovault.facts.feedback import (
    COUNTED,
    counted,
    counted_text,
    device_of,
    feedback_line,
    parse_feedback,
    trust_after,
    trust_of_line,
)
from holovault.facts.ids import derived_id, is_derived, new_id
from holovault.facts.placing import append_fact
from holovault.facts.reading import parse_facts
from holovault.facts.rendering import number, render_fact

__all__ = [
    "COUNTED",
    "add_id",
    "append_fact",
    "counted",
    "counted_text",
    "derived_id",
    "device_of",
    "edit_field",
    "edit_text",
    "fact_at",
    "feedback_line",
    "is_derived",
    "new_id",
    "number",
    "parse_facts",
    "parse_feedback",
    "remove_fact",
    "render_fact",
    "trust_after",
    "trust_of_line",
]
