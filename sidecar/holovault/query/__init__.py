"""Queries: what people type, understood without ever being refused, and the passage that answers it.

Owns the query language, exact phrases and excerpts. Must not know the index, scores or a clock.
"""

from holovault.query.excerpt import Excerpt, best_excerpt
from holovault.query.parser import parse
from holovault.query.phrase import phrase_in
from holovault.query.values import FactConditions, Filters, Property, Query

__all__ = ["Excerpt", "FactConditions", "Filters", "Property", "Query", "best_excerpt", "parse", "phrase_in"]
