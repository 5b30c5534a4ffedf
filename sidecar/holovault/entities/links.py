"""Links as names.

Owns which links name something: a note, not a picture and not a place in the same note.
"""

from holovault.markdown.inline import find_inline, link_of
from holovault.model import Link

_ATTACHMENTS = """
.png .jpg .jpeg .gif .bmp .svg .webp .avif .heic .tif .tiff .pdf .mp3 .wav .m4a .ogg .flac .3gp .mp4 .mov .mkv .webm .ogv .avi .canvas
.base .excalidraw .zip .gz .7z .tar .doc .docx .xls .xlsx .ppt .pptx .csv .tsv .json .xml .yaml .yml .html .htm .css .js .ts .py .txt .epub
"""
_NOT_NAMED = frozenset(_ATTACHMENTS.split())


def target_name(link: Link) -> str:
    """The note that a link names, by its name or a part of its path; "" for a link to the note itself or to a file that is no note."""
    target = link.target.strip().replace("\\", "/")
    while target.startswith(("./", "../", "/")):
        target = target.partition("/")[2]
    lower = target.lower()
    if lower.endswith(".md"):
        return target[:-3]
    stem, dot, suffix = lower.rpartition(".")
    return "" if stem and dot + suffix in _NOT_NAMED else target


def targets_in(text: str) -> list[str]:
    """The notes that the links in a text name, in order."""
    links = (link_of(match, 0) for match in find_inline(text)) if "[" in text else ()
    return [name for link in links if link and (name := target_name(link))]
