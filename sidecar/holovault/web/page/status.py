"""The page of the index's state: what it holds, what is still to come, what failed and why; kept fresh by server-sent events.

Must not compute anything: it shows `Status` as it is.
"""

from dataclasses import replace

from aiohttp import web

from holovault.model import Status
from holovault.web.keys import ACTIVITY, ENGINE, SETTINGS, STOP
from holovault.web.page.door import PAGE, cookie_name, frame_of, show

LOOK_S = 2.0
"""The longest time between two looks while nothing is said to have changed."""

LISTED = 200


async def status_page(request: web.Request) -> web.StreamResponse:
    """The whole page."""
    engine = request.app[ENGINE]
    return show(request, "status.html", "status", _values(await engine.run(engine.status)))


async def status_events(request: web.Request) -> web.StreamResponse:
    """The state as HTML, sent again whenever it is another one, until the visit or the daemon ends."""
    engine, settings, activity = request.app[ENGINE], request.app[SETTINGS], request.app[ACTIVITY]
    if activity.polls >= settings.pollers:
        raise web.HTTPServiceUnavailable
    answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await answer.prepare(request)
    activity.polls += 1
    page, frame = request.app[PAGE], frame_of(request, "status")
    place, secret = request.match_info["place"], request.cookies.get(cookie_name(request), "")
    sent, since = "", 0
    try:
        while page.visits.admits(place, secret) and not request.app[STOP].is_set():
            state = page.templates.text("status_state.html", frame, _values(await engine.run(engine.status)))
            if state != sent:
                await answer.write("".join(f"data: {line}\n" for line in state.splitlines()).encode() + b"\n")
                sent = state
            since = (await engine.linger(engine.events, since, LOOK_S)).next
    except ConnectionResetError:
        pass  # the tab was closed
    finally:
        activity.polls -= 1
    return answer


def _values(status: Status) -> dict[str, object]:
    done = 1.0
    if status.state == "indexing" and status.total:
        done = status.done / status.total
    elif status.pending:
        done = (status.windows - status.pending) / max(1, status.windows)
    failures = status.failures[:LISTED]
    steady = replace(status, memory_mb=round(status.memory_mb), rate=status.rate and round(status.rate))
    return {"status": steady, "done": done, "failures": failures, "more": len(status.failures) - len(failures)}
