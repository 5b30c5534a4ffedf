"""The table of routes: what each takes, answers and may refuse. The server and /v1/openapi.json are made of it.

Must not contain behaviour; that is in `handlers`. Nouns with routes of their own bring them along (`facts`).
"""

from collections.abc import Iterator

from holovault.model import (
    Checkup,
    CheckupRequest,
    Events,
    Health,
    IndexProgress,
    IndexReport,
    IndexRequest,
    NoteChange,
    PageAddress,
    PathExplanation,
    PruneReport,
    ReadResult,
    RelatedRequest,
    SearchRequest,
    SearchResponse,
    Status,
    WriteResult,
)
from holovault.web import handlers
from holovault.web.entities import ENTITY_ROUTES
from holovault.web.facts import FACT_ROUTES
from holovault.web.table import Parameter, Route

_PATH = Parameter("path", "path", "string", "Vault-relative path of a note, `/`-separated, percent-encoded.", required=True)
_LIMIT = Parameter("limit", "query", "integer", "How many results at most, 1 to 200; 10 unless told.")
_WAIT = Parameter("max_wait", "query", "number", "Seconds to wait for a cold model, `null` until it is ready; 3 unless told.")
_SEARCH = (
    Parameter("q", "query", "string", "What to look for.", required=True),
    _LIMIT,
    Parameter("mode", "query", "string", "hybrid, lexical or semantic."),
    Parameter("profile", "query", "string", "coverage, rrf or weighted."),
    Parameter("explain", "query", "boolean", "Whether each hit says how its score came about."),
    _WAIT,
)
_RELATED = (
    Parameter("path", "query", "string", "Vault-relative path of a note.", required=True),
    _LIMIT,
    _WAIT,
    Parameter("unlinked", "query", "boolean", "Only notes that it is not linked with."),
)
_LINES = (
    Parameter("start", "query", "integer", "First line, 1-based."),
    Parameter("end", "query", "integer", "Last line, inclusive; the note's last one unless told."),
    Parameter("If-None-Match", "header", "string", "The ETag of the version that is already there: 304 if it still is the one."),
)
_WRITE = (
    Parameter("If-Match", "header", "string", "The quoted hash of the version that this replaces."),
    Parameter("If-None-Match", "header", "string", "`*`: this is a new note."),
)
_HELD = Parameter("If-Match", "header", "string", "The quoted hash of the version that this must find; any version without it.")
_EVENTS = (
    Parameter("since", "query", "integer", "Number of the first event wanted: `next` of the answer before."),
    Parameter("wait", "query", "number", "Seconds to wait for it, 25 at most."),
)
_AGAIN = Parameter("again", "query", "boolean", "Whether a service that runs the daemon should start it anew, as after an update.")
_NONCE = Parameter("nonce", "query", "string", "Any text up to 256 characters; `proof` answers it with HMAC-SHA256(token, nonce).")

ROUTES: tuple[Route, ...] = (
    Route("health", "GET", "/v1/health", handlers.health, "The handshake.", Health, (_NONCE,), problems=(400,), public=True),
    Route("status", "GET", "/v1/status", handlers.status, "What the daemon holds, does and could not do.", Status),
    Route(
        "search",
        "GET",
        "/v1/search",
        handlers.search_by_query,
        "Passages for a query, best first.",
        SearchResponse,
        _SEARCH,
        problems=(400, 503),
    ),
    Route(
        "searchByBody",
        "POST",
        "/v1/search",
        handlers.search_by_body,
        "The same for a query of any length.",
        SearchResponse,
        body=SearchRequest,
        problems=(400, 408, 413, 415, 503),
    ),
    Route(
        "related",
        "GET",
        "/v1/related",
        handlers.related_by_query,
        "Passages of other notes near a note.",
        SearchResponse,
        _RELATED,
        problems=(400, 404, 503),
    ),
    Route(
        "relatedByBody",
        "POST",
        "/v1/related",
        handlers.related_by_body,
        "The same with a body.",
        SearchResponse,
        body=RelatedRequest,
        problems=(400, 404, 408, 413, 415, 503),
    ),
    Route(
        "readNote",
        "GET",
        "/v1/notes/{path}",
        handlers.read_note,
        "Lines of a note with the whole file's hash as ETag; as text with `Accept: text/markdown`.",
        ReadResult,
        (_PATH, *_LINES),
        successes=(200, 304),
        problems=(400, 404),
    ),
    Route(
        "writeNote",
        "PUT",
        "/v1/notes/{path}",
        handlers.write_note,
        "Creates or replaces a note; the body is its raw bytes.",
        WriteResult,
        (_PATH, *_WRITE),
        body=bytes,
        successes=(200, 201),
        problems=(400, 404, 408, 412, 413, 415, 428, 503),
    ),
    Route(
        "changeNote",
        "PATCH",
        "/v1/notes/{path}",
        handlers.change_note,
        "Replaces exact texts inside a note, or appends to it or to what stands under a heading; the rest keeps its bytes.",
        WriteResult,
        (_PATH, _HELD),
        body=NoteChange,
        problems=(400, 404, 408, 409, 412, 413, 415, 428, 503),
    ),
    Route(
        "index",
        "POST",
        "/v1/index",
        handlers.index,
        "Brings the index up to date and says what that took.",
        IndexReport,
        body=IndexRequest,
        problems=(400, 408, 413, 415, 503),
    ),
    Route("indexProgress", "GET", "/v1/index", handlers.index_progress, "How far the index is.", IndexProgress),
    Route(
        "prune",
        "POST",
        "/v1/models/prune",
        handlers.prune,
        "Removes the vectors of models that neither answer nor are brought in.",
        PruneReport,
    ),
    Route("events", "GET", "/v1/events", handlers.events, "A long poll for changes.", Events, _EVENTS, problems=(400,)),
    Route(
        "explain",
        "GET",
        "/v1/explain/{path}",
        handlers.explain,
        "Why a path is treated as it is.",
        PathExplanation,
        (_PATH,),
        problems=(404,),
    ),
    Route(
        "checkup",
        "POST",
        "/v1/doctor",
        handlers.checkup,
        "What the daemon finds in itself: the index read whole, one text embedded; repairs what can be derived if asked to.",
        Checkup,
        body=CheckupRequest,
        problems=(400, 408, 413, 415, 503),
    ),
    Route(
        "openPage",
        "POST",
        "/v1/page",
        handlers.open_page,
        "A one-time address at which a browser enters the web page.",
        PageAddress,
    ),
    *ENTITY_ROUTES,
    *FACT_ROUTES,
    Route(
        "stop",
        "POST",
        "/v1/stop",
        handlers.stop,
        "Asks the daemon to leave.",
        handlers.Stopping,
        (_AGAIN,),
        successes=(202,),
        problems=(400,),
    ),
)


def aiohttp_path(path: str) -> str:
    """The route's path in aiohttp's words: a note's path has slashes of its own."""
    return path.replace("{path}", "{path:.+}")


def model_types() -> Iterator[type]:
    """Every type that is sent or received."""
    for route in ROUTES:
        yield from (kind for kind in (route.body, route.answer) if kind is not None and kind is not bytes)
