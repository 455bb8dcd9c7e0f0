"""Proofs of requests to web hooks: headers and body are signed with the hook's secret."""

import hmac
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256

from timegate.domain.actions import signatures
from timegate.domain.event_triggers.event_trigger import HookId, HookScheme
from timegate.value_classes import dataclass

#: Clocks of senders differ, and so do ways; an older request may be an old one sent again.
TOLERANCE = timedelta(minutes=5)
GITHUB_SIGNATURE = "x-hub-signature-256"
GITHUB_ID = "x-github-delivery"
GITHUB_EVENT = "x-github-event"
#: Form of 130 random bits or more.
_HOOK_ID = re.compile(r"[a-z2-7]{26}")
#: A dot parts id, second and body where they are signed.
_MESSAGE_ID = re.compile(r"[\x21-\x2d\x2f-\x7e]{1,256}")
_SECOND = re.compile(r"[1-9][0-9]{0,11}", re.ASCII)
_GITHUB_SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}", re.ASCII)
_EVENT_NAME = re.compile(r"[a-z0-9_.-]{1,64}", re.ASCII)
_MAX_SIGNATURES = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """Everything of a request that says who sent which message."""

    scheme: HookScheme
    #: The same when the message is sent again.
    message_id: str
    #: By the sender's clock; ``None``: the scheme has none.
    second: int | None = None
    signatures: tuple[str, ...]
    #: Kind of the message, from the sender's header.
    event: str = ""

    def is_timely(self, now: datetime) -> bool:
        """Tell if it was signed within the tolerance of now."""
        return self.second is None or abs(now.timestamp() - self.second) <= (
            TOLERANCE.total_seconds()
        )

    def holds(self, secret: str, body: bytes) -> bool:
        """Tell if one key of a secret signed it, in a time that says nothing of the signature.

        Raises ``ValueError`` for a secret that holds no key of the scheme.
        """
        made = self._made(secret, body)
        # Each is compared with each: how long that takes does not depend on which one is equal.
        equal = [
            hmac.compare_digest(given.encode(), each.encode())
            for given in self.signatures
            for each in made
        ]
        return True in equal

    def _made(self, secret: str, body: bytes) -> tuple[str, ...]:
        if self.scheme is HookScheme.STANDARD:
            keys = signatures.signing_keys(secret)
            signed = f"{self.message_id}.{self.second}.".encode() + body
            return tuple(signatures.signature(key, signed) for key in keys)
        lines = [line.strip() for line in secret.splitlines() if line.strip()]
        if not 1 <= len(lines) <= signatures.MAX_KEYS:
            message = f"a secret has 1 to {signatures.MAX_KEYS} keys, each on a line of its own"
            raise ValueError(message)
        return tuple(
            f"sha256={hmac.new(line.encode(), body, sha256).hexdigest()}" for line in lines
        )


def proof_in(headers: Mapping[str, str]) -> Proof | None:
    """Read the proof in the headers of a request, by lower-case names; ``None``: none is there."""
    return _standard(headers) or _github(headers)


def parse_hook_id(text: str) -> HookId | None:
    """Return the id when ``text`` has the shape of one; ``None`` means no such hook can exist."""
    return HookId(text) if _HOOK_ID.fullmatch(text) else None


def _standard(headers: Mapping[str, str]) -> Proof | None:
    message_id = headers.get(signatures.ID_HEADER, "")
    second = headers.get(signatures.TIMESTAMP_HEADER, "")
    given = headers.get(signatures.SIGNATURE_HEADER, "").split()
    known = tuple(each.removeprefix("v1,") for each in given if each.startswith("v1,"))
    is_formed = _MESSAGE_ID.fullmatch(message_id) and _SECOND.fullmatch(second)
    if not is_formed or not known or len(given) > _MAX_SIGNATURES:
        return None
    return Proof(
        scheme=HookScheme.STANDARD, message_id=message_id, second=int(second), signatures=known
    )


def _github(headers: Mapping[str, str]) -> Proof | None:
    given, message_id = headers.get(GITHUB_SIGNATURE, ""), headers.get(GITHUB_ID, "")
    event = headers.get(GITHUB_EVENT, "")
    if not _GITHUB_SIGNATURE.fullmatch(given) or not _MESSAGE_ID.fullmatch(message_id):
        return None
    if not _EVENT_NAME.fullmatch(event):
        return None
    return Proof(scheme=HookScheme.GITHUB, message_id=message_id, signatures=(given,), event=event)
