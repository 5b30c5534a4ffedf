"""What a note's dates mean."""

from datetime import timedelta, timezone

import pytest

from holovault.indexer.dates import created, modified
from holovault.model import FrontMatter

ZONE = timezone(timedelta(hours=3))
MTIME_NS = 1_700_000_000_000_000_000


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        (FrontMatter(modified="2026-05-24"), "2026-05-23T21:00:00Z"),
        (FrontMatter(modified="2026-05-24T10:00:00+02:00"), "2026-05-24T08:00:00Z"),
        (FrontMatter(modified="2026-05-24 10:00"), "2026-05-24T07:00:00Z"),
        (FrontMatter(modified="yesterday", imported="2026-05-24T00:00:00Z"), "2026-05-24T00:00:00Z"),
        (FrontMatter(modified="yesterday"), "2023-11-14T22:13:20Z"),
        (FrontMatter(modified="0001-01-01"), "2023-11-14T22:13:20Z"),
        (FrontMatter(), "2023-11-14T22:13:20Z"),
    ],
)
def test_modified_is_front_matter_then_import_then_file(front: FrontMatter, expected: str) -> None:
    assert modified(front, MTIME_NS, ZONE) == expected


def test_an_impossible_mtime_is_still_a_date() -> None:
    assert modified(FrontMatter(), 10**30, ZONE) == "1970-01-01T00:00:00Z"


def test_created_is_only_what_the_note_says() -> None:
    assert created(FrontMatter(created="2026-05-24T00:00:00Z"), ZONE) == "2026-05-24T00:00:00Z"
    assert created(FrontMatter(created="soon"), ZONE) is None
    assert created(FrontMatter(), ZONE) is None
