"""The service as an asynchronous function from texts to vectors.

Owns what is learned about it while it is used: which wishes it understands and how large a request it takes. Must not wait before a
next try: whoever asks does.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import time

import aiohttp
import msgspec
import numpy as np

from holovault.config import Key, read_key
from holovault.embed.openai.answers import unit, vectors_of
from holovault.embed.openai.exchange import Limits, open_session, post
from holovault.embed.openai.reply import Reply
from holovault.embed.openai.settings import WHOLE, Settings
from holovault.embed.openai.verdicts import trouble_of
from holovault.embed.spec import Kind, ModelSpec, Vectors
from holovault.embed.trouble import Trouble, TroubleError
from holovault.errors import UserError

QUERY_S = 10.0


@dataclass(frozen=True, slots=True)
class Wishes:
    """What not every service understands: vectors in base64, and vectors shortened to `dimensions`."""

    base64: bool
    dimensions: int | None


class Size:
    """How many bytes a request may have: halved when one was too large or took too long, and carefully more after each that went well.

    Additive increase, multiplicative decrease, as in congestion control (Chiu & Jain 1989); never again what was refused outright.
    """

    def __init__(self) -> None:
        self.most = float("inf")
        self._refused = float("inf")

    def refused(self, size: int) -> None:
        """The service will not take so much."""
        self._refused = min(self._refused, size)
        self.failed(size)

    def failed(self, size: int) -> None:
        """So much did not work this time."""
        # A little more than half: the frame around the texts is no smaller in a smaller request.
        self.most = min(size - 1, 0.6 * size + 128)

    def taken(self, size: int) -> None:
        """So much went well."""
        self.most = min(self.most + size / 8, self._refused - 1)


class Service:
    """For one event loop. `limits` are for passages, a question gets at most 10 s; `now` is the time of day in seconds since 1970."""

    def __init__(self, spec: ModelSpec, settings: Settings, limits: Limits | None = None, now: Callable[[], float] = time) -> None:
        self._spec = spec
        self._settings = settings
        self._limits = limits or Limits(settings.timeout_s)
        self._now = now
        self._session: aiohttp.ClientSession | None = None
        self._wishes = deque(_ladder(settings.dimensions))
        self._understood = False
        self._size = Size()

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit float32 rows (n, dimension); TroubleError says why not. More than one request where one would be too large."""
        prefix = self._spec.query_prefix if kind == "query" else self._spec.passage_prefix
        limits = self._limits if kind == "passage" else replace(self._limits, total=min(QUERY_S, self._limits.total))
        try:
            async with asyncio.timeout(WHOLE * self._settings.timeout_s):
                return await self._embed([prefix + text for text in texts], limits)
        except TimeoutError:
            seconds = WHOLE * self._settings.timeout_s
            raise TroubleError(Trouble(f"{self._settings.address} did not do one batch within {seconds:g} s", "sick")) from None

    async def exchange(self, texts: Sequence[str]) -> Reply:
        """The reply as it is, for whoever wants to see it; TroubleError only where none came at all."""
        return await self._agreed(list(texts), self._limits)

    def judge(self, reply: Reply) -> Trouble | None:
        """What the reply's status says against it."""
        return trouble_of(reply, self._settings, self._now())

    def key(self) -> Key | None:
        """The key as it is now, None for a service without one; TroubleError where it should be there and is not."""
        if self._settings.key_name is None:
            return None
        try:
            return read_key(self._settings.key_name, self._settings.credentials_file)
        except UserError as error:
            raise TroubleError(Trouble(str(error), "denied")) from None

    async def close(self) -> None:
        """Ends its connections."""
        if self._session is not None:
            await self._session.close()

    async def _embed(self, texts: list[str], limits: Limits) -> Vectors:
        rows: list[Vectors] = []
        pending = deque([texts] if texts else [])
        while pending:
            part = pending.popleft()
            body = _request(self._settings.model, part, self._wishes[0])
            if len(part) > 1 and len(body) > self._size.most:
                pending.extendleft(reversed(_halves(part)))
                continue
            reply = await self._agreed(part, limits)
            if reply.status == 413 and len(part) > 1:
                self._size.refused(len(body))
                pending.appendleft(part)
                continue
            rows.append(self._vectors(reply, len(part)))
            self._size.taken(len(body))
        return np.concatenate(rows) if rows else np.zeros((0, self._spec.dimension), dtype=np.float32)

    async def _agreed(self, part: list[str], limits: Limits) -> Reply:
        """The reply to these texts; before the first answer a refusal may mean a wish, which is dropped."""
        while True:
            body = _request(self._settings.model, part, self._wishes[0])
            try:
                reply = await self._send(body, limits)
            except TroubleError as error:
                if error.trouble.kind == "sick" and len(part) > 1:
                    # Too slow or too much for the other side: the next try is in smaller pieces.
                    self._size.failed(len(body))
                raise
            if reply.status not in {400, 422} or self._understood or len(self._wishes) == 1:
                self._understood = self._understood or reply.status == 200
                return reply
            self._wishes.popleft()

    def _vectors(self, reply: Reply, count: int) -> Vectors:
        if trouble := self.judge(reply):
            raise TroubleError(trouble)
        return unit(vectors_of(reply.body, count, self._spec.dimension, reply.address))

    async def _send(self, body: bytes, limits: Limits) -> Reply:
        key = self.key()
        if self._session is None:
            self._session = open_session(self._settings.address)
        return await post(self._session, self._settings.address, body, None if key is None else key.secret, limits)


def _ladder(dimensions: int | None) -> list[Wishes]:
    """From all wishes to none."""
    with_length = [Wishes(True, dimensions), Wishes(False, dimensions)]
    return with_length if dimensions is None else [*with_length, Wishes(False, None)]


def _request(model: str, texts: Sequence[str], wishes: Wishes) -> bytes:
    message: dict[str, object] = {"model": model, "input": list(texts)}
    if wishes.base64:
        message["encoding_format"] = "base64"
    if wishes.dimensions is not None:
        message["dimensions"] = wishes.dimensions
    return msgspec.json.encode(message)


def _halves(texts: list[str]) -> list[list[str]]:
    middle = (len(texts) + 1) // 2
    return [texts[:middle], texts[middle:]]
