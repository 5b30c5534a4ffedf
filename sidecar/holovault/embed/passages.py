"""Many texts through a worker that may die over one of them.

Owns the cutting into batches and the search for the culprit by halves. Must not know processes: it is handed the function to call.
"""

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from holovault.embed.service import EmbedOutcome, ModelUnavailable
from holovault.embed.spec import Vectors
from holovault.errors import WorkerError

_BYTES_PER_TOKEN = 4


def batches(texts: Sequence[str], size: int, tokens: int) -> list[tuple[int, ...]]:
    """Positions of `texts` in order, at most `size` and about `tokens` in one batch, at least one text.

    A bound for memory, not a count: a token is taken as 4 bytes of UTF-8, right for English and ideographs, cautious for Cyrillic.
    """
    made: list[list[int]] = []
    used = 0
    for position, text in enumerate(texts):
        cost = 1 + len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN
        if not made or len(made[-1]) >= size or used + cost > tokens:
            made.append([])
            used = 0
        made[-1].append(position)
        used += cost
    return [tuple(batch) for batch in made]


def embed_in_batches(
    texts: Sequence[str], plan: Sequence[tuple[int, ...]], dimension: int, ask: Callable[[list[str]], Vectors]
) -> EmbedOutcome:
    """Vectors of all texts; a batch that fails is halved, a single text that fails twice is given up.

    ModelUnavailable from `ask` passes through, every other WorkerError counts against the batch.
    """
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    pending = deque(plan)
    warned: set[int] = set()
    given_up: dict[int, str] = {}
    while pending:
        batch = pending.popleft()
        try:
            vectors[list(batch)] = ask([texts[position] for position in batch])
        except ModelUnavailable:
            raise
        except WorkerError as error:
            if len(batch) == 1 and batch[0] in warned:
                given_up[batch[0]] = str(error)
            else:
                warned.update(batch if len(batch) == 1 else ())
                pending.extendleft(reversed(_halves(batch)))
    failed = tuple(sorted(given_up))
    return EmbedOutcome(vectors, failed, tuple(given_up[position] for position in failed))


def _halves(batch: tuple[int, ...]) -> list[tuple[int, ...]]:
    middle = len(batch) // 2
    return [half for half in (batch[:middle], batch[middle:]) if half]
