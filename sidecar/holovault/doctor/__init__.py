"""Looks over everything a vault's search depends on and says for each thing whether it is well, and what to do if not.

Owns the list of checks, their words and their order, and the repairs of `--fix`: nothing but what can be derived again or is a file of
ours. Must not print, must not show a secret or a note's text, and leaves nothing behind in the vault.
"""

from holovault.doctor.doctor import Doctor
from holovault.doctor.report import Check, Report, State

__all__ = ["Check", "Doctor", "Report", "State"]
