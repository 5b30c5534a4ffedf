"""Who sits where: from what a person wants and what the store has to the model that serves and the one that is brought in.

Owns that decision and the making of services for it; nothing is loaded by it. Must not embed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import msgspec

from holovault.config import EmbeddingConfig
from holovault.embed import EmbeddingService
from holovault.embed.nothing import NoEmbedding
from holovault.errors import ConfigError
from holovault.store import Fingerprint

Make = Callable[[EmbeddingConfig], EmbeddingService]


@dataclass(frozen=True, slots=True)
class Seat:
    """A model, how it was made, and the set of vectors that is its own; None until it showed what it makes."""

    config: EmbeddingConfig
    service: EmbeddingService
    fingerprint: Fingerprint | None = None

    @property
    def possible(self) -> bool:
        """Whether there is a model at all."""
        return self.service.spec is not None


@dataclass(frozen=True, slots=True)
class Seats:
    """The model that answers, and the one that is to take over."""

    serving: Seat
    filling: Seat | None = None

    @property
    def services(self) -> tuple[EmbeddingService, ...]:
        """All that have to be closed one day."""
        return (self.serving.service,) if self.filling is None else (self.serving.service, self.filling.service)


def goal_of(config: EmbeddingConfig) -> EmbeddingConfig:
    """The model that is wanted in the end: the one of `refine` where there is one."""
    return config if config.refine is None else replace(config, provider=config.refine, refine=None)


def first_of(config: EmbeddingConfig) -> EmbeddingConfig:
    """The model that may begin where nothing is embedded yet."""
    return replace(config, refine=None)


class Arranger:
    """Makes seats. `make` raises ConfigError for a provider that this version does not have."""

    def __init__(self, make: Make) -> None:
        self._make = make

    def arrange(self, wanted: EmbeddingConfig, serving: Fingerprint | None, filling: Fingerprint | None, held: Seats | None) -> Seats:
        """Seats for what is wanted; services in `held` that still fit are taken over, the caller closes the others."""
        goal, first = goal_of(wanted), first_of(wanted)
        wants = Seat(goal, self._service(goal, held))
        if goal.provider == "none" and not wants.possible:
            return Seats(wants)
        if serving is None:
            return Seats(wants) if goal == first else Seats(Seat(first, self._service(first, held)), wants)
        if not _makes(wants.service, serving):
            return Seats(self._old(serving, (first, *_remembered(serving)), held, but=wants.service), wants)
        if filling is not None and filling.identity == serving.identity:
            # an update of the model's library was under way: what serves was made before it
            return Seats(vacant(replace(wants, fingerprint=serving)), wants)
        return Seats(replace(wants, fingerprint=serving))

    def check(self, wanted: EmbeddingConfig, held: Seats) -> None:
        """Raises ConfigError where a wanted provider does not exist here."""
        for config in {goal_of(wanted), first_of(wanted)}:
            service = self._service(config, held)
            if service not in held.services:
                service.close()

    def _service(self, config: EmbeddingConfig, held: Seats | None) -> EmbeddingService:
        for seat in () if held is None else (held.serving, held.filling):
            if seat is not None and seat.config == config and seat.possible:
                return seat.service
        return self._make(config)

    def _old(self, of: Fingerprint, configs: tuple[EmbeddingConfig, ...], held: Seats | None, but: EmbeddingService) -> Seat:
        """The model of a set that serves though another one is wanted, if it can still be had."""
        if held is not None and held.serving.fingerprint == of and _makes(held.serving.service, of):
            return held.serving
        for config in configs:
            service = self._made_or_none(config, held)
            if service is not None and service is not but and _makes(service, of):
                return Seat(config, service, of)
            if service is not None and service is not but and (held is None or service not in held.services):
                service.close()
        return vacant(Seat(configs[0], NoEmbedding(), of))

    def _made_or_none(self, config: EmbeddingConfig, held: Seats | None) -> EmbeddingService | None:
        try:
            return self._service(config, held)
        except ConfigError:
            return None


def vacant(seat: Seat) -> Seat:
    """The seat of a set whose model cannot be asked any more."""
    name = "" if seat.fingerprint is None else seat.fingerprint.identity.partition(" dimension=")[0]
    provider, _, model = name.partition("/")
    return replace(seat, service=NoEmbedding(provider, model, f"{name}, which embedded this vault, cannot be had any more"))


def settings_text(config: EmbeddingConfig) -> str:
    """How a model was made, as a text to keep with its vectors. It has names of secrets, never a secret."""
    return msgspec.json.encode(config).decode("utf-8")


def _remembered(of: Fingerprint) -> Iterator[EmbeddingConfig]:
    try:
        yield msgspec.json.decode(of.settings, type=EmbeddingConfig)
    except msgspec.MsgspecError:
        return


def _makes(service: EmbeddingService, of: Fingerprint) -> bool:
    return service.spec is not None and service.spec.identity == of.identity
