"""`python -m holovault.embed.hub`: what needs fastembed or the network while a person chooses a model.

Owns looking up, downloading and trying models, in a process of its own that ends with the command. This is the only code that asks the
hub for anything. Must not decide where models are kept or write the list of them: the shelf does.
"""

import errno
import hashlib
import os
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import msgspec

from holovault.children import serve
from holovault.embed.hubwire import Done, Fetch, File, Look, Measure, Measured, Plan, Planned, Reply, Request, Seen, Sorry, Why
from holovault.embed.spec import FIRST_WORDS, ModelSpec

BLOCK = 1 << 20
_ANSWER_S = 15.0
_LONGEST_WORDS = 200
_BY_STATUS: dict[int, Why] = {401: "forbidden", 403: "forbidden", 404: "absent"}
_LONG_ENOUGH = 512
"""Tokens of the longest text that a model is tried with: a model that reads fewer than it is said to fails here, not in a vault."""


def handle(payload: bytes) -> bytes:
    """An encoded reply for an encoded request; what the network and the models raise becomes a Sorry."""
    request = msgspec.msgpack.decode(payload, type=Request)
    return msgspec.msgpack.encode(_answer(request))


def _answer(request: Request) -> Reply:
    if isinstance(request, Measure):
        try:
            return _measure(request)
        except Exception as error:  # noqa: BLE001  (whatever a library raises over a stranger's files is the answer)
            return Sorry("useless", _words(error))
    try:
        if isinstance(request, Look):
            return _look(request)
        return _plan(request) if isinstance(request, Plan) else _fetch(request)
    except ImportError as error:
        return Sorry("missing", _words(error))
    except Exception as error:
        why = _why(error)
        if why is None:
            raise
        return Sorry(why, _words(error))


def _look(request: Look) -> Seen:
    from fastembed import TextEmbedding

    for model in TextEmbedding.list_supported_models():
        if model["model"].casefold() == request.name.casefold():
            return Seen(
                name=model["model"],
                dimension=model["dim"],
                trained=_trained(model["description"]),
                megabytes=round(1000 * model["size_in_GB"]),
                licence=model["license"],
                repository=model["sources"]["hf"] or "",
                file=model["model_file"],
                more=tuple(model["additional_files"]),
            )
    return Seen()


def _trained(description: str) -> int:
    """fastembed says it in words only: "…, 512 input tokens truncation, …"."""
    words = description.split()
    return next((int(before) for before, word in pairwise(words) if word == "input" and before.isdigit()), 512)


def _plan(request: Plan) -> Planned:
    from huggingface_hub import HfApi

    info = HfApi().model_info(request.repository, files_metadata=True, timeout=_ANSWER_S)
    wanted = set(request.wanted)
    files = [_file(sibling) for sibling in info.siblings or () if sibling.rfilename in wanted]
    return Planned(str(info.sha), tuple(sorted(files, key=lambda file: file.size)))


def _file(sibling: Any) -> File:
    digest = sibling.lfs.sha256 if sibling.lfs else sibling.blob_id
    return File(sibling.rfilename, int(sibling.size), str(digest))


def _fetch(request: Fetch) -> Done | Sorry:
    from huggingface_hub import hf_hub_url, utils
    from huggingface_hub.file_download import http_get

    file = request.file
    target = Path(request.folder) / file.path
    if target.is_file():
        return Done()
    part = target.with_name(f"{target.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    have = part.stat().st_size if part.exists() else 0
    with part.open("ab" if have <= file.size else "wb") as out:
        url = hf_hub_url(request.repository, file.path, revision=request.revision)
        # Packed on the way, a file could not be taken up in its middle.
        headers = {**cast(Any, utils).build_hf_headers(), "Accept-Encoding": "identity"}
        http_get(url, out, resume_size=out.tell(), headers=headers, expected_size=file.size)
        out.flush()
        os.fsync(out.fileno())
    if part.stat().st_size != file.size or _digest(part, file) != file.digest:
        part.unlink()
        return Sorry("damaged", file.path)
    os.replace(part, target)
    return Done()


def _digest(path: Path, file: File) -> str:
    """SHA-256 of the bytes, or what git calls a blob of them, whichever the hub gave."""
    large = len(file.digest) == 64
    summed = hashlib.sha256() if large else hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
    with path.open("rb") as source:
        while block := source.read(BLOCK):
            summed.update(block)
    return summed.hexdigest()


def _measure(request: Measure) -> Measured:
    import psutil

    from holovault.embed.fastembed_provider import open_model

    record = request.record
    spec = ModelSpec("fastembed", record.name, record.dimension, 16, record.query_prefix, record.passage_prefix, record.pooling)
    model = open_model(spec, record, Path(request.folder))
    long = f"{FIRST_WORDS} " * (min(model.limit, _LONG_ENOUGH) // 8 + 1)
    rows = model.embed([FIRST_WORDS, long], "passage")
    return Measured(rows.shape[1], model.limit, psutil.Process().memory_info().rss >> 20)


def _why(error: Exception) -> Why | None:
    """None for what is a mistake of ours."""
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, OfflineModeIsEnabled, RepositoryNotFoundError

    if isinstance(error, OfflineModeIsEnabled):
        return "offline"
    if isinstance(error, RepositoryNotFoundError | EntryNotFoundError):
        return "absent"
    if isinstance(error, HfHubHTTPError):
        return _BY_STATUS.get(error.response.status_code, "unreachable")
    if isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC):
        return "disk"
    return "unreachable" if isinstance(error, _network_errors()) else None


def _network_errors() -> tuple[type[Exception], ...]:
    try:
        from huggingface_hub.utils import httpx
    except ImportError:
        return (OSError,)
    return (OSError, httpx.HTTPError)


def _words(error: Exception) -> str:
    response = getattr(error, "response", None)
    if status := getattr(response, "status_code", None):
        return f"it answered with HTTP status {status}"
    return " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_WORDS]


if __name__ == "__main__":
    serve(handle)
