"""What agents are told about a vault, in their own files: instructions, a skill, an entry for the MCP server.

Owns those texts and the merging of them into files that belong to others. Must not change a byte that is not ours.
"""

from holovault.setup.agents.agents import Agents, Wanted
from holovault.setup.agents.clients import ClientName
from holovault.setup.agents.reports import AgentsReport, Place

__all__ = ["Agents", "AgentsReport", "ClientName", "Place", "Wanted"]
