"""The proof that a port belongs to the daemon whose run file was read. Pure; must not send or store anything.

After kill -9 another program may listen on the daemon's port, so a client sends a nonce first and its
token only to whoever answers with HMAC-SHA256(token, nonce) (RFC 2104).
"""

import hashlib
import hmac


def prove(token: str, nonce: str) -> str:
    """The lower-case hex HMAC-SHA256 of `nonce` under `token`, both as UTF-8."""
    return hmac.new(token.encode("utf-8"), nonce.encode("utf-8"), hashlib.sha256).hexdigest()


def proven(token: str, nonce: str, proof: str) -> bool:
    """Whether `proof` answers `nonce`; compared in constant time."""
    return hmac.compare_digest(prove(token, nonce).encode("utf-8"), proof.encode("utf-8", errors="replace"))
