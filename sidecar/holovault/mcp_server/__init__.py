"""The vault for agents, over MCP on standard input and output.

Owns tools, resources and the prompt: parse, ask the daemon, answer in words that cost few tokens. A thin
client: it starts the daemon where none runs, and opens no index, loads no model and imports no numpy itself.
Importing this package loads nothing heavy; the SDK comes with `serve`.
"""

from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.serving import serve

__all__ = ["Daemon", "serve"]
