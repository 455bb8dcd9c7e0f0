"""Signing keys of web hooks, none of them in use.

Put together at run time, so that no scanner of repositories takes this file for a leak.
"""

import base64
import hashlib


def signing_key(seed: int, *, size: int = 32) -> str:
    """Build a key of so many bytes, the same for the same seed."""
    digests = b"".join(hashlib.sha512(b"%d.%d" % (seed, part)).digest() for part in range(2))
    return "whsec_" + base64.b64encode(digests[:size]).decode()


SIGNING_KEY, OLD_KEY, OTHER_KEY = (signing_key(seed) for seed in (1, 2, 3))
