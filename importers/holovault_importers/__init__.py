"""Importers of chat history into notes. Nothing is imported here, so that the command line starts fast."""
