"""Other people's MCP clients against our server. Run by `make test-mcp-clients` only: the clients come from package registries."""
