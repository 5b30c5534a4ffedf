"""Marks of sources inside an answer made into links, or taken out where they lead nowhere. Pure.

Owns the two generations of marks: `【3†source】`, and runs of private-use characters around `cite` and a reference.
"""

import re
from typing import Any

from holovault_importers.claude.fields import dict_of, list_of, text_of

_OLD = re.compile(r"【(\d+)(?::\d+)?†[^】\n]{0,200}】")
_NEW = re.compile("\ue200[^\ue201\n]{0,2000}\ue201")
_LOOSE = re.compile("[\ue200-\ue206]")
_LINK = re.compile(r"https?://[^\s<>()\[\]\"']+\Z")


def readable(text: str, metadata: dict[str, Any]) -> str:
    """The text with links instead of marks."""
    for reference in list_of(metadata, "content_references"):
        mark = text_of(reference, "matched_text")
        if mark.strip() and _is_mark(mark):
            text = text.replace(mark, _references(reference))
    for citation in list_of(metadata, "citations"):
        about = dict_of(citation, "metadata")
        shown = _link(text_of(about, "title"), text_of(about, "url"))
        number = dict_of(about, "extra").get("cited_message_idx")
        for mark in {found[0] for found in _OLD.finditer(text) if found[1] == str(number)} if shown else ():
            text = text.replace(mark, f" ({shown})")
    return _LOOSE.sub("", _NEW.sub("", _OLD.sub("", text)))


def _is_mark(text: str) -> bool:
    return "\ue200" in text or text.startswith("【")


def _references(reference: object) -> str:
    items = [item for item in list_of(reference, "items") if isinstance(item, dict)]
    links = [_link(text_of(item, "title") or text_of(item, "attribution"), text_of(item, "url")) for item in items]
    urls = [url for url in list_of(reference, "safe_urls") if isinstance(url, str)]
    links = [link for link in links if link] or [link for url in urls if (link := _link("", url))]
    return f" ({', '.join(dict.fromkeys(links))})" if links else ""


def _link(title: str, url: str) -> str:
    if not _LINK.match(url):
        return ""
    name = re.sub(r"[\[\]\n|]", " ", title).strip() or url.split("/")[2]
    return f"[{name}]({url})"
