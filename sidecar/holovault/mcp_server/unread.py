"""Lines that are no message: no JSON at all, or JSON that JSON-RPC does not know.

Owns the answer to them, which JSON-RPC asks for and the SDK leaves out: it drops such a line in silence, and whoever sent it waits for
ever. Must not read or write the wire.
"""

import json

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_SENTENCES = {
    _PARSE_ERROR: "Parse error: this line is no JSON, or is nested too deeply. Send one message on one line.",
    _INVALID_REQUEST: "Invalid Request: this line is JSON, but no message of JSON-RPC 2.0.",
}


def rejection(line: bytes) -> bytes | None:
    """The answer to a line that is no message, a line itself; null for a message, and for a blank line."""
    # what the SDK reads messages with, and only now: it is compiled when the first message is there
    from mcp_types import jsonrpc_message_adapter
    from pydantic import ValidationError

    text = line.decode("utf-8", "replace")
    if not text.strip():
        return None
    try:
        jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as error:
        unreadable = any(problem["type"] == "json_invalid" for problem in error.errors(include_url=False, include_input=False))
        code = _PARSE_ERROR if unreadable else _INVALID_REQUEST
        answer = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": _SENTENCES[code]}}
        return json.dumps(answer).encode() + b"\n"
    return None
