"""Bytes of the archive's own records: the same for the same content, whatever wrote it."""

import hashlib
import json


def canonical_json(value: object) -> bytes:
    """Return JSON with sorted keys and no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
