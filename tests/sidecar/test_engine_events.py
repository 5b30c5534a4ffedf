"""Events: numbers, long polls, and clients that are behind or ahead."""

import threading

from holovault.engine.events import KEPT, PATHS, EventLog


def test_a_poll_answers_with_what_came_since() -> None:
    log = EventLog()
    log.add("index", 1, ("a.md",))
    first = log.since(0, 0)
    log.add("embed", 2)
    later = log.since(first.next, 0)
    assert [event.kind for event in first.events] == ["index"]
    assert [(event.kind, event.generation) for event in later.events] == [("embed", 2)]
    assert log.since(later.next, 0).events == ()


def test_a_long_poll_ends_with_the_first_event() -> None:
    log = EventLog()
    found: list[str] = []
    poll = threading.Thread(target=lambda: found.extend(event.kind for event in log.since(1, 1_000_000).events))
    poll.start()
    log.add("state", 1)
    poll.join(10)
    assert found == ["state"]


def test_a_client_of_an_earlier_daemon_gets_everything_at_once() -> None:
    log = EventLog()
    log.add("index", 1)
    assert len(log.since(5_000, 1_000_000).events) == 1


def test_a_client_of_an_earlier_daemon_does_not_wait_for_an_event_that_never_comes() -> None:
    assert EventLog().since(5_000, 1_000_000).next == 1


def test_events_and_their_paths_are_bounded() -> None:
    log = EventLog()
    for number in range(KEPT + 10):
        log.add("index", number, tuple(f"{path}.md" for path in range(PATHS * 2)))
    events = log.since(0, 0).events
    assert len(events) == KEPT
    assert {len(event.paths) for event in events} == {PATHS}


def test_closing_lets_a_long_poll_go() -> None:
    log = EventLog()
    poll = threading.Thread(target=lambda: log.since(1, 1_000_000))
    poll.start()
    log.close()
    poll.join(10)
    assert not poll.is_alive()
