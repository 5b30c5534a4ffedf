"""Writing a new fact: whether it is known, which note it goes to, what its line says.

Owns the choice of the note. Must not decide where in the note, or how a line looks: that is `facts`' part.
"""

import re
from collections import Counter
from collections.abc import Callable
from datetime import tzinfo
from zoneinfo import ZoneInfo

from holovault.errors import NotFoundError, StaleError, UsageError
from holovault.facts import append_fact, render_fact
from holovault.lexemes import normal_name
from holovault.memory.known import Known
from holovault.memory.places import placed, stem_of
from holovault.memory.surroundings import Surroundings
from holovault.memory.wording import linked, same_form, sentence, tag_names
from holovault.model import Fact, Remembered, RememberRequest

GENERAL = "General"
"""The category of a fact for which none is named."""

_TRIES = 4
_WILD = re.compile(r"[*?\[]")
_UNFIT = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')
_LONGEST_STEM = 80


class Rememberer:
    """Remembers one fact. `new_id` gives an id that no fact has."""

    def __init__(self, around: Surroundings, known: Known, new_id: Callable[[], str]) -> None:
        self._around = around
        self._known = known
        self._new_id = new_id

    def remember(self, request: RememberRequest) -> Remembered:
        """See `Facts.remember`."""
        text = linked(sentence(request.text), request.entities)
        tags = tag_names(request.tags)
        if request.trust is not None and not 0 <= request.trust <= 1:
            raise UsageError(f"trust is a number from 0 to 1, not {request.trust:g}.")
        facts = self._known.all()
        form = same_form(text)
        there = next((fact for fact in facts if same_form(fact.text) == form), None)
        if there is not None:
            return Remembered(there, known=True)
        path, category = self._place(request, facts)
        name = self._new_id()
        content = render_fact(text, tags=tags, trust=request.trust, created=self._today(), id=name, marker="")
        self._append(path, category, content)
        found = self._known.named(name)
        if not found:
            raise NotFoundError(f"The fact was written into {path} but is not read as one there. Look at that note, and at [memory] facts.")
        return Remembered(found[0], known=False)

    def _append(self, path: str, category: str, content: str) -> None:
        for attempt in range(_TRIES):
            try:
                note = self._around.parts.vault.read(path)
                data, expected = note.data, note.state.hash
                names = {place.line.category.casefold() for place in placed(note)}
            except NotFoundError:
                data, expected, names = b"", None, set[str]()
            # The name of the note is the category of what stands above its first heading.
            under = "" if category.casefold() == stem_of(path).casefold() and "" not in names else category
            try:
                self._around.write(path, append_fact(data, content, under), expected, expected is None)
                return
            except StaleError:
                if attempt == _TRIES - 1:
                    raise

    def _place(self, request: RememberRequest, facts: list[Fact]) -> tuple[str, str]:
        """The note, and the category in it."""
        category = None if request.category is None else " ".join(request.category.split()).strip("# ")
        if category is not None and (not category or len(category) > _LONGEST_STEM):
            raise UsageError(f"A category is a short name of 1 to {_LONGEST_STEM} characters, such as Work.")
        if request.path is not None:
            return self._given(request.path), category or stem_of(request.path)
        wanted = normal_name(category or GENERAL)
        places = Counter((fact.path, fact.category) for fact in facts if normal_name(fact.category) == wanted)
        if places:
            return max(places, key=lambda place: (places[place], place))
        name = category or GENERAL
        return self._given(f"{self._folder()}{_UNFIT.sub('-', name).strip(' .-') or GENERAL}.md"), name

    def _given(self, path: str) -> str:
        if not path.lower().endswith(".md"):
            raise UsageError(f"{path} is no note: name one that ends in .md.")
        front = self._around.store.notes.fronts([path]).get(path)
        if not self._around.parts.rules.is_facts(path, front.source if front else None):
            pattern = self._around.parts.config.memory.facts
            raise UsageError(
                f"{path} is no note of facts: those are {pattern} ([memory] facts in knowledge.toml), imports excepted. "
                "Name another note to write into."
            )
        return path

    def _folder(self) -> str:
        """The folder that the pattern of facts' notes names before its first wildcard."""
        pattern = self._around.parts.config.memory.facts.lstrip("/")
        wild = _WILD.search(pattern)
        return pattern[: pattern.rfind("/", 0, wild.start() if wild else len(pattern)) + 1]

    def _today(self) -> str:
        zone = self._around.parts.config.time.zone
        here: tzinfo | None = ZoneInfo(zone) if zone else None
        return self._around.now().astimezone(here).date().isoformat()
