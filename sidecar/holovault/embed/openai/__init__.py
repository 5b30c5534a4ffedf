"""Provider `openai`: vectors from any service with an OpenAI-compatible `POST …/embeddings`.

    parent (what the daemon knows without a network) ║ embedder (what the worker runs)
    settings → exchange (one HTTP request) → verdicts (what a status means) | answers (what a body holds) → service → embedder
    probing.route: one embedding, told in full, for a person who looks for what is in the way

Source: the OpenAI API reference, "Create embeddings": https://platform.openai.com/docs/api-reference/embeddings/create. Owns everything
that is special about a network; who waits and who is to blame is decided in `holovault.embed`. Must not load aiohttp at import, must
not put a key or a note's text into a message, and must not send anything to an address that was not confirmed.
"""

from typing import TYPE_CHECKING

from holovault.embed.spec import ModelSpec

if TYPE_CHECKING:
    from holovault.embed.openai.embedder import RemoteEmbedder
    from holovault.embed.openai.probing import Route, route

__all__ = ["RemoteEmbedder", "Route", "load", "route"]
_LATER = {"RemoteEmbedder": "embedder", "Route": "probing", "route": "probing"}


def load(spec: ModelSpec, settings: bytes) -> "RemoteEmbedder":
    """The worker's half; nothing is sent yet."""
    from holovault.embed.openai.embedder import RemoteEmbedder
    from holovault.embed.openai.settings import decode

    return RemoteEmbedder(spec, decode(settings))


def __getattr__(name: str) -> object:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f"holovault.embed.openai.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
