"""The shelf's side of the helper process: asking, waiting, and the sentences for what went wrong.

Owns the process for as long as one command runs. Must not write anything of its own.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from holovault.children import Child
from holovault.embed.hubwire import Reply, Request, Sorry, Why
from holovault.errors import UserError, WorkerError

R = TypeVar("R")
MODULE = "holovault.embed.hub"
_POLL_S = 0.2
_MEMORY_MB = 32_768
_SENTENCES: dict[Why, str] = {
    "unreachable": (
        "The model hub (huggingface.co, or the mirror that HF_ENDPOINT names) cannot be reached: {words}. Nothing was changed and what was "
        "in use stays in use; try again later, or bring the files yourself and run: holovault model add NAME FOLDER"
    ),
    "offline": "The environment forbids asking the model hub (HF_HUB_OFFLINE). Unset it for this one command, then try again.",
    "absent": "The model hub does not have this model any more, or does not show it to everybody: {words}. Update fastembed.",
    "forbidden": "The model hub gives this model only to people who accepted its terms: {words}. Accept them there, then set HF_TOKEN.",
    "disk": "The disk refused the files: {words}. Make room or check who may write there, then run the command again.",
    "damaged": "{words} arrived damaged twice. Nothing was changed; run the command again, or try another network.",
    "useless": "The model cannot be run here: {words}. Nothing was changed. Choose another one of: holovault model list",
    "missing": "fastembed cannot be used here: {words}. Install fastembed, or stay with: holovault model use bundled",
}


class DamagedError(UserError):
    """A file arrived and was not the one that the hub had announced."""


class Helper:
    """A process that answers one request at a time, until the `with` block ends."""

    def __init__(self, models: Path, logs: Path | None) -> None:
        env = {
            "HF_HOME": str(models / "hub"),
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_HUB_DISABLE_XET": "1",
            "ORT_DISABLE_TELEMETRY": "1",
            "ORT_TELEMETRY_DISABLED": "1",
            "TOKENIZERS_PARALLELISM": "false",
        }
        self._log = logs / "model-helper.log" if logs else None
        self._child = Child(MODULE, name="the helper for models", memory_mb=_MEMORY_MB, env=env, log=self._log, low_priority=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close()

    def __call__(self, request: Request, answer: type[R], timeout: float, look: Callable[[], None] = lambda: None) -> R:
        """The answer within `timeout` seconds; `look` is called a few times a second meanwhile. UserError where there is none."""
        payload = msgspec.msgpack.encode(request)
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(self._child.request, payload, timeout)
            try:
                while not future.done():
                    try:
                        future.result(_POLL_S)
                    except TimeoutError:
                        look()
                reply: Reply = msgspec.msgpack.decode(future.result(), type=Reply)
            except WorkerError as error:
                words = f"{str(error)[:1].upper()}{str(error)[1:]}. Nothing was changed; run the command again."
                raise UserError(f"{words} If it stays so, look at {self._log}." if self._log else words) from error
            except BaseException:
                self._child.close()  # Ctrl-C: the download ends with the command
                raise
        if isinstance(reply, Sorry):
            failure = DamagedError if reply.why == "damaged" else UserError
            raise failure(_SENTENCES[reply.why].format(words=reply.words))
        assert isinstance(reply, answer)
        return reply
