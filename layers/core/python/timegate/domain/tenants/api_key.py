"""API keys: credentials of programs, each of one tenant, for some scopes, with an end."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import ADMINISTRATION, TENANT_NAME, TenantId
from timegate.value_classes import dataclass

#: The beginning of every key, by which people and scanners know one.
KEY_PREFIX = "tgk_"
#: Keys of one tenant that are good at once.
MAX_KEYS = 50
MAX_KEY_NAME = 100
DEFAULT_LIFETIME = timedelta(days=365)
MAX_LIFETIME = timedelta(days=400)
#: An ended key is still listed for this time.
LISTED_AFTER_END = timedelta(days=30)
#: The characters of 32 bytes in Base64.
_SECRET_LENGTH = 43
#: Digits of the digest in an id.
_ID_DIGITS = 10
KEY_ID = re.compile(rf"[0-9]{{2}}[0-9a-f]{{{_ID_DIGITS}}}")
#: A name may have dots itself; slot and secret have none.
_KEY = re.compile(
    rf"{KEY_PREFIX}(?P<tenant>{ADMINISTRATION}|{TENANT_NAME.pattern})"
    rf"\.(?P<slot>[0-9]{{2}})\.(?P<secret>[A-Za-z0-9_-]{{{_SECRET_LENGTH}}})"
)


class KeyScope(StrEnum):
    """A scope that a tenant's key may have: every one but the stage's administration."""

    READ = "read"
    WRITE = "write"
    OPERATE = "operate"
    SEND = "send"
    WORKER = "worker"


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    """One key as the stage keeps it: everything but its secret.

    A key of ``ADMINISTRATION`` has no scopes of a tenant: it administers the stage, and no more.
    """

    tenant: TenantId
    #: Its place among the tenant's keys; a place is given again once its key has ended.
    slot: int
    #: For people.
    name: str
    #: The SHA-256 of the secret, which is random and so needs no slow hash.
    digest: str
    scopes: tuple[KeyScope, ...]
    created_at: datetime
    #: The subject that made it.
    created_by: str
    ends_at: datetime
    revoked_at: datetime | None = None
    #: The Idempotency-Key of its request, as a digest; empty: it had none.
    asked_as: str = ""
    #: Fingerprint of that request.
    request_hash: str = ""

    @property
    def key_id(self) -> str:
        """Its place and the beginning of its digest: a later key of the place has another id."""
        return f"{self.slot:02}{self.digest[:_ID_DIGITS]}"

    @property
    def subject(self) -> str:
        """The name by which the audit trail and runs call the program that holds it."""
        return f"key/{self.key_id}"

    def has_ended(self, now: datetime) -> bool:
        """Tell if it lets its holder in no more: at its end itself, or revoked."""
        return self.revoked_at is not None or self.ends_at <= now

    @property
    def listed_until(self) -> datetime:
        """Until when it is on record."""
        return (self.revoked_at or self.ends_at) + LISTED_AFTER_END


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyText:
    """A key as its holder sends it."""

    tenant: TenantId
    slot: int
    secret: str

    def opens(self, key: ApiKey) -> bool:
        """Tell if it is this key, in a time that says nothing of how much of it is right."""
        return compare_digest(digest_of(self.secret), key.digest)

    def __str__(self) -> str:
        """The text that is shown once."""
        return f"{KEY_PREFIX}{self.tenant}.{self.slot:02}.{self.secret}"


def read_key(text: str) -> KeyText | None:
    """Read a key; ``None`` for any other text."""
    found = _KEY.fullmatch(text)
    if found is None:
        return None
    return KeyText(
        tenant=TenantId(found["tenant"]), slot=int(found["slot"]), secret=found["secret"]
    )


def new_secret(seed: bytes) -> str:
    """Return the secret of fresh random bytes."""
    return urlsafe_b64encode(sha256(b"timegate api key\n" + seed).digest()).decode().rstrip("=")


def digest_of(secret: str) -> str:
    """Return what is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


def slot_of(key_id: str) -> int | None:
    """Return the place of a key's id; ``None`` for text that is no id."""
    return int(key_id[:2]) if KEY_ID.fullmatch(key_id) else None


def free_slot(
    keys: Collection[ApiKey], *, now: datetime, unreadable: Collection[int] = ()
) -> int | None:
    """The first place without a key, or else that of the key that ended first; ``None``: none.

    ``unreadable``: places whose keys cannot be read, and may open something.
    """
    taken = {*unreadable, *(key.slot for key in keys)}
    unused = (slot for slot in range(MAX_KEYS) if slot not in taken)
    ended = sorted((key.listed_until, key.slot) for key in keys if key.has_ended(now))
    return next(unused, ended[0][1] if ended else None)


def check_lifetime(ends_at: datetime, *, now: datetime) -> None:
    """Refuse an end that has come, or is too far away; raises ``InvalidInput``."""
    if ends_at <= now:
        raise InvalidInput("expires_at", "in_the_past", "It has passed.")
    if ends_at - now > MAX_LIFETIME:
        detail = f"It is at most {MAX_LIFETIME.days} days ahead."
        raise InvalidInput("expires_at", "out_of_range", detail)
