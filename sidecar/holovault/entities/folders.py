"""What a path says: the folders that hold a note, a person's and a project's.

Owns the names of folders that hold people or projects.
"""

_PEOPLE_WORDS = """
people person persons contacts colleagues люди контакты персоны коллеги personen leute kontakte menschen personnes gens personas gente
contactos persone osoby ludzie 人物 人 人们 사람
"""
_PEOPLE = frozenset(_PEOPLE_WORDS.split())
_PROJECT_WORDS = "projects проекты projekte projets proyectos progetti projekty 项目 プロジェクト 프로젝트"
_PROJECTS = frozenset(_PROJECT_WORDS.split())
_DEEPEST = 16


def folders_of(path: str) -> tuple[str, ...]:
    """Every folder that holds the note, as a path, the nearest first."""
    parts = path.split("/")[:-1][:_DEEPEST]
    return tuple("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))


def person_of(path: str, title: str) -> str | None:
    """Whom a note in a folder of people is about: `People/Anna/diary.md` is about Anna, `People/Anna.md` about who its title says."""
    return _inside(path, _PEOPLE, title)


def project_of(path: str) -> str | None:
    """The project whose folder holds the note."""
    return _inside(path, _PROJECTS, None)


def _inside(path: str, holders: frozenset[str], direct: str | None) -> str | None:
    parts = path.split("/")
    for place, part in enumerate(parts[:-1]):
        if part.strip().casefold() in holders:
            return parts[place + 1] if place + 2 < len(parts) else direct
    return None
