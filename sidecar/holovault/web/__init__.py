"""The HTTP surface: one engine behind a guarded loopback port.

Owns translation only: requests to engine calls, answers and errors to JSON. Must not decide anything about notes.
"""

from holovault.web.app import make_app
from holovault.web.attending import attend
from holovault.web.daemon import listen, run, serving
from holovault.web.logs import log_to
from holovault.web.notify import Notifier
from holovault.web.settings import Served, ServerSettings

__all__ = ["Notifier", "Served", "ServerSettings", "attend", "listen", "log_to", "make_app", "run", "serving"]
