"""The page that a person opens in a browser: facts, entities and the state of the index.

Owns HTML, its visits and its own files. Everything shown is rendered by Jinja2 with escaping always on; what htmx adds is convenience,
every link and form works without it. Must not decide anything about notes, facts or ranking: it asks the engine as `/v1` does.
"""

from holovault.web.page.door import PAGE, is_public, is_visit, refusal
from holovault.web.page.routes import add_page
from holovault.web.page.visits import CODE_S

__all__ = ["CODE_S", "PAGE", "add_page", "is_public", "is_visit", "refusal"]
