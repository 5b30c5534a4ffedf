"""Work in another process: a parent that survives whatever its child does, and a child that dies with its parent.

    parent                                                    child (`python -m module`)
    child = Child("package.module", name="the cutter", …)     if __name__ == "__main__":
    answer = child.request(payload, timeout=60)                   serve(handle)          # handle(bytes) -> bytes

Owns processes, pipes, frames, memory caps and the words for what went wrong. Must not know what the payloads mean. A module that
serves calls `serve` before it imports anything heavy or talkative: what is printed from then on goes to the log.
"""

from typing import TYPE_CHECKING

from holovault.children.serving import serve

if TYPE_CHECKING:
    from holovault.children.child import Child
    from holovault.children.failures import WorkerDied, WorkerHung, WorkerOverMemory, WorkerRefused

__all__ = ["Child", "WorkerDied", "WorkerHung", "WorkerOverMemory", "WorkerRefused", "serve"]


def __getattr__(name: str) -> object:
    # A child that only serves must not pay for subprocess and psutil: 5 MB and 40 ms each.
    if name == "Child":
        from holovault.children.child import Child

        return Child
    if name in __all__:
        from holovault.children import failures

        return getattr(failures, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
