"""Templates to HTML, and the headers that keep a page to itself.

Owns the Jinja2 environment (escaping always on) and the policy every page is sent with. Must not know the engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from holovault.web.page.words import age, hue, percent, plain, plural, when

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page needs: where its visit lives ("" without one), the vault's name, this program's version, which part is shown."""

    base: str
    vault: str
    version: str
    part: str


class Templates:
    """The page's templates, loaded once."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=PackageLoader("holovault.web.page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._environment.filters.update(age=age, hue=hue, plain=plain, percent=percent, plural=plural, when=when)

    def text(self, name: str, frame: Frame, values: Mapping[str, object]) -> str:
        """The HTML of one template."""
        return self._environment.get_template(name).render(values, frame=frame)

    def response(self, name: str, frame: Frame, values: Mapping[str, object], http: int) -> web.Response:
        """One template as an answer."""
        html = self.text(name, frame, values)
        return web.Response(text=html, status=http, content_type="text/html", charset="utf-8", headers=HEADERS)
