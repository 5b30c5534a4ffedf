"""One embedding of a harmless text, told in full: what a person needs who looks for what is in the way.

Owns the report. It speaks for the process that runs it, whose environment decides about proxy and key: a service has another one than
a shell. Holds no secret and no note's text.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

import aiohttp
import numpy as np

from holovault.config import EmbeddingConfig, Home, ProxySetting, is_set, proxies_for
from holovault.embed.openai.answers import vectors_of
from holovault.embed.openai.parent import unconfirmed
from holovault.embed.openai.reply import Reply
from holovault.embed.openai.service import Service
from holovault.embed.openai.settings import PROVIDER, known_dimension, settings_of
from holovault.embed.spec import FIRST_WORDS, ModelSpec
from holovault.embed.trouble import TroubleError


@dataclass(frozen=True, slots=True)
class Route:
    """How one embedding went. `trouble` is a sentence, None when all is well; what was not reached is None or 0.

    `key_name` is the variable that `api_key_env` names; `key_in_environment` says whether it is set in the process `pid`, `key_source`
    where the key was found ("environment" or "credentials"). `norm` is that of the vector as it came, before it is made 1.
    """

    pid: int
    client: str
    address: str
    model: str
    confirmed: bool
    key_name: str | None
    key_in_environment: bool
    key_source: str | None
    proxies: tuple[ProxySetting, ...]
    status: int | None = None
    expected: int | None = None
    received: int = 0
    seconds: float = 0.0
    dimension: int | None = None
    norm: float | None = None
    trouble: str | None = None


def route(
    config: EmbeddingConfig, home: Home | None, *, environ: Mapping[str, str] | None = None, clock: Callable[[], float] = perf_counter
) -> Route:
    """Asks for one embedding, unless the address was never confirmed. Not for an event loop's thread.

    A request takes `timeout_s` seconds at most, and there are up to three where the service does not understand the first. ConfigError
    where `[embedding]` names no address or model. `environ` (default: this process's) is only told about.
    """
    settings = settings_of(config, home)
    name = settings.key_name
    refusal = unconfirmed(settings.base_url, name, home)
    before = Route(
        pid=os.getpid(),
        client=f"aiohttp {aiohttp.__version__}",
        address=settings.address,
        model=settings.model,
        confirmed=refusal is None,
        key_name=name,
        key_in_environment=name is not None and is_set(name, environ),
        key_source=None,
        proxies=proxies_for(settings.base_url, environ),
        trouble=refusal,
    )
    if refusal is not None:
        return before
    dimension = known_dimension(config)
    service = Service(ModelSpec(PROVIDER, settings.model, dimension or 0, config.window), settings)
    return asyncio.run(_asked(before, service, dimension, clock))


async def _asked(before: Route, service: Service, dimension: int | None, clock: Callable[[], float]) -> Route:
    started = clock()
    try:
        key = service.key()
        before = replace(before, key_source=None if key is None else key.source)
        reply = await service.exchange([FIRST_WORDS])
    except TroubleError as error:
        return replace(before, seconds=clock() - started, trouble=error.trouble.reason)
    finally:
        await service.close()
    seen = replace(before, status=reply.status, expected=reply.expected, received=reply.received, seconds=clock() - started)
    return _judged(seen, reply, service, dimension)


def _judged(seen: Route, reply: Reply, service: Service, dimension: int | None) -> Route:
    if trouble := service.judge(reply):
        return replace(seen, trouble=trouble.reason)
    try:
        vector = vectors_of(reply.body, 1, None, reply.address)[0]
        seen = replace(seen, dimension=len(vector), norm=float(np.linalg.norm(vector)))
        vectors_of(reply.body, 1, dimension, reply.address)
    except TroubleError as error:
        return replace(seen, trouble=error.trouble.reason)
    return seen
