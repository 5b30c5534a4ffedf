"""Dates as people write them in facts, so that two spellings of one day are the same.

Owns the spellings: ISO, day.month.year, months and weekdays by name in English and Russian. Must not know what today is.
"""

import re
from dataclasses import dataclass

_MONTHS = (
    ("january", "jan", "января", "январь", "январе"),
    ("february", "feb", "февраля", "февраль", "феврале"),
    ("march", "mar", "марта", "март", "марте"),
    ("april", "apr", "апреля", "апрель", "апреле"),
    ("may", "мая", "май", "мае"),
    ("june", "jun", "июня", "июнь", "июне"),
    ("july", "jul", "июля", "июль", "июле"),
    ("august", "aug", "августа", "август", "августе"),
    ("september", "sep", "sept", "сентября", "сентябрь", "сентябре"),
    ("october", "oct", "октября", "октябрь", "октябре"),
    ("november", "nov", "ноября", "ноябрь", "ноябре"),
    ("december", "dec", "декабря", "декабрь", "декабре"),
)
_WEEKDAYS = (
    ("monday", "mondays", "понедельник", "понедельникам"),
    ("tuesday", "tuesdays", "вторник", "вторникам"),
    ("wednesday", "wednesdays", "среду", "средам"),
    ("thursday", "thursdays", "четверг", "четвергам"),
    ("friday", "fridays", "пятницу", "пятницам"),
    ("saturday", "saturdays", "субботу", "субботам"),
    ("sunday", "sundays", "воскресенье", "воскресеньям"),
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}
_WEEKDAY = {name: number for number, names in enumerate(_WEEKDAYS, start=1) for name in names}
_MONTH_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_WEEKDAY_NAMES = "|".join(sorted(_WEEKDAY, key=len, reverse=True))

DATE = (
    r"\b\d{4}-\d{2}(?:-\d{2})?(?![\w-])"
    r"|\b\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?![\w.]\d)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|-?го)?\s(?:of\s)?(?:{_MONTH_NAMES})\b(?:,?\s\d{{4}}\b)?"
    rf"|\b(?:{_MONTH_NAMES})\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}}\b)?"
    rf"|\b(?:{_MONTH_NAMES})\s\d{{4}}\b"
    r"|(?<![\w.:/@+-])(?:19|20)\d{2}(?![\w:/@%]|[.,]\d|-\w)"
    rf"|\b(?:{_WEEKDAY_NAMES})\b"
)
"""A regular expression for one date, to be used without regard to case."""

_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{2,4})")
_PARTS = re.compile(r"\d+|[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Day:
    """What a spelling says: each part may be missing. `weekday` is 1 (Monday) to 7."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    def agrees(self, other: "Day") -> bool:
        """Whether both can be the same date: nothing that both say differs, and they say something in common."""
        parts = zip((self.year, self.month, self.day, self.weekday), (other.year, other.month, other.day, other.weekday), strict=True)
        both = [(one, two) for one, two in parts if one is not None and two is not None]
        return bool(both) and all(one == two for one, two in both)


def day_of(text: str) -> Day | None:
    """The date that a match of `DATE` is; None where it is none after all (`31.31.2020`)."""
    folded = text.lower()
    if folded in _WEEKDAY:
        return Day(weekday=_WEEKDAY[folded])
    if found := _ISO.fullmatch(folded):
        return _checked(int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    if found := _DOTTED.fullmatch(folded):
        return _checked(_full(found[3]), int(found[2]), int(found[1]))
    return _named(_PARTS.findall(folded))


def _named(parts: list[str]) -> Day | None:
    month = next((_MONTH[part] for part in parts if part in _MONTH), None)
    numbers = [int(part) for part in parts if part.isdecimal()]
    year = next((number for number in numbers if number > 31), None)
    day = next((number for number in numbers if number <= 31), None)
    return _checked(year, month, day) if month or year else None


def _checked(year: int | None, month: int | None, day: int | None) -> Day | None:
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return Day(year, month, day)


def _full(year: str) -> int:
    number = int(year)
    return number if len(year) == 4 else number + (2000 if number < 70 else 1900)
