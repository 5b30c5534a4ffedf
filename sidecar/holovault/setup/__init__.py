"""What Holovault puts into the system around it, and takes out again: one background service per vault, words for agents.

Owns the descriptions of services (a systemd user unit, a launchd agent) and the commands that start and stop them; the package
`agents` owns what is put into the files of agents. Must not run the daemon itself, open an index, or touch what it did not write.
"""

from holovault.setup.journal import LogLine, follow, last_lines
from holovault.setup.launchd import trim
from holovault.setup.reports import Installation, Removal, ServiceStatus, Step
from holovault.setup.running import Ran, Runner, run_command
from holovault.setup.service import Service
from holovault.setup.spec import AGAIN, ServiceSpec, make_spec, output_of
from holovault.setup.systems import System, system_of

__all__ = [
    "AGAIN",
    "Installation",
    "LogLine",
    "Ran",
    "Removal",
    "Runner",
    "Service",
    "ServiceSpec",
    "ServiceStatus",
    "Step",
    "System",
    "follow",
    "last_lines",
    "make_spec",
    "output_of",
    "run_command",
    "system_of",
    "trim",
]
