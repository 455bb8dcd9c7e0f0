"""API keys, as the use cases see them."""

from datetime import datetime
from typing import Protocol

from timegate.domain.tenants.api_key import ApiKey
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class KeysOnRecord:
    """A tenant's keys by place, and the places whose records cannot be read."""

    keys: tuple[ApiKey, ...]
    #: Places, and what is wrong with their records.
    damaged: tuple[tuple[int, str], ...] = ()


class ApiKeyStore(Protocol):
    """Keys of tenants, each in a place of its own. All raise ``Throttled``."""

    def get(self, tenant: TenantId, slot: int) -> ApiKey | None:
        """The key in a place, strongly consistent."""

    def list_keys(self, tenant: TenantId, *, now: datetime) -> KeysOnRecord:
        """Every key on record, by place, strongly consistent. A damaged one hides no other."""

    def put(self, before: ApiKey | None, after: ApiKey) -> bool:
        """Store a key in its place; ``False``: the place is no more as read, ``before``."""


class KeyRing(Protocol):
    """Keys that a process remembers."""

    @property
    def store(self) -> ApiKeyStore:
        """The keys themselves."""

    def admitted(self, text: str, *, now: datetime) -> ApiKey:
        """The key of a text; raises ``ApiKeyUnknown`` and ``ApiKeyEnded``."""

    def forget(self, key: ApiKey) -> None:
        """Forget a key, so that the next request reads it anew."""
