"""The page's door: one-time codes, the cookie, and strangers who try: other browsers, other origins, other local servers."""

import asyncio
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holovault.web.page.visits import CODE_S, MOST, VISIT_S, Visits
from tests.support.browser import browser
from tests.support.fake_engine import FakeEngine
from tests.support.pages import Site, site
from tests.support.servers import served
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_code_opens_one_visit_and_only_soon() -> None:
    clock = Clock()
    visits = Visits(clock)
    code, late = visits.code(), visits.code()
    first = visits.enter(code)
    assert first is not None
    assert visits.admits(first.place, first.secret)
    assert visits.enter(code) is None
    clock.now += CODE_S + 1
    assert visits.enter(late) is None
    assert visits.enter("guess") is None


def test_a_visit_ends_after_its_time_or_when_it_is_left() -> None:
    clock = Clock()
    visits = Visits(clock)
    one, other = visits.enter(visits.code()), visits.enter(visits.code())
    assert one is not None
    assert other is not None
    assert not visits.admits(one.place, other.secret)
    visits.leave(one.place)
    assert not visits.admits(one.place, one.secret)
    assert visits.admits(other.place, other.secret)
    clock.now += VISIT_S + 1
    assert not visits.admits(other.place, other.secret)


def test_visits_and_codes_are_bounded() -> None:
    visits = Visits(Clock())
    entered = [visits.enter(visits.code()) for _ in range(MOST + 5)]
    assert [visit is not None and visits.admits(visit.place, visit.secret) for visit in entered] == [False] * 5 + [True] * MOST
    codes = [visits.code() for _ in range(MOST + 5)]
    assert visits.enter(codes[0]) is None
    assert visits.enter(codes[-1]) is not None


async def _ways_in() -> None:
    engine = FakeEngine()
    async with served(engine) as server:
        assert (await server.ask("POST", "/v1/page", token=None)).status == 401
        assert (await server.ask("GET", "/", token=None)).status == 403
        assert (await server.ask("GET", "/open?code=guess", token=None)).status == 403
        assert (await server.ask("GET", "/static/../app.py", token=None)).status in {401, 404}
        assert (await server.ask("GET", "/static/style.css", token=None)).status == 200
        way = (await server.ask("POST", "/v1/page")).body.decode().split('"')[3]
        async with server.session.get(f"http://127.0.0.1:{server.port}{way}", allow_redirects=False) as entered:
            assert entered.status == 303
            place = entered.headers["Location"].removesuffix("/facts")
            cookie = entered.cookies[f"holovault_{server.port}"]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", f"{place}/")
        mine = {"Cookie": f"holovault_{server.port}={cookie.value}"}
        seen = await server.ask("GET", f"{place}/status", token=None, headers=mine)
        assert seen.status == 200
        policy = seen.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        strangers = [
            {},
            {"Cookie": f"holovault_{server.port}=guess"},
            {**mine, "Sec-Fetch-Site": "cross-site"},
            {**mine, "Sec-Fetch-Site": "same-site"},
        ]
        assert [(await server.ask("GET", f"{place}/status", token=None, headers=headers)).status for headers in strangers] == [403] * 4
        assert (await server.ask("GET", f"{place}/status", token=None, headers={**mine, "Host": "evil.example"})).status == 403
        own = f"http://127.0.0.1:{server.port}"
        form = {**mine, "Content-Type": "application/x-www-form-urlencoded"}
        elsewhere = ["http://127.0.0.1:1", "https://evil.example", "null", "app://obsidian.md", f"http://localhost:{server.port}", ""]
        for origin in elsewhere:
            headers = {**form, **({"Origin": origin} if origin else {})}
            assert (await server.ask("POST", f"{place}/facts", body=b"text=x", token=None, headers=headers)).status == 403, origin
        taken = await server.ask("POST", f"{place}/facts", body=b"text=x", token=None, headers={**form, "Origin": own})
        assert taken.status != 403
    engine.close()


def test_only_the_cookie_of_the_visit_sees_it_and_only_its_own_page_changes_something() -> None:
    asyncio.run(_ways_in())


@contextmanager
def another_server(page: str) -> Iterator[tuple[str, list[str]]]:
    """Another program's server on this machine: its address, and the Cookie headers that browsers send to it."""
    cookies: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookies.append(self.headers.get("Cookie", ""))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, format: str, *args: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", cookies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return make_vault(tmp_path / "vault", {"Memory/Facts/Home.md": "- The door code is 4711 ^k3f9\n"}, NO_MODEL)


ATTACK = """<!doctype html><title>other</title><script>
async function attack(target) {
  const seen = [];
  for (const [method, body] of [["GET", null], ["POST", "text=stolen"]]) {
    try {
      const headers = body ? { "Content-Type": "application/x-www-form-urlencoded" } : {};
      const answer = await fetch(target, { method, body, credentials: "include", headers });
      seen.push(`${answer.status} ${(await answer.text()).slice(0, 200)}`);
    } catch (error) { seen.push("blocked"); }
  }
  try {
    await fetch(target, { method: "POST", body: "text=stolen", mode: "no-cors", credentials: "include" });
    seen.push("sent");
  } catch (error) { seen.push("blocked"); }
  return seen;
}
</script><form method="post" id="form"><input name="text" value="stolen"></form>"""


def _attacked(found: Site, vault: VaultFolder) -> None:
    facts = vault.at("Memory/Facts/Home.md")
    before = facts.read_bytes()
    with browser() as running, running.new_context() as context, another_server(ATTACK) as (address, cookies):
        page = found.enter(context)
        assert page.get_by_text("The door code is 4711").is_visible()
        place = page.url.removesuffix("/facts")
        for origin in (address, address.replace("127.0.0.1", "localhost")):
            stranger = context.new_page()
            stranger.goto(origin)
            assert stranger.evaluate("target => attack(target)", f"{place}/facts") == ["blocked", "blocked", "sent"]
            stranger.evaluate("target => { form.action = target + '/facts'; form.submit(); }", place)
            stranger.wait_for_url(f"{place}/facts")
            assert "Forbidden" in stranger.content()
            stranger.goto(origin)
            stranger.evaluate("target => { location.href = target + '/facts'; }", place)
            stranger.wait_for_url(f"{place}/facts")
            assert "4711" not in stranger.content()
        assert {cookie for cookie in cookies if "holovault" in cookie} == set()
        page.reload()
        assert page.get_by_text("The door code is 4711").is_visible()
    assert facts.read_bytes() == before
    assert sorted(path.name for path in vault.root.rglob("*.md")) == ["Home.md"]


def test_another_local_server_and_another_origin_see_nothing_and_change_nothing(vault: VaultFolder, tmp_path: Path) -> None:
    with site(vault.root, tmp_path / "home") as found:
        _attacked(found, vault)
