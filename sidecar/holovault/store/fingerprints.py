"""Which model's vectors count, and which are being made.

Owns `fingerprints` and the two roles: the *serving* one is searched, the *filling* one is made behind it and takes over when it is
complete. A fingerprint is what the model says of itself and what it makes of fixed texts: an update that changes neither costs
nothing. Vectors of other fingerprints stay where they are until they are pruned.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from holovault.store.database import Database, Row
from holovault.store.values import Fingerprint, Float32, Scale

SAME_COSINE = 0.9999
_SERVING = "fingerprint"
_FILLING = "filling"
_COLUMNS = "number, id, identity, dimension, window, settings"


class Fingerprints:
    """The known fingerprints and the two that have a role; both change together with a commit, never apart."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._roles = self._read()

    @property
    def serving(self) -> Fingerprint | None:
        """The one that is searched; none until a model was adopted."""
        return self._roles[0]

    @property
    def filling(self) -> Fingerprint | None:
        """The one that is to take over, none while nothing changes."""
        return self._roles[1]

    @property
    def used(self) -> tuple[Fingerprint, ...]:
        """Those that have a role, the serving one first."""
        return tuple(one for one in self._roles if one is not None)

    def all(self) -> list[Fingerprint]:
        """Every fingerprint that was ever adopted and not pruned, oldest first."""
        return [Fingerprint(*row) for row in self._database.rows(f"SELECT {_COLUMNS} FROM fingerprints ORDER BY number")]

    def find(self, identity: str, probes: Float32) -> Fingerprint | None:
        """The one with this identity whose probes all lie within cosine .9999 of these (n, dimension), the newest of several."""
        for row in self._database.rows(f"SELECT {_COLUMNS}, probes FROM fingerprints WHERE identity = ? ORDER BY number DESC", (identity,)):
            found = Fingerprint(*row[:-1])
            before = np.frombuffer(row[-1], dtype="<f4").reshape(-1, found.dimension)
            if before.shape == probes.shape and bool((_cosines(before, probes) >= SAME_COSINE).all()):
                return found
        return None

    def known(self, identity: str, dimension: int, probes: Float32, window: int, settings: str) -> Fingerprint:
        """The one of this model, new if need be; `settings` are remembered with it as they are now."""
        if probes.ndim != 2 or probes.shape[1] != dimension or not np.isfinite(probes).all():
            raise ValueError(f"probes must be finite and (n, {dimension}), not {probes.shape}")
        found = self.find(identity, probes) or self._new(identity, dimension, probes, window)
        with self._database.atomic() as connection:
            if found.settings != settings:
                connection.execute("UPDATE fingerprints SET settings = ? WHERE number = ?", (settings, found.number))
        return Fingerprint(found.number, found.id, identity, dimension, found.window, settings)

    def _new(self, identity: str, dimension: int, probes: Float32, window: int) -> Fingerprint:
        blob = np.ascontiguousarray(probes, dtype="<f4").tobytes()
        name = hashlib.sha256(identity.encode() + b"\0" + blob).hexdigest()[:16]
        row: Row = self._database.rows(
            f"INSERT INTO fingerprints (id, identity, dimension, probes, window) VALUES (?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
            (name, identity, dimension, blob, window),
        )[0]
        return Fingerprint(*row)

    def assign(self, serving: Fingerprint | None, filling: Fingerprint | None) -> None:
        """Give out both roles anew, with the running transaction or in one of their own."""
        with self._database.atomic() as connection:
            for key, found in ((_SERVING, serving), (_FILLING, filling)):
                if found is None:
                    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
                else:
                    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, str(found.number)))
            self._database.after_commit(self._reload)

    def forget(self, gone: Sequence[Fingerprint]) -> None:
        """Strike fingerprints without a role off the list."""
        with self._database.atomic() as connection:
            connection.executemany("DELETE FROM fingerprints WHERE number = ?", ((one.number,) for one in gone))

    def _reload(self) -> None:
        self._roles = self._read()

    def _read(self) -> tuple[Fingerprint | None, Fingerprint | None]:
        return self._named(_SERVING), self._named(_FILLING)

    def _named(self, key: str) -> Fingerprint | None:
        row = self._database.row(f"SELECT {_COLUMNS} FROM fingerprints WHERE number = (SELECT value FROM meta WHERE key = ?)", (key,))
        return None if row is None else Fingerprint(*row)

    def scale(self, of: Fingerprint | None) -> Scale | None:
        """The measured scale, or none yet."""
        row = None if of is None else self._database.row("SELECT floor, ceiling FROM fingerprints WHERE number = ?", (of.number,))
        return None if row is None or row[0] is None else Scale(*row)

    def set_scale(self, of: Fingerprint | None, floor: float, ceiling: float) -> None:
        """Record what cosines mean; `floor < ceiling`."""
        if not floor < ceiling:
            raise ValueError(f"the floor {floor} must lie below the ceiling {ceiling}")
        if of is not None:
            with self._database.atomic() as connection:
                connection.execute("UPDATE fingerprints SET floor = ?, ceiling = ? WHERE number = ?", (floor, ceiling, of.number))


def _cosines(left: Float32, right: Float32) -> Float32:
    norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    cosines: Float32 = (left * right).sum(axis=1) / np.maximum(norms, 1e-12)
    return cosines
