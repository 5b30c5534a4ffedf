"""Items as drafts: which notes an item becomes, where they go, and their front matter. Pure.

Owns the layout of the vault below `Memory`, `Projects`, `Topics`, `Artifacts`, `Chats` and `Code`. Names that depend on what is in the
vault already (a project's folder, a link to an artifact) come from a `Where`, which is handed in.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from holovault_importers.drafts import LAYOUT, Draft, Section, Value, joined, key_of
from holovault_importers.names import name_of, note_path, short_id
from holovault_importers.prose import fenced, inline
from holovault_importers.render.chats import chat_drafts, place_of, tools_draft
from holovault_importers.render.memory import memory_sections, memory_target
from holovault_importers.render.messages import Style, Teller
from holovault_importers.safety import one_line, trimmed
from holovault_importers.values import (
    AccountMemory,
    Artifact,
    Contents,
    Conversation,
    MemoryFile,
    Project,
    ProjectDoc,
    Published,
)

Rendered = Conversation | Project | AccountMemory | MemoryFile | Published


class Where(Protocol):
    """What is decided already about names in this vault."""

    def project(self, identity: str, name: str) -> str:
        """The folder of a project, below the vault."""

    def link(self, key: str, path: str) -> str:
        """The path by which links name the note with this key; `path` where it is new."""


@dataclass(frozen=True, slots=True)
class Options:
    """What decides how notes look. `profile` is the note that agents read first."""

    style: Style = field(default_factory=Style)
    artifacts: bool = True
    profile: str = "Memory/profile.md"


class Renderer:
    """Turns items into drafts, counting into `contents`."""

    def __init__(self, options: Options, where: Where, contents: Contents) -> None:
        self._options = options
        self._where = where
        self._contents = contents

    def drafts(self, item: Rendered) -> Iterator[Draft]:
        """The notes that an item becomes."""
        match item:
            case Conversation():
                yield from self._conversation(item)
            case Project():
                yield from self._project(item)
            case AccountMemory():
                yield from self._account(item)
            case MemoryFile():
                yield self._memory_file(item)
            case Published():
                yield self._published(item)

    def _teller(self) -> Teller:
        return Teller(self._options.style, self._contents)

    def _conversation(self, talk: Conversation) -> Iterator[Draft]:
        is_code = talk.kind == "code-session"
        teller = self._teller()
        if is_code and teller.style.redact is None:
            teller.style = replace(teller.style, redact=True)  # files and commands are quoted everywhere in a session
        talk = replace(talk, title=teller.secret_free(talk.title, count=False))
        folder = f"Code/{name_of(talk.project.name if talk.project else '', 'Other')}" if is_code else "Chats"
        place = place_of(talk, folder, by_year=not is_code)
        made = list(self._artifacts(talk, place.path())) if self._options.artifacts else []
        links = {artifact.id: self._where.link(draft.key, draft.path).removesuffix(".md") for artifact, draft in made}
        teller.link = lambda key, title: f"[[{links[key]}|{_link_text(title)}]]" if key in links else f"**{inline(title)}**"
        front = self._chat_front(talk, tuple(f"[[{link}]]" for link in links.values()))
        yield from chat_drafts(talk, place, teller, front)
        yield from (draft for _, draft in made)
        if self._options.style.tools == "full" and (tools := tools_draft(talk, place, teller, front)):
            yield tools
        self._contents.add("artifacts", len(talk.artifacts))

    def _chat_front(self, talk: Conversation, artifacts: tuple[str, ...]) -> tuple[tuple[str, Value], ...]:
        title = one_line(talk.title)
        front: list[tuple[str, Value]] = [*_identity(title or "Untitled", talk.kind, talk.source, talk.id)]
        front += [("source_url", talk.url)] if talk.url else []
        front += _dates(talk.created, talk.updated)
        if talk.project is not None and talk.project.name:
            front.append(("project", one_line(talk.project.name)))
        front.append(("messages", len(talk.messages)))
        front += [("branches", 1 + len(talk.branches))] if talk.branches else []
        front += [("artifacts", artifacts)] if artifacts else []
        return (*front, ("tags", (f"imported/{_tag(talk.source)}",)), ("importer", LAYOUT))

    def _artifacts(self, talk: Conversation, chat: str) -> Iterator[tuple[Artifact, Draft]]:
        folder = f"Artifacts/{name_of(talk.title, longest=60)} ({short_id(talk.id)})"
        taken: dict[str, int] = {}
        for artifact in talk.artifacts:
            name = name_of(artifact.title.removesuffix(".md"), longest=50)
            taken[name.casefold()] = number = taken.get(name.casefold(), 0) + 1
            path = note_path(folder, name, f" {number}" if number > 1 else "")
            key = key_of(talk.source, "artifact", f"{talk.id}:{artifact.id}")
            front: list[tuple[str, Value]] = [*_identity(one_line(artifact.title), "artifact", talk.source, f"{talk.id}:{artifact.id}")]
            front += _dates(talk.created, talk.updated)
            front += [("chat", f"[[{chat.removesuffix('.md')}]]"), ("versions", artifact.versions)]
            front += [("partial", True)] if artifact.partial else []
            front += [("tags", (f"imported/{_tag(talk.source)}",)), ("importer", LAYOUT)]
            yield artifact, _single(key, "artifact", path, front, artifact.title, _code(artifact), talk.updated)

    def _project(self, project: Project) -> Iterator[Draft]:
        folder = self._where.project(project.id, project.name)
        if not folder:
            return
        title = one_line(project.name) or "Untitled"
        teller = self._teller()
        pieces = [joined((f"## {name}", memory_sections(teller.secret_free(text), 3))) for name, text in _texts(project) if text.strip()]
        if project.docs:
            pieces.append(joined(("## Documents", "\n".join(_doc_line(doc) for doc in project.docs))))
        front = [*_identity(title, "project", f"{project.source} project", project.id), *_dates(project.created, project.updated)]
        front += [("tags", (f"imported/{_tag(project.source)}",)), ("importer", LAYOUT)]
        key = key_of(f"{project.source} project", "project", project.id)
        yield _single(key, "project", f"{folder}/CONTEXT.md", front, title, joined(pieces), project.updated)
        for doc in project.docs:
            if doc.text is not None:
                yield self._doc(project, doc, folder)

    def _doc(self, project: Project, doc: ProjectDoc, folder: str) -> Draft:
        base = posixpath.basename(doc.name.replace("\\", "/")) or "document"
        source = f"{project.source} project"
        front = [*_identity(one_line(base), "project-doc", source, doc.id), *_dates(doc.created, None), ("project", one_line(project.name))]
        front += [("tags", (f"imported/{_tag(project.source)}",)), ("importer", LAYOUT)]
        stem, ending = posixpath.splitext(base)
        is_text = ending.lower() in ("", ".md", ".txt", ".markdown", ".pdf", ".docx", ".rst")
        text = self._teller().secret_free(doc.text or "")
        body = memory_sections(text) if is_text else fenced(text, ending[1:].lower())
        name = name_of(stem if ending.lower() == ".md" else base)
        return _single(
            key_of(source, "project-doc", doc.id), "project-doc", note_path(f"{folder}/docs", name), front, base, body, project.updated
        )

    def _account(self, memory: AccountMemory) -> Iterator[Draft]:
        source = f"{memory.source} memory"
        text = self._teller().secret_free(memory.text)
        for name, title, path, body in memory_target(text, self._options.profile):
            front = [*_identity(title, "memory", source, f"{memory.id}:{name}")]
            front += [("tags", (f"imported/{_tag(memory.source)}",)), ("importer", LAYOUT)]
            yield _single(key_of(source, "memory", f"{memory.id}:{name}"), "memory", path, front, title, body, None)

    def _memory_file(self, file: MemoryFile) -> Draft:
        source = f"{file.source} memory"
        parts = [name_of(part) for part in file.path.split("/") if part.strip(". ")]
        stem = (parts[-1] if parts else "memory").removesuffix(".md")
        top = "Topics" if len(parts) > 1 and parts[0].casefold() == "topics" else "Memory"
        inner = parts[1:-1] if top == "Topics" else parts[:-1]
        title = one_line(posixpath.basename(file.path).removesuffix(".md")) or "memory"
        front = [*_identity(title, "memory", source, file.id), *_dates(None, file.updated)]
        front += [("tags", (f"imported/{_tag(file.source)}",)), ("importer", LAYOUT)]
        text = self._teller().secret_free(file.text)
        has_title = text.lstrip().startswith("# ")
        body = memory_sections(text, 1 if has_title else 2)
        path = note_path("/".join((top, *inner)), stem)
        return _single(key_of(source, "memory", file.id), "memory", path, front, "" if has_title else title, body, file.updated)

    def _published(self, page: Published) -> Draft:
        front = [*_identity(one_line(page.title) or "Untitled", "artifact", page.source, page.id), *_dates(None, page.updated)]
        front += [("versions", page.versions), ("tags", (f"imported/{_tag(page.source)}",)), ("importer", LAYOUT)]
        path = note_path("Artifacts", name_of(page.title), f" ({short_id(page.id)})")
        return _single(
            key_of(page.source, "artifact", page.id), "artifact", path, front, page.title, fenced(page.text, "html"), page.updated
        )


def _identity(title: str, kind: str, source: str, identity: str) -> tuple[tuple[str, Value], ...]:
    return (("title", title), ("type", kind), ("source", source), ("source_id", trimmed(identity)))


def _dates(created: str | None, updated: str | None) -> list[tuple[str, Value]]:
    return [(name, moment) for name, moment in (("created", created), ("updated", updated)) if moment]


def _single(key: str, kind: str, path: str, front: list[tuple[str, Value]], title: str, body: str, updated: str | None) -> Draft:
    """A note of one piece: whatever changes in it, all of it is new."""
    head = f"# {inline(title) or 'Untitled'}" if title else ""
    return Draft(key, kind, path, tuple(front), head, (Section("all", body),), updated)


def _texts(project: Project) -> tuple[tuple[str, str], ...]:
    return (("Description", project.description), ("Instructions", project.instructions), ("Memory", project.memory))


def _doc_line(doc: ProjectDoc) -> str:
    return f"- {inline(doc.name) or 'document'}" + (" (its text is not in the export)" if doc.text is None else "")


def _code(artifact: Artifact) -> str:
    ending = posixpath.splitext(artifact.title)[1].lower() or posixpath.splitext(artifact.id)[1].lower()
    if artifact.kind == "text/markdown" or ending in (".md", ".markdown"):
        return memory_sections(artifact.text)
    kinds = {"text/html": "html", "image/svg+xml": "svg", "application/vnd.ant.react": "jsx", "application/vnd.ant.mermaid": "mermaid"}
    return fenced(artifact.text, artifact.language or kinds.get(artifact.kind) or ending[1:])


def _link_text(title: str) -> str:
    return one_line(title).replace("|", " ").replace("[", " ").replace("]", " ").strip() or "artifact"


def _tag(source: str) -> str:
    return source.partition(".")[0]
