"""Signatures: how a target knows that a request is Timegate's, and that it is not an old one."""

import hmac
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

HEADER = "Timegate-Signature"
#: While keys are exchanged, requests are signed with the old and the new one.
MAX_KEYS = 5


def signing_keys(secret: str) -> tuple[str, ...]:
    """The keys in a secret: one on each line, in any order; raises ``ValueError``."""
    keys = tuple(line.strip() for line in secret.splitlines() if line.strip())
    if not 1 <= len(keys) <= MAX_KEYS:
        message = f"a secret has 1 to {MAX_KEYS} keys, each on a line of its own"
        raise ValueError(message)
    return keys


def signature(keys: Sequence[str], body: bytes, *, now: datetime) -> str:
    """The value of ``Timegate-Signature``: when it was signed, and one HMAC for each key.

    The instant is signed with the body, so that a request that was overheard cannot be sent again
    later with another one.
    """
    timestamp = int(now.timestamp())
    signed = b"%d." % timestamp + body
    digests = [hmac.new(key.encode(), signed, sha256).hexdigest() for key in keys]
    return ",".join([f"t={timestamp}", *(f"v1={digest}" for digest in digests)])
