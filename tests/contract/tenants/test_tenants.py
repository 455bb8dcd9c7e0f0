"""``TenantStore``: what the stage's administration set, tenant by tenant."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, freeze_factory
from tests.support.stores.contract_stores import Stores, race
from timegate.domain.limits.quotas import Quotas
from timegate.domain.restrictions.freeze import MAX_FREEZES, Freeze, FreezeId, ThawPolicy
from timegate.domain.tenants.suspension import released, suspended, suspension_freeze
from timegate.domain.tenants.tenant_settings import Suspension, TenantSettings
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import FreezeIsOfStage

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


def test_a_tenant_without_settings_has_the_defaults(stores: Stores) -> None:
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
    other = replace(FULL, display_name="another's")

    assert not stores.tenants.put(TENANT, NOTHING, other)
    assert not stores.tenants.put(TENANT, replace(FULL, version=2), other)
    assert stores.tenants.get(TENANT) == FULL


def test_of_those_who_write_at_once_one_succeeds(stores: Stores) -> None:
    """The loser may read and decide again."""
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
    """The cursor names its listing."""
    with pytest.raises(InvalidInput):
        stores.tenants.list_tenants(limit=1, cursor="bm90aGluZw")


def suspending(stores: Stores) -> tuple[TenantSettings, Freeze]:
    """A tenant's settings as they are while the freeze holds it back."""
    freeze = suspension_freeze(TENANT, thaw=ThawPolicy.LATEST, reason="unpaid", now=NOW)
    return suspended(stores.tenants.get(TENANT), freeze), freeze


def test_a_suspension_is_in_force_at_once(stores: Stores) -> None:
    """Settings and freeze are written together, beside what was in force already."""
    own = freeze_factory(ends_at=after(60))
    stores.restrictions.put_freeze(TENANT, own, now=NOW)
    settings, freeze = suspending(stores)

    assert stores.tenants.put(TENANT, NOTHING, settings, freeze=freeze)
    assert set(stores.restrictions.unended_freezes(TENANT, now=after(1))) == {own, freeze}
    assert stores.restrictions.get_freeze(TENANT, freeze.freeze_id) == freeze
    assert stores.restrictions.in_force([OTHER_TENANT])[OTHER_TENANT].freezes == ()


def test_a_suspension_that_comes_too_late_freezes_nothing(stores: Stores) -> None:
    """All or nothing."""
    settings, freeze = suspending(stores)
    stores.tenants.put(TENANT, NOTHING, NOTHING)

    assert not stores.tenants.put(TENANT, NOTHING, settings, freeze=freeze)
    assert stores.restrictions.unended_freezes(TENANT, now=NOW) == ()


def test_a_suspension_ends_with_its_freeze(stores: Stores) -> None:
    """And the tenant itself cannot end it."""
    settings, freeze = suspending(stores)
    stores.tenants.put(TENANT, NOTHING, settings, freeze=freeze)
    with pytest.raises(FreezeIsOfStage):
        stores.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=after(1))
    before = stores.tenants.get(TENANT)
    ended = released(freeze, now=after(2))

    assert stores.tenants.put(TENANT, before, replace(before, suspension=None), freeze=ended)
    assert stores.restrictions.unended_freezes(TENANT, now=after(2)) == ()
    assert stores.restrictions.get_freeze(TENANT, freeze.freeze_id) == ended


def test_a_suspension_needs_no_room_among_the_tenant_s_own_freezes(stores: Stores) -> None:
    """However many it has made."""
    for number in range(MAX_FREEZES):
        own = freeze_factory(freeze_id=FreezeId(f"f{number:02}"), ends_at=after(60))
        stores.restrictions.put_freeze(TENANT, own, now=NOW)
    settings, freeze = suspending(stores)

    assert stores.tenants.put(TENANT, NOTHING, settings, freeze=freeze)
