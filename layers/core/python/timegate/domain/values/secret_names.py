"""Names that say that what they name is secret: ``password``, ``X-Api-Key``, ``clientSecret``.

And texts that stand for a secret, and are none.
"""

import re
from functools import lru_cache

_PLACEHOLDER = re.compile(r"\[redacted.*|\*+|x{3,}|<[^>]*>|\$?\{.*\}|%s", re.IGNORECASE | re.DOTALL)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRETS = frozenset(
    {
        "apikey",
        "authorization",
        "cookie",
        "credential",
        "credentials",
        "passphrase",
        "passwd",
        "password",
        "passwords",
        "pwd",
        "secret",
        "secrets",
        "token",
    }
)
#: Keys of these kinds open something; others find or order things.
_OF_KEYS = frozenset(
    {"access", "api", "auth", "encryption", "private", "secret", "signing", "subscription"}
)
#: Tokens of these kinds are marks in a list, or make a request harmless to repeat.
_HARMLESS_TOKENS = frozenset(
    {
        "client",
        "continuation",
        "cursor",
        "idempotency",
        "next",
        "page",
        "pagination",
        "start",
        "sync",
    }
    | {"resume", "task", "delta"}
)


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Tell if a field, header or parameter of this name is meant to hold a secret itself.

    Its last words decide: ``secret_arn`` and ``password_policy`` hold none.
    """
    words = [word.lower() for word in _WORDS.findall(name[-100:])]
    if not words:
        return False
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "token":
        return before not in _HARMLESS_TOKENS
    return last in _SECRETS or (last == "key" and before in _OF_KEYS) or words == ["pass"]


def is_placeholder(text: str) -> bool:
    """Tell if a text stands for a secret: ``${PASSWORD}``, ``***``."""
    return bool(_PLACEHOLDER.fullmatch(text))
