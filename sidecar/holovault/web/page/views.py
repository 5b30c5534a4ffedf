"""The table of the page's views below a visit's place. Must not contain behaviour."""

from holovault.web.keys import Handler
from holovault.web.page import entities, facts
from holovault.web.page.status import status_events, status_page

VIEWS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/facts", facts.facts_page),
    ("POST", "/facts", facts.remember),
    ("GET", "/facts/{id}", facts.fact_page),
    ("GET", "/facts/{id}/edit", facts.edit_form),
    ("POST", "/facts/{id}/correct", facts.correct),
    ("POST", "/facts/{id}/feedback", facts.feedback),
    ("POST", "/facts/{id}/forget", facts.forget),
    ("GET", "/entities", entities.entities_page),
    ("GET", "/entities/of", entities.entity_page),
    ("GET", "/entities/reason", entities.reason_page),
    ("GET", "/status", status_page),
    ("GET", "/status/events", status_events),
)
