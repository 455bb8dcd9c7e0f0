"""Lease tokens: what a worker outside shows to prove that a run is, or was, its own.

A token is signed with a key that lies on the attempt, so it speaks for one tenant, one attempt and
one fence, and nobody can make one who was not given it. It stays genuine when its lease is lost:
whether a lease is still held, the fence on record says.
"""

import base64
import binascii
import hmac
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from timegate.domain.errors import InvalidInput, LeaseLost
from timegate.domain.identity import RunId
from timegate.domain.instants import compact, from_compact
from timegate.domain.run import Attempt

#: Bytes of the signature: as hard to guess as the key.
_SIGNATURE_BYTES = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaseToken:
    """What a token says; only ``is_genuine`` tells whether it is true."""

    #: The attempt's number within the run that is asked about.
    attempt: int
    fence: int
    claimed_at: datetime
    signature: str


def issue_token(attempt: Attempt, *, claimed_at: datetime) -> str:
    """The token of the lease under which the attempt is held now."""
    signature = _sign(attempt, attempt.fence, claimed_at)
    text = f"{attempt.id.number}.{attempt.fence}.{compact(claimed_at)}.{signature}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_token(text: str, run: RunId) -> LeaseToken:
    """Read a token back; what is none raises ``LeaseLost``, as an old one does."""
    try:
        padded = text.encode() + b"=" * (-len(text) % 4)
        parts = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii").split(".")
        number, fence, claimed_at, signature = parts
        if not (number.isdecimal() and fence.isdecimal() and 0 < int(number) < 10**9):
            raise LeaseLost(str(run))
        return LeaseToken(
            attempt=int(number),
            fence=int(fence),
            claimed_at=from_compact(claimed_at),
            signature=signature,
        )
    except (ValueError, binascii.Error, InvalidInput) as error:
        raise LeaseLost(str(run)) from error


def is_genuine(token: LeaseToken, attempt: Attempt) -> bool:
    """Whether the token was issued for this very attempt, now or under an earlier lease."""
    if attempt.lease_key is None:
        return False
    expected = _sign(attempt, token.fence, token.claimed_at)
    return hmac.compare_digest(expected, token.signature)


def _sign(attempt: Attempt, fence: int, claimed_at: datetime) -> str:
    signed = "\n".join([attempt.tenant, str(attempt.id), str(fence), compact(claimed_at)])
    key = (attempt.lease_key or "").encode()
    return hmac.new(key, signed.encode(), sha256).digest()[:_SIGNATURE_BYTES].hex()
