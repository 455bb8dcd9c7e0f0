"""``ApiKeyStore``: one key in each place, and one write that decides who gets it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from tests.support.stores.contract_stores import Stores, race
from tests.support.tenants.api_keys import key_factory
from timegate.domain.tenants.api_key import KeyScope
from timegate.domain.tenants.tenant_settings import TenantSettings

NOTHING = TenantSettings(tenant=TENANT)
SETTINGS = replace(NOTHING, display_name="Acme", version=1, created_at=NOW, updated_at=NOW)


def test_a_key_is_read_as_it_was_written(stores: Stores) -> None:
    """All its parts; other places, and other tenants', have none."""
    key = key_factory(slot=49, scopes=(KeyScope.READ,), revoked_at=after(1))

    assert stores.api_keys.put(None, key)
    assert stores.api_keys.get(TENANT, 49) == key
    assert stores.api_keys.get(TENANT, 4) is None
    assert stores.api_keys.get(OTHER_TENANT, 49) is None


def test_keys_are_listed_by_place(stores: Stores) -> None:
    """Another tenant's keys are not listed."""
    keys = [key_factory(slot=slot) for slot in (10, 2, 0)]
    for key in (*keys, key_factory(tenant=OTHER_TENANT, slot=1)):
        assert stores.api_keys.put(None, key)

    assert stores.api_keys.list_keys(TENANT, now=NOW).keys == tuple(keys[::-1])


@pytest.mark.parametrize("is_there", [False, True])
def test_a_place_is_given_once(stores: Stores, *, is_there: bool) -> None:
    """The second of two writers that saw the place free or its key ended is refused."""
    before = key_factory(digest="0" * 64, revoked_at=NOW) if is_there else None
    if before is not None:
        assert stores.api_keys.put(None, before)
    first, second = (key_factory(digest=digit * 64) for digit in "12")

    assert stores.api_keys.put(before, first)
    assert not stores.api_keys.put(before, second)
    assert stores.api_keys.get(TENANT, 0) == first


def test_of_two_who_race_for_a_place_one_gets_it(stores: Stores) -> None:
    """And the other is told."""
    keys = [key_factory(digest=digit * 64) for digit in "12"]
    outcomes = race(*(lambda key=key: stores.api_keys.put(None, key) for key in keys))

    assert sorted(outcomes) == [False, True]


def test_a_revocation_is_of_the_key_that_was_read(stores: Stores) -> None:
    """Not of one that took its place meanwhile, nor twice."""
    key = key_factory()
    assert stores.api_keys.put(None, key)

    assert stores.api_keys.put(key, replace(key, revoked_at=NOW))
    assert not stores.api_keys.put(key, replace(key, revoked_at=after(1)))
    later = key_factory(digest="1" * 64)
    assert stores.api_keys.put(replace(key, revoked_at=NOW), later)
    assert not stores.api_keys.put(key, replace(key, revoked_at=after(2)))
    assert stores.api_keys.get(TENANT, 0) == later


def test_a_tenant_and_its_first_key_are_made_together(stores: Stores) -> None:
    """Or neither: a key that is there already keeps the settings away."""
    assert stores.tenants.put(TENANT, NOTHING, SETTINGS, key=key_factory())
    assert (stores.tenants.get(TENANT), stores.api_keys.get(TENANT, 0)) == (
        SETTINGS,
        key_factory(),
    )
    other, theirs = replace(NOTHING, tenant=OTHER_TENANT), key_factory(tenant=OTHER_TENANT)
    stores.api_keys.put(None, theirs)

    assert not stores.tenants.put(
        OTHER_TENANT, other, replace(SETTINGS, tenant=OTHER_TENANT), key=theirs
    )
    assert stores.tenants.get(OTHER_TENANT) == other


@pytest.mark.parametrize(("seconds", "is_listed"), [(-1, True), (0, False)])
def test_a_key_that_is_listed_no_more_leaves_its_place(
    stores: Stores, seconds: float, *, is_listed: bool
) -> None:
    """DynamoDB deletes it later: until then the place is free for another key, and no sooner."""
    old, now = key_factory(), key_factory().listed_until + timedelta(seconds=seconds)
    assert stores.api_keys.put(None, old)
    new = key_factory(digest="1" * 64, created_at=now, ends_at=now + timedelta(days=1))

    assert stores.api_keys.list_keys(TENANT, now=now).keys == ((old,) if is_listed else ())
    assert stores.api_keys.put(None, new) is not is_listed
    assert stores.api_keys.get(TENANT, 0) == (old if is_listed else new)
