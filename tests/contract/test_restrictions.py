"""``RestrictionStore``: calendars and freezes, and at a glance what is in force."""

from dataclasses import replace
from datetime import date, time
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.recorder import recorded
from tests.contract.stores import Stores, race
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    calendar_factory,
    freeze_factory,
)
from timegate.domain.calendar import (
    MAX_CALENDARS,
    MAX_ENTRIES,
    CalendarName,
    DailyWindow,
    DayRange,
    Period,
)
from timegate.domain.errors import (
    CalendarNotFound,
    CalendarVersionMismatch,
    FreezeNotFound,
    InvalidInput,
    TooManyCalendars,
    TooManyFreezes,
)
from timegate.domain.freeze import MAX_FREEZES, Freeze, FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.restrictions import NOTHING_IN_FORCE, CalendarRef
from timegate.domain.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

FULL = calendar_factory(
    days=(DayRange(first=date(2026, 12, 24), last=date(2026, 12, 26)),),
    windows=(
        DailyWindow(opens=time(18), closes=time(8, 0, 1)),
        DailyWindow(weekdays=frozenset({4}), opens=time(12), closes=time(0)),
    ),
    periods=(Period(start=after(0), end=after(0.001)),),
    description="When nobody is there.",
)


def named(number: int) -> CalendarName:
    return CalendarName(f"calendar-{number:03}")


def test_a_calendar_is_read_as_it_was_written(stores: Stores) -> None:
    """All its parts, at its first version; another tenant has none of that name."""
    written = stores.restrictions.put_calendar(TENANT, FULL, expected_version=None)

    assert written == replace(FULL, version=1)
    assert stores.restrictions.get_calendar(TENANT, "weekends") == written
    assert stores.restrictions.list_calendars(TENANT) == (written,)
    assert stores.restrictions.list_calendars(OTHER_TENANT) == ()
    with pytest.raises(CalendarNotFound):
        stores.restrictions.get_calendar(OTHER_TENANT, "weekends")


def test_an_empty_calendar_is_one(stores: Stores) -> None:
    """It covers nothing."""
    empty = calendar_factory(weekdays=frozenset())
    stores.restrictions.put_calendar(TENANT, empty, expected_version=0)

    assert stores.restrictions.get_calendar(TENANT, "weekends") == empty


def test_the_largest_calendar_fits(stores: Stores) -> None:
    """Two thousand periods, each to the millisecond, and the longest description."""
    periods = tuple(Period(start=after(60 * n), end=after(60 * n + 1)) for n in range(MAX_ENTRIES))
    largest = calendar_factory(weekdays=frozenset(), periods=periods, description="ä" * 2_000)
    stores.restrictions.put_calendar(TENANT, largest, expected_version=0)

    assert stores.restrictions.get_calendar(TENANT, "weekends") == largest


def test_a_calendar_is_replaced_at_the_version_that_was_read(stores: Stores) -> None:
    """Neither an older version nor a newer one, nor a calendar that should not be there."""
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=0)
    for other in (0, 2):
        with pytest.raises(CalendarVersionMismatch, match="is at version 1"):
            stores.restrictions.put_calendar(TENANT, FULL, expected_version=other)
    second = stores.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=1)

    assert second.version == 2
    assert stores.restrictions.get_calendar(TENANT, "weekends") == second


def test_a_calendar_that_is_not_there_has_no_version(stores: Stores) -> None:
    """Whoever read one has read one that was deleted since."""
    with pytest.raises(CalendarVersionMismatch, match="is at version 0"):
        stores.restrictions.put_calendar(TENANT, FULL, expected_version=1)


def test_a_deleted_calendar_is_gone_and_its_versions_go_on(stores: Stores) -> None:
    """Somebody may still hold an old one by its version: no other has the same."""
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=0)
    with pytest.raises(CalendarVersionMismatch):
        stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=2, now=NOW)
    stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=1, now=NOW)
    with pytest.raises(CalendarNotFound):
        stores.restrictions.get_calendar(TENANT, "weekends")
    with pytest.raises(CalendarNotFound):
        stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=None, now=NOW)

    assert stores.restrictions.list_calendars(TENANT) == ()
    assert stores.restrictions.in_force([TENANT])[TENANT].calendars == {}
    assert stores.restrictions.put_calendar(TENANT, FULL, expected_version=0).version == 2


def test_calendars_are_read_by_version(stores: Stores) -> None:
    """A newer one in the place of an old one; nothing in the place of one that is gone."""
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=0)
    newer = stores.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=1)
    old = CalendarRef(tenant=TENANT, name="weekends", version=1)
    gone = CalendarRef(tenant=TENANT, name="holidays", version=1)

    assert stores.restrictions.calendars([old, gone]) == {old: newer}
    assert stores.restrictions.calendars([]) == {}


def test_what_is_in_force_names_every_calendar(stores: Stores) -> None:
    """With its version; a tenant that has nothing has nothing in force."""
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=None)
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=None)
    found = stores.restrictions.in_force([TENANT, OTHER_TENANT])

    assert found[TENANT].calendars == {"weekends": 2}
    assert found[OTHER_TENANT] == NOTHING_IN_FORCE
    assert stores.restrictions.in_force([]) == {}


def test_a_tenant_has_a_hundred_calendars_and_no_more(stores: Stores) -> None:
    """One that is there already can still be changed."""
    for number in range(MAX_CALENDARS):
        stores.restrictions.put_calendar(
            TENANT, calendar_factory(name=named(number)), expected_version=0
        )
    with pytest.raises(TooManyCalendars):
        stores.restrictions.put_calendar(TENANT, FULL, expected_version=0)
    changed = calendar_factory(name=named(7))

    assert stores.restrictions.put_calendar(TENANT, changed, expected_version=1).version == 2
    assert len(stores.restrictions.list_calendars(TENANT)) == MAX_CALENDARS


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
    """Whoever asks again learns what became of it meanwhile."""
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
    stores.restrictions.lift_freeze(TENANT, new.freeze_id, now=after(month))
    (left,) = stores.restrictions.in_force([TENANT])[TENANT].freezes

    assert kept == (old, new)
    assert left.freeze_id == new.freeze_id
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


def test_of_writers_that_race_each_has_its_turn(stores: Stores) -> None:
    """Calendars and freezes are counted in one record, and none gets lost in it."""
    freezes = [freeze_factory(ends_at=after(3600 + n)) for n in range(3)]
    calendars = [calendar_factory(name=named(n)) for n in range(3)]
    race(
        *(lambda f=f: stores.restrictions.put_freeze(TENANT, f, now=NOW) for f in freezes),
        *(
            lambda c=c: stores.restrictions.put_calendar(TENANT, c, expected_version=0)
            for c in calendars
        ),
    )
    in_force = stores.restrictions.in_force([TENANT])[TENANT]

    assert set(in_force.freezes) == set(freezes)
    assert in_force.calendars == {calendar.name: 1 for calendar in calendars}


def test_of_two_who_replace_one_version_one_wins(stores: Stores) -> None:
    """The other one hears of it."""
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=0)

    def change() -> str:
        try:
            stores.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=1)
        except CalendarVersionMismatch:
            return "lost"
        return "won"

    assert sorted(race(change, change)) == ["lost", "won"]


def test_a_hundred_tenants_are_one_read(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """Whatever they have."""
    stores = new_dynamo_stores()
    tenants = [TenantId(f"tenant-{number}") for number in range(100)]
    with recorded(dynamodb) as calls:
        stores.restrictions.in_force(tenants)

    assert calls == {"BatchGetItem": 1}
