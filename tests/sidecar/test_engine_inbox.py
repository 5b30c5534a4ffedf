"""Debouncing: when changes are handed out, and as what."""

import threading
from concurrent.futures import Future

from holovault.engine.inbox import MANY, Inbox, Order
from holovault.indexer import Tally


class Clock:
    """A clock that moves only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _still(quiet: float = 5.0, longest: float = 60.0) -> tuple[Inbox, Clock]:
    clock = Clock()
    return Inbox(clock, quiet, longest), clock


def test_a_change_is_held_back_until_it_has_been_quiet() -> None:
    inbox, clock = _still()
    inbox.changed("a.md")
    clock.now += 4.9
    assert inbox.take(0).empty
    clock.now += 0.2
    assert inbox.take(0).paths == {"a.md"}


def test_a_note_that_is_written_without_pause_is_handed_out_all_the_same() -> None:
    inbox, clock = _still(quiet=5.0, longest=12.0)
    for _ in range(5):
        inbox.changed("a.md")
        clock.now += 3.0
    assert inbox.take(0).paths == {"a.md"}


def test_changes_are_handed_out_once() -> None:
    inbox, clock = _still()
    inbox.changed("a.md")
    inbox.changed("b.md")
    clock.now += 10
    assert inbox.take(0).paths == {"a.md", "b.md"}
    assert inbox.take(0).empty


def test_very_many_changes_become_one_scan() -> None:
    inbox, clock = _still()
    for number in range(MANY + 1):
        inbox.changed(f"{number}.md")
    clock.now += 10
    work = inbox.take(0)
    assert work.rescan
    assert not work.paths


def test_an_order_does_not_wait_for_quiet_and_looks_at_everything() -> None:
    inbox, _ = _still()
    inbox.changed("a.md")
    answer: Future[Tally] = Future()
    inbox.order(Order(answer))
    work = inbox.take(0)
    assert work.rescan
    assert work.orders == (Order(answer),)


def test_closing_wakes_whoever_waits() -> None:
    inbox = Inbox(Clock())
    taken: list[bool] = []
    waiter = threading.Thread(target=lambda: taken.append(inbox.take(1_000_000).empty))
    waiter.start()
    inbox.close()
    waiter.join(10)
    assert taken == [True]
