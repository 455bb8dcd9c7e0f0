"""``RestrictionStore``: freezes of the whole stage, beside those of its tenants."""

import pytest

from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    freeze_factory,
    stage_freeze_factory,
)
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.restrictions.restriction_items import (
    STAGE_COPIES,
    stage_in_force_key,
)
from timegate.domain.restrictions.freeze import MAX_FREEZES
from timegate.domain.values.errors import FreezeNotFound, TooManyFreezes
from timegate.domain.values.tenant import ADMINISTRATION, TenantId
from timegate.domain.values.tenant_errors import FreezeIsOfStage
from timegate.ports.stores import AttemptRef

#: More than there are copies of what is in force at the stage.
MANY = [TenantId(f"tenant-{number}") for number in range(60)]


def test_a_freeze_of_the_stage_is_in_force_at_every_tenant(stores: Stores) -> None:
    """Each reads one of the copies, sees it as the stage's, and sees no other tenant's name."""
    freeze = stage_freeze_factory(spared_tenants=("initech",))
    stores.restrictions.put_freeze(ADMINISTRATION, freeze, now=NOW)
    found = [stores.restrictions.in_force([tenant])[tenant].freezes for tenant in MANY]

    assert {stage_in_force_key(tenant) for tenant in MANY} | {
        stage_in_force_key(ADMINISTRATION)
    } == {stage_in_force_key(TenantId(str(n))) for n in range(200)}
    assert len({stage_in_force_key(tenant) for tenant in MANY}) == STAGE_COPIES
    assert found == [(freeze.seen_by(tenant),) for tenant in MANY]
    assert all(seen.by_stage and seen.spared_tenants == () for (seen,) in found)


def test_a_lifted_freeze_of_the_stage_is_lifted_at_every_tenant(stores: Stores) -> None:
    """By its administration alone: a tenant is refused, and told whose it is."""
    freeze = stage_freeze_factory()
    stores.restrictions.put_freeze(ADMINISTRATION, freeze, now=NOW)
    with pytest.raises(FreezeIsOfStage):
        stores.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=after(1))
    stores.restrictions.lift_freeze(ADMINISTRATION, freeze.freeze_id, now=after(60))

    unended = [stores.restrictions.unended_freezes(each, now=after(61)) for each in MANY]
    assert unended == [()] * len(MANY)


def test_a_spared_tenant_sees_nothing_of_it(stores: Stores) -> None:
    """Neither in force, nor listed, nor by its id."""
    freeze = stage_freeze_factory(spared_tenants=(TENANT,))
    stores.restrictions.put_freeze(ADMINISTRATION, freeze, now=NOW)

    assert stores.restrictions.in_force([TENANT])[TENANT].freezes == ()
    assert stores.restrictions.list_freezes(TENANT, limit=5, cursor=None).rows == ()
    with pytest.raises(FreezeNotFound):
        stores.restrictions.get_freeze(TENANT, freeze.freeze_id)
    assert stores.restrictions.get_freeze(OTHER_TENANT, freeze.freeze_id) == freeze.seen_by(
        OTHER_TENANT
    )


def test_the_stage_has_none_of_its_tenants(stores: Stores) -> None:
    """Its own are listed once, and a tenant's are no business of it."""
    of_stage, of_tenant = stage_freeze_factory(), freeze_factory(starts_at=after(60))
    stores.restrictions.put_freeze(ADMINISTRATION, of_stage, now=NOW)
    stores.restrictions.put_freeze(TENANT, of_tenant, now=NOW)
    found = stores.restrictions.in_force([ADMINISTRATION, TENANT])

    assert found[ADMINISTRATION].freezes == (of_stage,)
    assert found[TENANT].freezes == (of_stage.seen_by(TENANT), of_tenant)
    assert stores.restrictions.list_freezes(ADMINISTRATION, limit=5, cursor=None).rows == (
        of_stage,
    )


def test_pages_have_freezes_of_both_in_order(stores: Stores) -> None:
    """The last to start first, none twice and none left out."""
    own = [freeze_factory(starts_at=after(20 * n), ends_at=after(5000)) for n in range(4)]
    of_stage = [
        stage_freeze_factory(starts_at=after(20 * n + 10), ends_at=after(5000)) for n in range(3)
    ]
    for each in own:
        stores.restrictions.put_freeze(TENANT, each, now=NOW)
    for each in of_stage:
        stores.restrictions.put_freeze(ADMINISTRATION, each, now=NOW)
    page = stores.restrictions.list_freezes(TENANT, limit=2, cursor=None)
    listed = [*page.rows]
    while page.cursor is not None:
        page = stores.restrictions.list_freezes(TENANT, limit=2, cursor=page.cursor)
        listed += page.rows

    both = [*own, *(each.seen_by(TENANT) for each in of_stage)]
    assert listed == sorted(both, key=lambda each: each.starts_at, reverse=True)


def test_freezes_of_the_stage_use_up_no_place_of_a_tenant(stores: Stores) -> None:
    """Each has its fifty."""
    for number in range(MAX_FREEZES):
        freeze = stage_freeze_factory(starts_at=after(number), ends_at=after(9000))
        stores.restrictions.put_freeze(ADMINISTRATION, freeze, now=NOW)
    more = stage_freeze_factory(starts_at=after(100), ends_at=after(9000))
    with pytest.raises(TooManyFreezes):
        stores.restrictions.put_freeze(ADMINISTRATION, more, now=NOW)
    stores.restrictions.put_freeze(TENANT, freeze_factory(), now=NOW)

    assert len(stores.restrictions.unended_freezes(TENANT, now=NOW)) == MAX_FREEZES + 1


def test_runs_are_loaded_with_freezes_of_the_stage(stores: Stores) -> None:
    """In the batch that has them anyway."""
    freeze = stage_freeze_factory()
    attempt = attempt_factory()
    stores.add(attempt)
    stores.restrictions.put_freeze(ADMINISTRATION, freeze, now=NOW)
    (loaded,) = stores.runs.load_all([AttemptRef(tenant=TENANT, id=attempt.id)])

    assert loaded.in_force.freezes == (freeze.seen_by(TENANT),)
