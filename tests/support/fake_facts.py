"""Facts of a vault that has none: every question is answered with nothing, every id is unknown."""

from holovault.errors import NotFoundError
from holovault.model import (
    Contradictions,
    Corrected,
    CorrectRequest,
    FactActivity,
    FactHistory,
    FactList,
    FactQuery,
    FeedbackRequest,
    FeedbackResult,
    FoldReport,
    ForgetRequest,
    Forgotten,
    Remembered,
    RememberRequest,
)


class NoFacts:
    """Fulfils `client.FactsFacade`; `asked` keeps what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def list(self, query: FactQuery, /) -> FactList:
        self.asked.append(query)
        return FactList(0, ())

    def history(self, name: str, /) -> FactHistory:
        raise self._unknown(name)

    def remember(self, request: RememberRequest, /) -> Remembered:
        raise self._unknown(request)

    def correct(self, request: CorrectRequest, /) -> Corrected:
        raise self._unknown(request)

    def forget(self, request: ForgetRequest, /) -> Forgotten:
        raise self._unknown(request)

    def feedback(self, request: FeedbackRequest, /) -> FeedbackResult:
        raise self._unknown(request)

    def contradictions(self, limit: int, /) -> Contradictions:
        self.asked.append(limit)
        return Contradictions(0)

    def activity(self) -> FactActivity:
        return FactActivity()

    def fold(self) -> FoldReport:
        return FoldReport()

    def _unknown(self, request: object) -> NotFoundError:
        self.asked.append(request)
        return NotFoundError("There is no such fact here.")
