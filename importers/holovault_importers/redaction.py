"""Secrets in text: found by their own forms, replaced by what they were. Pure.

Owns the rules. Only forms that are secrets wherever they stand, so that ordinary text is never damaged; the original export
is never touched. Must not log or keep what it found.
"""

import re

_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)")),
    ("API key", re.compile(r"\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{16,}")),
    ("AWS key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})")),
    ("GitLab token", re.compile(r"\bglpat-[A-Za-z0-9_-]{16,}")),
    ("Slack token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    ("Google key", re.compile(r"\bAIza[0-9A-Za-z_-]{30,}")),
    ("Stripe key", re.compile(r"\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}")),
    ("npm token", re.compile(r"\bnpm_[A-Za-z0-9]{30,}")),
    ("Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{30,}")),
    ("Holovault token", re.compile(r"\bhv_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")),
    ("web token", re.compile(r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}")),
    ("bearer token", re.compile(r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{16,}=*")),
    ("password in an address", re.compile(r"(?<=://)[^\s/:@\"'<>]{1,64}:[^\s/@\"'<>]{1,128}(?=@)")),
    (
        "value of a secret",
        re.compile(
            r"(?im)(?:^|(?<=[\s\"'{,;]))(?:export\s+)?[A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]*"
            r"(?:\\?[\"'])?\s*[=:]\s*(?:\\?[\"'])?(?P<value>[^\s\"'\\,;{}<>\[\]]{6,})"
        ),
    ),
)


def redact(text: str) -> tuple[str, int]:
    """The text with `[redacted: kind]` for every secret, and how many there were."""
    total = 0
    for kind, rule in _RULES:
        text, count = _replaced(text, kind, rule)
        total += count
    return text, total


def _replaced(text: str, kind: str, rule: re.Pattern[str]) -> tuple[str, int]:
    mark = f"[redacted: {kind}]"
    if "value" not in rule.groupindex:
        return rule.subn(mark, text)
    pieces: list[str] = []
    at = count = 0
    for found in rule.finditer(text):
        if not found["value"].startswith("[redacted"):
            pieces += [text[at : found.start("value")], mark]
            at = found.end("value")
            count += 1
    return "".join((*pieces, text[at:])), count
