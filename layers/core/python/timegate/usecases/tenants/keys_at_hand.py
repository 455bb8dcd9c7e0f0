"""API keys at hand: what a process read of them a moment ago."""

from datetime import datetime
from threading import Lock

from timegate.domain.tenants.api_key import ApiKey, KeyText, read_key
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import ApiKeyEnded, ApiKeyUnknown
from timegate.ports.tenants.api_key_store import ApiKeyStore
from timegate.usecases.services.tenants_at_hand import HEARD_WITHIN, MOST_KEPT

_Place = tuple[TenantId, int]


class KeysAtHand:
    """The keys that this process has read lately, places without one among them."""

    def __init__(self, store: ApiKeyStore) -> None:
        self.store = store
        self._lock = Lock()
        self._read: dict[_Place, tuple[datetime, ApiKey | None]] = {}

    def admitted(self, text: str, *, now: datetime) -> ApiKey:
        """The key of a text; a revocation is heard of within ten seconds.

        Raises ``ApiKeyUnknown`` for any text that is no key, which reads nothing, and for one that
        the stage does not know; ``ApiKeyEnded`` for one whose holder has proved to have it.
        """
        sent = read_key(text)
        key = self._key(sent, now) if sent is not None else None
        if sent is None or key is None or not sent.opens(key):
            raise ApiKeyUnknown
        if key.has_ended(now):
            raise ApiKeyEnded(key.key_id, is_revoked=key.revoked_at is not None)
        return key

    def forget(self, key: ApiKey) -> None:
        """Forget a key, so that the next request reads it anew."""
        with self._lock:
            self._read.pop((key.tenant, key.slot), None)

    def _key(self, sent: KeyText, now: datetime) -> ApiKey | None:
        place = sent.tenant, sent.slot
        with self._lock:
            read_at, key = self._read.get(place, (None, None))
        if read_at is not None and abs(now - read_at) < HEARD_WITHIN:
            return key
        key = self.store.get(sent.tenant, sent.slot)
        with self._lock:
            self._read.pop(place, None)
            self._read[place] = now, key
            while len(self._read) > MOST_KEPT:
                self._read.pop(next(iter(self._read)))
        return key
