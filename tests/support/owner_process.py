"""A process that becomes the owner of a vault's index, says how that went, and keeps it until its input ends."""

import sys
from pathlib import Path

from holovault.config import Home
from holovault.errors import BusyError
from holovault.ownership import acquire


def main() -> None:
    """Arguments: home, vault, port or "-"."""
    home, vault, port = Home(Path(sys.argv[1])), Path(sys.argv[2]), sys.argv[3]
    sys.stdin.readline()
    try:
        lease = acquire(home, vault, "process of a test")
    except BusyError as error:
        sys.stdout.write(f"busy {error}\n")
        return
    if port != "-":
        lease.publish(int(port))
    sys.stdout.write("owner\n")
    sys.stdout.flush()
    sys.stdin.readline()
    lease.release()


if __name__ == "__main__":
    main()
