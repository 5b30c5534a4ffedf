"""Words to the supervisor that started the daemon: the datagrams of sd_notify(3). Must not know what they mean to the daemon."""

import logging
import os
import socket
import sys

log = logging.getLogger(__name__)


class Notifier:
    """Sends states to the socket at `address` ("@" begins an abstract one); without an address, and on Windows, nothing is sent."""

    def __init__(self, address: str | None) -> None:
        self._address = address
        self._told = False

    def __call__(self, *states: str) -> bool:
        """Sends `states` ("READY=1") as one datagram and never waits; whether the supervisor has them."""
        if self._address is None or sys.platform == "win32":
            return False
        where = os.fsencode(self._address)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.setblocking(False)
                sender.sendto("\n".join(states).encode("utf-8"), b"\0" + where[1:] if where.startswith(b"@") else where)
        except OSError as error:
            # Once: a supervisor that went away would fill the log.
            log.log(logging.DEBUG if self._told else logging.WARNING, "the supervisor cannot be told anything: %s", error)
            self._told = True
            return False
        return True
