"""The parent's half: what the model is, on what terms the worker may load it, and how long it may take.

Owns the refusal of an address, or of a key for it, that nobody confirmed: asked anew before every load, so that a confirmation counts at
once.
"""

from holovault.config import EmbeddingConfig, Home, is_trusted, normal_address
from holovault.embed.host import Terms, Timeouts
from holovault.embed.openai.settings import WHOLE, encode, settings_of, spec_of
from holovault.errors import UserError

__all__ = ["spec_of", "terms", "timeouts", "unconfirmed"]

_START_S = 60.0
_SPARE_S = 15.0


def terms(config: EmbeddingConfig, home: Home | None) -> Terms:
    """Settings for the worker and the look at the list of confirmed addresses; ConfigError as for `settings_of`."""
    settings = settings_of(config, home)
    return Terms(encode(settings), lambda: unconfirmed(settings.base_url, settings.key_name, home))


def timeouts(config: EmbeddingConfig) -> Timeouts:
    """Longer than the worker's own limits: a service that hangs must not cost the worker its life."""
    longest = WHOLE * config.timeout_s + _SPARE_S
    return Timeouts(load=longest + _START_S, answer=longest)


def unconfirmed(base_url: str, key_name: str | None, home: Home | None) -> str | None:
    """Why nothing may be sent to this address, or not with this key; None when it may."""
    try:
        if is_trusted(home, base_url, key_name):
            return None
        what = f"the key in {key_name}" if is_trusted(home, base_url) else "note text"
    except UserError as error:
        return str(error)
    return (
        f"knowledge.toml wants to send {what} to {normal_address(base_url)}, which you never confirmed on this computer: "
        "confirm it with `holovault model use openai`, or change [embedding]"
    )
