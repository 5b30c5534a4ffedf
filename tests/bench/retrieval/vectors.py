"""An embedding service that remembers every text it embedded, in a folder, so that a second run needs no model.

Owns the folder: `<spec>.keys` (32 bytes each) and `<spec>.rows` (float32), appended together. Must not be shared between processes.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from holovault.embed import EmbeddingService, EmbedOutcome, ModelSpec, Vectors
from holovault.model import ModelStatus

DIGEST = 32


class RememberingEmbedding:
    """Asks the real service only for what it has not seen; queries and passages are kept apart."""

    def __init__(self, real: EmbeddingService, folder: Path) -> None:
        assert real.spec is not None, "a model is needed"
        self._real = real
        self._spec = real.spec
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(real.spec.identity.encode("utf-8")).hexdigest()[:16]
        self._keys, self._rows = folder / f"{name}.keys", folder / f"{name}.rows"
        self._known = self._read()

    @property
    def spec(self) -> ModelSpec | None:
        return self._spec

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        rows = self._remembered(["query"], [text], lambda missing: self._real.embed_query(missing[0], None).reshape(1, -1))
        return np.asarray(rows[0], dtype=np.float32)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        return EmbedOutcome(self._remembered(["passage"] * len(texts), texts, lambda missing: self._real.embed_passages(missing).vectors))

    def probes(self) -> Vectors:
        return self._remembered(["probe"] * 8, [str(number) for number in range(8)], lambda missing: self._real.probes())

    def warm(self) -> None:
        """Nothing until something new is asked."""

    def unload_if_idle(self) -> bool:
        return self._real.unload_if_idle()

    def status(self) -> ModelStatus:
        return self._real.status()

    def rss_mb(self) -> float:
        return self._real.rss_mb()

    def close(self) -> None:
        self._real.close()

    def _remembered(self, kinds: Sequence[str], texts: Sequence[str], make: Callable[[list[str]], Vectors]) -> Vectors:
        keys = [_key(kind, text) for kind, text in zip(kinds, texts, strict=True)]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            self._append(list(missing), make(list(missing.values())))
        return np.stack([self._known[key] for key in keys])

    def _append(self, keys: Sequence[bytes], rows: Vectors) -> None:
        with self._rows.open("ab") as row_file, self._keys.open("ab") as key_file:
            row_file.write(np.ascontiguousarray(rows, dtype="<f4").tobytes())
            row_file.flush()
            key_file.write(b"".join(keys))
        self._known.update(zip(keys, rows, strict=True))

    def _read(self) -> dict[bytes, Vectors]:
        if not self._keys.exists():
            return {}
        keys = self._keys.read_bytes()
        count = len(keys) // DIGEST
        rows = np.fromfile(self._rows, dtype="<f4", count=count * self._spec.dimension).reshape(count, -1)
        return {keys[number * DIGEST : (number + 1) * DIGEST]: row for number, row in enumerate(rows)}


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode("utf-8", "surrogatepass")).digest()
