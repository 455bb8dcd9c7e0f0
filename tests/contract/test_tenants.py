"""``TenantStore``: what the stage's administration set, tenant by tenant."""

from dataclasses import replace

import pytest

from tests.contract.stores import Stores, race
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from timegate.domain.errors import InvalidInput
from timegate.domain.freeze import FreezeId
from timegate.domain.quotas import Quotas
from timegate.domain.tenant import TenantId
from timegate.domain.tenant_settings import Suspension, TenantSettings

NOTHING = TenantSettings(tenant=TENANT)
FULL = TenantSettings(
    tenant=TENANT,
    display_name="Acme Ltd, Leipzig",
    quotas=Quotas(
        jobs=0, dags=1, concurrent_runs=2, runs_per_day=3, requests_per_second=4, burst=5
    ),
    suspension=Suspension(since=NOW, freeze_id=FreezeId("f"), reason="unpaid"),
    version=1,
    created_at=NOW,
    updated_at=after(1),
)


def test_a_tenant_nobody_set_anything_for_has_the_defaults(stores: Stores) -> None:
    """A token alone is enough to begin."""
    assert stores.tenants.get(TENANT) == NOTHING


def test_settings_are_read_as_they_were_written(stores: Stores) -> None:
    """All their parts, at the version that follows; another tenant's stay as they are."""
    assert stores.tenants.put(TENANT, NOTHING, FULL)
    assert stores.tenants.get_all([OTHER_TENANT, TENANT]) == {
        TENANT: FULL,
        OTHER_TENANT: TenantSettings(tenant=OTHER_TENANT),
    }


def test_what_is_taken_back_is_as_it_was(stores: Stores) -> None:
    """A quota that is set no more is the stage's again."""
    stores.tenants.put(TENANT, NOTHING, FULL)

    assert stores.tenants.put(TENANT, FULL, NOTHING)
    assert stores.tenants.get(TENANT) == replace(NOTHING, version=2)


def test_settings_are_replaced_only_as_they_were_read(stores: Stores) -> None:
    """Neither a first nor a later write undoes one that came in between."""
    stores.tenants.put(TENANT, NOTHING, FULL)
    other = replace(FULL, display_name="somebody else's")

    assert not stores.tenants.put(TENANT, NOTHING, other)
    assert not stores.tenants.put(TENANT, replace(FULL, version=2), other)
    assert stores.tenants.get(TENANT) == FULL


def test_of_those_who_write_at_once_one_succeeds(stores: Stores) -> None:
    """Whoever lost may read and decide again."""
    written = race(*[lambda: stores.tenants.put(TENANT, NOTHING, FULL)] * 4)

    assert sorted(written) == [False, False, False, True]


def test_tenants_are_listed_by_name(stores: Stores) -> None:
    """A page at a time, each once, and only those on record."""
    names = [TenantId(f"tenant-{number}") for number in range(5)]
    for name in reversed(names):
        assert stores.tenants.put(name, TenantSettings(tenant=name), TenantSettings(tenant=name))
    first = stores.tenants.list_tenants(limit=3, cursor=None)
    rest = stores.tenants.list_tenants(limit=3, cursor=first.cursor)

    assert [[each.tenant for each in page.rows] for page in (first, rest)] == [names[:3], names[3:]]
    assert rest.cursor is None


def test_a_cursor_of_another_listing_is_refused(stores: Stores) -> None:
    """As everywhere."""
    with pytest.raises(InvalidInput):
        stores.tenants.list_tenants(limit=1, cursor="bm90aGluZw")
