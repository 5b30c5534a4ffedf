"""Whether a vault speaks the language of a question."""

from pathlib import Path

import pytest

from holovault.lexemes import Analyzer
from holovault.searcher.tongue import spoken_here
from tests.support.searching import desk

ENGLISH = {"a.md": "The garden of the house and the cat.", "b.md": "The salary is paid at the end of the month."}
RUSSIAN = {"a.md": "Огород за домом и кот на крыше.", "b.md": "Зарплата приходит в конце месяца и не раньше."}


@pytest.mark.parametrize(
    ("notes", "question", "spoken"),
    [
        (ENGLISH, "how do I grow the tomatoes", True),
        (ENGLISH, "quantum chromodynamics", True),
        (ENGLISH, "как вырастить помидоры", False),
        (ENGLISH, "хромодинамика", False),
        (RUSSIAN, "лечение гриппа у детей", True),
        (RUSSIAN, "хромодинамика", True),
        (RUSSIAN, "how do I grow the tomatoes", False),
        (RUSSIAN, "quantum chromodynamics", False),
        (RUSSIAN | {"c.md": ENGLISH["a.md"]}, "quantum chromodynamics", True),
        (ENGLISH, "芯片", True),
        (ENGLISH, "2026", True),
        (ENGLISH, "", True),
    ],
)
def test_function_words_tell_whether_a_vault_has_the_language(tmp_path: Path, notes: dict[str, str], question: str, spoken: bool) -> None:
    with desk(tmp_path, notes) as vault:
        assert spoken_here(question, Analyzer(), vault.store) is spoken
