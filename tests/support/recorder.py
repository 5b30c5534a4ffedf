"""A runner that runs nothing: it remembers what it was asked and answers as a test says."""

from collections.abc import Mapping

from holovault.setup import Ran


class Recorder:
    """Answers a command with the entry whose key it begins with, the longest first; everything else succeeds without a word."""

    def __init__(self, answers: Mapping[str, Ran] | None = None) -> None:
        self.answers = dict(answers or {})
        self.asked: list[str] = []

    def __call__(self, *command: str, wait: float = 30.0) -> Ran:
        line = " ".join(command)
        self.asked.append(line)
        known = [key for key in self.answers if line.startswith(key)]
        return self.answers[max(known, key=len)] if known else Ran(0)
