"""The command that speaks MCP. It prints nothing: standard output is the protocol's."""

from pathlib import Path

from holovault.cli.options import Vault


def mcp(vault: Vault = None) -> None:
    """Serve the vault to an agent over MCP, on standard input and output, until input ends."""
    from holovault.cli.reach import vault_root
    from holovault.config import Home, load_config, read_config
    from holovault.mcp_server import Daemon, serve

    root = vault_root(vault, Path.cwd())
    home = Home.from_environment()
    home.check_outside(root)
    serve(Daemon(home, root), load_config(*read_config(root)).memory.profile)
