"""Loading the SDK: it describes hundreds of messages of two protocols, of which one session speaks a dozen.

Owns how it is loaded, which is nearly all that a handshake costs. Must not change what the SDK does once it is loaded.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel, ConfigDict


@contextmanager
def swiftly() -> Iterator[None]:
    """Inside, modules load without pauses for garbage, and models are compiled when they are first used instead of all at once.

    A pydantic that does not pass a base's configuration on compiles them at once: slower, and nothing else.
    """
    usual = BaseModel.model_config
    # What is loaded here stays: a third of the time would go into looking for garbage among it.
    gc.disable()
    BaseModel.model_config = ConfigDict(defer_build=True)
    try:
        yield
    finally:
        BaseModel.model_config = usual
        gc.freeze()
        gc.enable()
