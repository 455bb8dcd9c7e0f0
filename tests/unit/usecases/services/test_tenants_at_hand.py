"""Tenant settings at hand: read once in ten seconds, for all that are wanted."""

from collections.abc import Collection, Mapping

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from tests.unit.domain.limits.test_quotas import STAGE
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.limits.quotas import Quotas
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services import tenants_at_hand
from timegate.usecases.services.tenants_at_hand import TenantsAtHand


class CountingStore(DynamoTenantStore):
    """Remembers what was read."""

    def __init__(self) -> None:
        super().__init__(MemoryEngine(), table="jobs", retention_days=30)
        self.read: list[set[TenantId]] = []

    def get_all(self, tenants: Collection[TenantId]) -> Mapping[TenantId, TenantSettings]:
        """Read and remember."""
        self.read.append(set(tenants))
        return super().get_all(tenants)


@pytest.fixture
def store() -> CountingStore:
    """Nothing is set for any tenant."""
    return CountingStore()


def test_settings_are_read_again_after_ten_seconds(store: CountingStore) -> None:
    """Not a millisecond earlier; what was set meanwhile counts then."""
    at_hand = TenantsAtHand(store, STAGE)
    at_hand.quotas(TENANT, now=NOW)
    before = TenantSettings(tenant=TENANT)
    DynamoTenantStore.put(
        store, TENANT, before, TenantSettings(tenant=TENANT, quotas=Quotas(jobs=1))
    )
    store.read.clear()

    assert at_hand.quotas(TENANT, now=after(9.999)).jobs == STAGE.jobs
    assert store.read == []
    assert at_hand.quotas(TENANT, now=after(10)).jobs == 1


def test_only_what_is_not_at_hand_is_read(store: CountingStore) -> None:
    """In one call."""
    at_hand = TenantsAtHand(store, STAGE)
    at_hand.settings(TENANT, now=NOW)
    found = at_hand.all_settings([TENANT, OTHER_TENANT], now=NOW)

    assert store.read == [{TENANT}, {OTHER_TENANT}]
    assert set(found) == {TENANT, OTHER_TENANT}


def test_who_changed_settings_reads_them_anew(store: CountingStore) -> None:
    """At once."""
    at_hand = TenantsAtHand(store, STAGE)
    at_hand.settings(TENANT, now=NOW)
    at_hand.forget(TENANT)
    at_hand.settings(TENANT, now=NOW)

    assert store.read == [{TENANT}, {TENANT}]


def test_a_process_keeps_so_many_and_no_more(
    store: CountingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tenant read longest ago is dropped."""
    monkeypatch.setattr(tenants_at_hand, "MOST_KEPT", 2)
    at_hand = TenantsAtHand(store, STAGE)
    first, second, third = (TenantId(name) for name in "abc")
    for tenant in (first, second, third, second, first):
        at_hand.settings(tenant, now=NOW)

    assert store.read == [{first}, {second}, {third}, {first}]
