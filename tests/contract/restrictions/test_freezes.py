"""``RestrictionStore``: freezes, those that ended lately among them."""

from dataclasses import replace

import pytest

from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    freeze_factory,
)
from tests.support.stores.contract_stores import Stores
from timegate.domain.restrictions.freeze import (
    MAX_FREEZES,
    Freeze,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
)
from timegate.domain.values.errors import (
    FreezeNotFound,
    InvalidInput,
    TooManyFreezes,
)


@pytest.mark.parametrize(
    "scope",
    [
        pytest.param(FreezeScope(kind=FreezeKind.TENANT), id="tenant"),
        pytest.param(FreezeScope(kind=FreezeKind.TAG, value="team=ops"), id="tag"),
        pytest.param(FreezeScope(kind=FreezeKind.JOB, value="a" * 26), id="job"),
    ],
)
@pytest.mark.parametrize("thaw", ThawPolicy)
def test_a_freeze_is_read_as_it_was_written(
    stores: Stores, scope: FreezeScope, thaw: ThawPolicy
) -> None:
    """And is in force at its own tenant only."""
    freeze = freeze_factory(scope=scope, thaw=thaw, reason="The move.")

    assert stores.restrictions.put_freeze(TENANT, freeze, now=NOW) == freeze
    assert stores.restrictions.get_freeze(TENANT, freeze.freeze_id) == freeze
    assert stores.restrictions.unended_freezes(TENANT, now=NOW) == (freeze,)
    assert stores.restrictions.in_force([TENANT])[TENANT].freezes == (freeze,)
    assert stores.restrictions.unended_freezes(OTHER_TENANT, now=NOW) == ()
    with pytest.raises(FreezeNotFound):
        stores.restrictions.get_freeze(OTHER_TENANT, freeze.freeze_id)


def test_the_same_freeze_is_stored_once(stores: Stores) -> None:
    """A caller that asks again learns what became of it meanwhile."""
    freeze = freeze_factory()
    stores.restrictions.put_freeze(TENANT, freeze, now=NOW)
    lifted = stores.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=after(60))

    assert stores.restrictions.put_freeze(TENANT, freeze, now=after(90)) == lifted


def test_a_freeze_is_lifted_once(stores: Stores) -> None:
    """It ended then: lifting it again does not end it later, and one that is over stays so."""
    freeze = freeze_factory()
    stores.restrictions.put_freeze(TENANT, freeze, now=NOW)
    lifted = stores.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=after(60))

    assert lifted == replace(freeze, lifted_at=after(60))
    assert stores.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=after(90)) == lifted
    assert stores.restrictions.unended_freezes(TENANT, now=after(60)) == ()
    assert stores.restrictions.in_force([TENANT])[TENANT].freezes == (lifted,)
    with pytest.raises(FreezeNotFound):
        stores.restrictions.lift_freeze(OTHER_TENANT, freeze.freeze_id, now=NOW)


def test_a_freeze_that_is_over_is_not_lifted(stores: Stores) -> None:
    """At its end it is over, a millisecond before it is not."""
    over = freeze_factory()
    stores.restrictions.put_freeze(TENANT, over, now=NOW)

    assert stores.restrictions.lift_freeze(TENANT, over.freeze_id, now=after(3600)) == over
    early = stores.restrictions.lift_freeze(TENANT, over.freeze_id, now=after(3599.999))
    assert early.lifted_at == after(3599.999)


def test_freezes_that_ended_stay_in_force_for_a_while(stores: Stores) -> None:
    """Planners that were down decide by them; after a month the next write drops them."""
    old, new = freeze_factory(), freeze_factory(starts_at=after(40 * 86_400), ends_at=after(4e6))
    stores.restrictions.put_freeze(TENANT, old, now=NOW)
    month = 31 * 86_400 + 3600
    stores.restrictions.put_freeze(TENANT, new, now=after(month - 0.001))
    kept = stores.restrictions.in_force([TENANT])[TENANT].freezes
    never = freeze_factory(starts_at=after(41 * 86_400), ends_at=after(4e6))
    stores.restrictions.put_freeze(TENANT, never, now=after(month))
    stores.restrictions.lift_freeze(TENANT, never.freeze_id, now=after(month))
    left = stores.restrictions.in_force([TENANT])[TENANT].freezes

    assert kept == (old, new)
    assert left == (new,)
    assert stores.restrictions.get_freeze(TENANT, old.freeze_id) == old


def test_so_many_freezes_may_not_have_ended(stores: Stores) -> None:
    """Once one is lifted there is room for another."""
    freezes = [freeze_factory(ends_at=after(3600 + n)) for n in range(MAX_FREEZES + 1)]
    for freeze in freezes[:-1]:
        stores.restrictions.put_freeze(TENANT, freeze, now=NOW)
    with pytest.raises(TooManyFreezes):
        stores.restrictions.put_freeze(TENANT, freezes[-1], now=NOW)
    stores.restrictions.lift_freeze(TENANT, freezes[0].freeze_id, now=after(1))
    stores.restrictions.put_freeze(TENANT, freezes[-1], now=after(1))

    assert len(stores.restrictions.unended_freezes(TENANT, now=after(1))) == MAX_FREEZES


def test_freezes_are_listed_from_the_last_to_start(stores: Stores) -> None:
    """Page by page, each once, with those that ended; a foreign cursor is refused."""
    freezes = [freeze_factory(starts_at=after(n), ends_at=after(n + 60)) for n in range(5)]
    for freeze in freezes:
        stores.restrictions.put_freeze(TENANT, freeze, now=after(120))
    listed: list[Freeze] = []
    cursor = None
    for _ in range(3):
        page = stores.restrictions.list_freezes(TENANT, limit=2, cursor=cursor)
        listed += page.rows
        cursor = page.cursor
    foreign = stores.restrictions.list_freezes(TENANT, limit=1, cursor=None).cursor

    assert listed == freezes[::-1]
    assert cursor is None
    assert stores.restrictions.list_freezes(OTHER_TENANT, limit=2, cursor=None).rows == ()
    with pytest.raises(InvalidInput):
        stores.restrictions.list_freezes(OTHER_TENANT, limit=2, cursor=foreign)
