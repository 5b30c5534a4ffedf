"""Who owns a vault's index: one lock, one run file, and how others find the owner.

Owns everything below `run/` of the home folder. Must not open an index, speak HTTP or start a process.
"""

from holovault.ownership.lease import Lease, acquire, busy, is_held
from holovault.ownership.proof import prove, proven
from holovault.ownership.runfile import PROTOCOL, RunFile
from holovault.ownership.scan import find, live

__all__ = ["PROTOCOL", "Lease", "RunFile", "acquire", "busy", "find", "is_held", "live", "prove", "proven"]
