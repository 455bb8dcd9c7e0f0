"""Signatures of web hooks, as Standard Webhooks 1.0.0 describes them (symmetric, ``v1``)."""

import base64
import hmac
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

ID_HEADER = "webhook-id"
TIMESTAMP_HEADER = "webhook-timestamp"
SIGNATURE_HEADER = "webhook-signature"

KEY_PREFIX = "whsec_"
#: Bytes of a key, both included.
MIN_KEY_BYTES, MAX_KEY_BYTES = 24, 64
#: While keys are exchanged, requests are signed with the old and the new one.
MAX_KEYS = 5
_FORM = f"{KEY_PREFIX} followed by {MIN_KEY_BYTES} to {MAX_KEY_BYTES} bytes in Base64"


def signing_keys(secret: str) -> tuple[str, ...]:
    """Read the keys in a secret: one on each line, in any order.

    Raises ``ValueError``, which names the line and shows no key.
    """
    keys = tuple(line.strip() for line in secret.splitlines() if line.strip())
    if not 1 <= len(keys) <= MAX_KEYS:
        message = f"a secret has 1 to {MAX_KEYS} keys, each on a line of its own"
        raise ValueError(message)
    for number, key in enumerate(keys, start=1):
        if _bytes_of(key) is None:
            message = f"key {number} is not {_FORM}"
            raise ValueError(message)
    return keys


def headers(message_id: str, body: bytes, keys: Sequence[str], *, now: datetime) -> dict[str, str]:
    """Build the headers of a message that is sent now: id, second, and a signature for each key.

    Without keys it has no signature. A key of another form raises ``ValueError``.
    """
    timestamp = str(int(now.timestamp()))
    about = {ID_HEADER: message_id, TIMESTAMP_HEADER: timestamp}
    if not keys:
        return about
    signed = f"{message_id}.{timestamp}.".encode() + body
    return {**about, SIGNATURE_HEADER: " ".join(f"v1,{signature(key, signed)}" for key in keys)}


def signatures_in(header: str) -> tuple[str, ...]:
    """Read the signatures in a header, without their version."""
    return tuple(each.removeprefix("v1,") for each in header.split())


def signature(key: str, signed: bytes) -> str:
    """Sign bytes with a key, without the version; a key of another form raises ``ValueError``."""
    secret = _bytes_of(key)
    if secret is None:
        # Signed with nothing it would look signed.
        message = f"a key is {_FORM}"
        raise ValueError(message)
    return base64.b64encode(hmac.new(secret, signed, sha256).digest()).decode()


def _bytes_of(key: str) -> bytes | None:
    """Decode a key; ``None``: it has another form."""
    if not key.startswith(KEY_PREFIX):
        return None
    # Some programs leave the padding out, as verifiers accept it.
    encoded = key.removeprefix(KEY_PREFIX).rstrip("=")
    try:
        decoded = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        return None
    return decoded if MIN_KEY_BYTES <= len(decoded) <= MAX_KEY_BYTES else None
