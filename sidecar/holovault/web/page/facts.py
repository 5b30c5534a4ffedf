"""The page of facts: search, filters, one fact with its history, and what can be done with it.

Owns how a form becomes a request of the model and how an answer is shown; a whole page for a plain browser, a part of it for htmx.
Must not decide anything about facts.
"""

from datetime import date
from urllib.parse import urlencode

from aiohttp import hdrs, web

from holovault.errors import StaleError, UsageError
from holovault.model import CorrectRequest, Fact, FactHistory, FactQuery, FeedbackRequest, ForgetRequest, RememberRequest
from holovault.web.bodies import read_body
from holovault.web.keys import ENGINE
from holovault.web.page.door import frame_of, show
from holovault.web.page.forms import fields_of, from_htmx, query_of
from holovault.web.page.pictures import activity, trust_curve

PAGE_SIZE = 50
DOUBTS = 10
"""Pairs of facts that contradict each other, shown at once."""

FILTERS = frozenset({"query", "category", "tag", "entity", "min_trust", "offset"})


async def facts_page(request: web.Request) -> web.StreamResponse:
    """The facts that meet the filters; only the list where htmx asks for it."""
    engine, wanted = request.app[ENGINE], query_of(request, FactQuery, FILTERS, PAGE_SIZE)
    found = await engine.run(engine.facts.list, wanted)
    values: dict[str, object] = {"found": found, "wanted": wanted, "today": date.today(), "size": PAGE_SIZE, "query": _carried(request)}
    if from_htmx(request):
        return show(request, "facts_list.html", "facts", values)
    said = request.query.get("said", "")
    days = (await engine.run(engine.facts.activity)).days
    doubts = await engine.linger(engine.facts.contradictions, DOUBTS)
    return show(request, "facts.html", "facts", {"picture": activity(days), "doubts": doubts, "said": said, **values})


async def fact_page(request: web.Request) -> web.StreamResponse:
    """One fact with its votes and the picture of its trust."""
    history = await _history(request)
    if from_htmx(request):
        return _card(request, history.fact)
    return show(
        request, "fact.html", "facts", {"history": history, "fact": history.fact, "today": date.today(), "picture": trust_curve(history)}
    )


async def edit_form(request: web.Request) -> web.StreamResponse:
    """The form for a fact's text."""
    fact = (await _history(request)).fact
    template = "fact_edit.html" if from_htmx(request) else "fact_edit_page.html"
    return show(request, template, "facts", {"fact": fact, "text": fact.text, "theirs": None})


async def correct(request: web.Request) -> web.StreamResponse:
    """Takes the new text; where the fact says something else by now, shows both versions and changes nothing."""
    engine, form = request.app[ENGINE], fields_of(await read_body(request))
    wanted = CorrectRequest(request.match_info["id"], form.get("text", ""), (form.get("item", ""),), keep_tags=False)
    try:
        done = await engine.run(engine.facts.correct, wanted)
    except StaleError:
        fact = (await _history(request)).fact
        template = "fact_edit.html" if from_htmx(request) else "fact_edit_page.html"
        return show(request, template, "facts", {"fact": fact, "text": wanted.text, "theirs": fact.text}, http=409)
    return _done(request, done.fact, "Corrected.")


async def feedback(request: web.Request) -> web.StreamResponse:
    """Counts a vote."""
    engine, form = request.app[ENGINE], fields_of(await read_body(request))
    vote = form.get("vote", "")
    if vote not in {"helpful", "unhelpful"}:
        raise UsageError("A vote is helpful or unhelpful.")
    wanted = FeedbackRequest(request.match_info["id"], "helpful" if vote == "helpful" else "unhelpful")
    done = await engine.run(engine.facts.feedback, wanted)
    return _done(request, done.fact, f"Trust {done.before:.2f} → {done.fact.trust:.2f}.")


async def forget(request: web.Request) -> web.StreamResponse:
    """Removes a fact from its note."""
    engine, form = request.app[ENGINE], fields_of(await read_body(request))
    gone = await engine.run(engine.facts.forget, ForgetRequest(request.match_info["id"], (form.get("item", ""),)))
    if from_htmx(request):
        return show(request, "fact_gone.html", "facts", {"gone": gone})
    return _back(request, "Forgotten.")


async def remember(request: web.Request) -> web.StreamResponse:
    """Writes a new fact."""
    engine, form = request.app[ENGINE], fields_of(await read_body(request))
    wanted = RememberRequest(form.get("text", ""), form.get("category", "").strip() or None)
    done = await engine.run(engine.facts.remember, wanted)
    return _back(request, "This is known already." if done.known else "Remembered.", done.fact)


async def _history(request: web.Request) -> FactHistory:
    engine = request.app[ENGINE]
    found: FactHistory = await engine.run(engine.facts.history, request.match_info["id"])
    return found


def _carried(request: web.Request) -> dict[str, str]:
    return {name: value for name, value in request.query.items() if name not in {"offset", "said"} and value}


def _card(request: web.Request, fact: Fact, said: str = "") -> web.StreamResponse:
    return show(request, "fact_card.html", "facts", {"fact": fact, "today": date.today(), "said": said})


def _done(request: web.Request, fact: Fact, said: str) -> web.StreamResponse:
    return _card(request, fact, said) if from_htmx(request) else _back(request, said, fact)


def _back(request: web.Request, said: str, fact: Fact | None = None) -> web.Response:
    place = f"{frame_of(request, 'facts').base}/facts?{urlencode({'said': said})}" + (f"#fact-{fact.id}" if fact else "")
    return web.Response(status=303, headers={hdrs.LOCATION: place})
