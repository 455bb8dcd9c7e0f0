"""API keys at hand: what a process read of them a moment ago."""

from datetime import datetime
from threading import Lock

from timegate.domain.tenants.api_key import ApiKey, KeyText, digest_of, read_key
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import ApiKeyEnded, ApiKeyUnknown
from timegate.ports.tenants.api_key_store import ApiKeyStore
from timegate.usecases.services.tenants_at_hand import HEARD_WITHIN, MOST_KEPT
from timegate.value_classes import dataclass

_Place = tuple[TenantId, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """A place as it was read, and the secret that it was read for in vain."""

    at: datetime
    #: ``None``: the place has none.
    key: ApiKey | None
    #: A digest; empty: the secret was that of the key.
    refused: str


class KeysAtHand:
    """The keys that this process has read lately, places without one among them."""

    def __init__(self, store: ApiKeyStore) -> None:
        self.store = store
        self._lock = Lock()
        self._read: dict[_Place, _Reading] = {}

    def admitted(self, text: str, *, now: datetime) -> ApiKey:
        """The key of a text; a revocation is heard of within ten seconds.

        Raises ``ApiKeyUnknown`` for any text that is no key, which reads nothing, and for one that
        the stage does not know; ``ApiKeyEnded`` for one whose holder has proved to have it.
        """
        sent = read_key(text)
        key = self._opened(sent, now) if sent is not None else None
        if key is None:
            raise ApiKeyUnknown
        if key.has_ended(now):
            raise ApiKeyEnded(key.key_id, is_revoked=key.revoked_at is not None)
        return key

    def forget(self, key: ApiKey) -> None:
        """Forget a key, so that the next request reads it anew."""
        with self._lock:
            self._read.pop((key.tenant, key.slot), None)

    def _opened(self, sent: KeyText, now: datetime) -> ApiKey | None:
        """Return the key that a text opens; ``None``: there is none.

        A text that does not open what is at hand may be a new key of its place, and is read for
        once: a new key lets its holder in at once.
        """
        place, digest = (sent.tenant, sent.slot), digest_of(sent.secret)
        with self._lock:
            known = self._read.get(place)
        if known is not None and abs(now - known.at) < HEARD_WITHIN:
            if known.key is not None and sent.opens(known.key):
                return known.key
            if known.refused == digest:
                return None
        key = self.store.get(sent.tenant, sent.slot)
        opens = key is not None and sent.opens(key)
        with self._lock:
            self._read.pop(place, None)
            self._read[place] = _Reading(at=now, key=key, refused="" if opens else digest)
            while len(self._read) > MOST_KEPT:
                self._read.pop(next(iter(self._read)))
        return key if opens else None
