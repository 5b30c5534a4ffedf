"""A parent that starts a worker, says its pid, and waits to be killed: `python -m tests.support.orphan_parent busy|idle`."""

import sys
import threading
import time

from holovault.children import Child
from tests.support.processes import ENVIRONMENT


def ask() -> None:
    """Starts a worker where it stands and says its answer."""
    child = Child("tests.support.fake_worker", name="the worker", memory_mb=500)
    sys.stdout.write(child.request(b"echo fine", 30).decode("ascii"))
    child.close()


if __name__ == "__main__":
    child = Child("tests.support.fake_worker", name="the worker", memory_mb=500, env=ENVIRONMENT)
    sys.stdout.write(child.request(b"pid", 30).decode("ascii") + "\n")
    sys.stdout.flush()
    if sys.argv[1] == "busy":
        threading.Thread(target=child.request, args=(b"hang", 600), daemon=True).start()
    time.sleep(600)
