"""Lease tokens: what a worker outside shows to prove that a run is, or was, its own.

A token is signed with a key that lies on the attempt, so it speaks for one tenant, one attempt and
one fence, and it cannot be made by others. It stays genuine when its lease is lost:
whether a lease is still held, the fence on record says.

A worker shows it beside the token that names its tenant. A target that calls back has no such
token: its own names the tenant, and how long it may be silent, under a signature that holds for
nothing else.
"""

import base64
import binascii
import hmac
from datetime import datetime
from hashlib import sha256

from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput, LeaseLost
from timegate.domain.values.identity import AttemptId, RunId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId, tenant_id
from timegate.value_classes import dataclass

#: Length of the key with which an attempt's tokens are signed.
LEASE_KEY_BYTES = 16
#: Length of the signature: as hard to guess as the key.
_SIGNATURE_BYTES = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaseToken:
    """Claims of a token; only ``is_genuine`` tells if they are true."""

    #: The attempt's number within the run that is asked about.
    attempt: int
    fence: int
    claimed_at: datetime
    signature: str
    #: Terms of a target that calls back.
    callback: "CallbackTerms | None" = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CallbackTerms:
    """Tenant of a target that holds a run, and how long it may be silent."""

    tenant: TenantId
    silence_seconds: int


def issue_callback_token(attempt: Attempt, *, claimed_at: datetime, silence_seconds: int) -> str:
    """The token with which a target speaks for the lease under which it is called now."""
    terms = CallbackTerms(tenant=attempt.tenant, silence_seconds=silence_seconds)
    signature = _sign_own(attempt, claimed_at, terms)
    head = f"{attempt.id.number}.{attempt.fence}.{compact(claimed_at)}.{signature}"
    return _encoded(f"{head}.{silence_seconds}.{attempt.tenant}")


def tenant_in(text: object) -> TenantId | None:
    """The tenant that a target's token names; whether it is true, ``is_genuine`` tells."""
    try:
        terms = _parsed(text).callback if isinstance(text, str) else None
    except (ValueError, binascii.Error, InvalidInput):
        return None
    return terms.tenant if terms is not None else None


def issue_token(attempt: Attempt, *, claimed_at: datetime) -> str:
    """The token of the lease under which the attempt is held now."""
    signature = _sign_own(attempt, claimed_at, None)
    return _encoded(f"{attempt.id.number}.{attempt.fence}.{compact(claimed_at)}.{signature}")


def read_token(text: str, run: RunId) -> LeaseToken:
    """Read a token back; what is none raises ``LeaseLost``, as an old one does."""
    try:
        return _parsed(text)
    except (ValueError, binascii.Error, InvalidInput) as error:
        raise LeaseLost(str(run)) from error


def is_genuine(token: LeaseToken, tenant: TenantId, attempt: AttemptId, key: str | None) -> bool:
    """Tell if the token was issued for this very attempt, now or under an earlier lease.

    ``key``: the attempt's own; ``None``: it was never held outside.
    """
    if key is None:
        return False
    if token.callback is not None and token.callback.tenant != tenant:
        return False
    expected = _sign(tenant, attempt, key, token.fence, token.claimed_at, token.callback)
    return hmac.compare_digest(expected, token.signature)


def _parsed(text: str) -> LeaseToken:
    padded = text.encode() + b"=" * (-len(text) % 4)
    said = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    # A tenant's name may have dots, and stands last.
    number, fence, claimed_at, signature, *terms = said.split(".", 5)
    if not (number.isdecimal() and fence.isdecimal() and 0 < int(number) < 10**9):
        raise ValueError(said)
    return LeaseToken(
        attempt=int(number),
        fence=int(fence),
        claimed_at=from_compact(claimed_at),
        signature=signature,
        callback=_terms(terms) if terms else None,
    )


def _terms(texts: list[str]) -> CallbackTerms:
    seconds, tenant = texts
    if not seconds.isdecimal():
        raise ValueError(seconds)
    return CallbackTerms(tenant=tenant_id(tenant), silence_seconds=int(seconds))


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _sign(
    tenant: TenantId,
    attempt: AttemptId,
    key: str,
    fence: int,
    claimed_at: datetime,
    terms: CallbackTerms | None,
) -> str:
    signed = [tenant, str(attempt), str(fence), compact(claimed_at)]
    if terms is not None:
        signed.append(f"callback {terms.silence_seconds}")
    return (
        hmac.new(key.encode(), "\n".join(signed).encode(), sha256).digest()[:_SIGNATURE_BYTES].hex()
    )


def _sign_own(attempt: Attempt, claimed_at: datetime, terms: CallbackTerms | None) -> str:
    key = attempt.lease_key or ""
    return _sign(attempt.tenant, attempt.id, key, attempt.fence, claimed_at, terms)
