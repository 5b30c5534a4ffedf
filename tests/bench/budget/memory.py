"""What a real daemon weighs, with its children, before and after its model is loaded."""

from holovault.client import Client
from holovault.config import Home
from holovault.model import SearchRequest
from tests.bench.budget.lines import Bench, Line
from tests.bench.budget.machine import private_mb
from tests.bench.budget.prepared import questions
from tests.bench.budget.searching import middle


def daemon_memory(bench: Bench) -> list[Line]:
    """A daemon as people start it, asked over HTTP."""
    prepared = middle(bench)
    asked = questions(prepared, 50)
    with Client.start_daemon(Home(prepared.home), prepared.root) as client:
        try:
            since = 0
            while client.status().state != "ready":
                since = client.events(since, 1.0).next
            for query in asked:
                client.search(SearchRequest(query, mode="lexical"))
            status = client.status()
            cold = private_mb(client.daemon.pid)
            for query in asked:
                client.search(SearchRequest(query, max_wait=None))
            warm = private_mb(client.daemon.pid)
            said = client.status().memory_mb
        finally:
            client.stop()
    size = f"{status.chunks:,} chunks"
    return [
        Line(f"daemon, model not loaded ({size})", "≤ 90 MB", f"{cold:.0f} MB", "unique set size of the process tree after 50 searches"),
        Line(f"daemon, bundled model loaded ({size})", "≤ 260 MB", f"{warm:.0f} MB", f"its own status says {said:.0f} MB"),
    ]
