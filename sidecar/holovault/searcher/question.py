"""A query made ready for the lanes: its words weighed, an unfinished last word finished.

Owns what each word asked may be found as, and what to offer when it is found nowhere. Must not search.
"""

from dataclasses import dataclass

from holovault.lexemes import Analyzer, fold
from holovault.query import Query, parse
from holovault.searcher.words import Words
from holovault.store import Store

FINISHINGS = 20
"""Stems that an unfinished word may become."""


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed query with its words as this vault knows them. `terms` are what the lexical lane looks for."""

    query: Query
    words: Words

    @property
    def terms(self) -> tuple[str, ...]:
        """Every form of every word, without duplicates, as typed first."""
        return tuple(dict.fromkeys(form for word in self.words.asked for form in word.forms))

    @property
    def masses(self) -> dict[str, float]:
        """The idf of each term."""
        return {form: word.mass for word in self.words.asked for form in word.forms}

    @property
    def verified(self) -> bool:
        """Whether candidates have to be read to know if they answer."""
        return bool(self.query.phrases or self.query.excluded)


def ask(text: str, analyzer: Analyzer, store: Store) -> Question:
    """Parse and weigh. A last word that the vault does not have, and that may not be finished, may be any word that begins so."""
    query = parse(text, analyzer)
    frequency = dict(store.lexical.document_frequency(query.terms))
    unfinished = _unfinished(query, analyzer)
    finished = (
        tuple(store.lexical.expand_prefix(query.prefix, FINISHINGS))
        if query.prefix and unfinished and not frequency.get(unfinished)
        else ()
    )
    if finished:
        frequency |= store.lexical.document_frequency(finished)
    forms = [(term, *finished) if term == unfinished else (term,) for term in query.terms]
    return Question(query, Words.weigh(forms, frequency, store.lexical.total()))


def suggestion(question: Question, analyzer: Analyzer, store: Store) -> str | None:
    """The query with each word that the vault does not have replaced by the most similar one it has; None where there is none."""
    unknown = {form for word in question.words.asked if not word.known for form in word.forms}
    words, text = question.query.words, question.query.text
    for term in analyzer.analyze(words):
        typed = words[term.start : term.end]
        if term.term in unknown and (better := store.lexical.suggest(fold(typed))):
            text = text.replace(typed, better, 1)
    return text if text != question.query.text else None


def _unfinished(query: Query, analyzer: Analyzer) -> str | None:
    """The term of the word that is still being typed; None where it is a function word or not asked for."""
    terms = analyzer.analyze(query.prefix) if query.prefix else []
    return terms[0].term if terms and terms[0].term in query.terms else None
