"""``RestrictionStore``: calendars and freezes, and at a glance what is in force."""

from dataclasses import replace
from datetime import date, time
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    calendar_factory,
    freeze_factory,
)
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from timegate.domain.calendars.calendar import (
    MAX_CALENDARS,
    MAX_ENTRIES,
    Calendar,
    CalendarName,
    DailyWindow,
    DayRange,
    Period,
)
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, CalendarRef
from timegate.domain.values.errors import (
    CalendarNotFound,
    CalendarVersionMismatch,
    InvalidInput,
    TooManyCalendars,
)
from timegate.domain.values.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

FULL = calendar_factory(
    days=(DayRange(first=date(2026, 12, 24), last=date(2026, 12, 26)),),
    windows=(
        DailyWindow(opens=time(18), closes=time(8, 0, 1)),
        DailyWindow(weekdays=frozenset({4}), opens=time(12), closes=time(0)),
    ),
    periods=(Period(start=after(0), end=after(0.001)),),
    weekend=frozenset({4, 5}),
    description="When the office is empty.",
)


def named(number: int) -> CalendarName:
    return CalendarName(f"calendar-{number:03}")


def calendars_of(
    stores: Stores, tenant: TenantId, *, limit: int = MAX_CALENDARS
) -> tuple[Calendar, ...]:
    """Every page after the other."""
    rows: list[Calendar] = []
    cursor: str | None = None
    while True:
        page = stores.restrictions.list_calendars(tenant, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        rows += page.rows
        cursor = page.cursor
        if cursor is None:
            return tuple(rows)


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_calendars_are_listed_by_name_page_by_page(stores: Stores, limit: int) -> None:
    """Names that begin alike among them; what was deleted takes no place of a page."""
    names = ["a", "a-b", "a0", "ab", "b"]
    for name in [*names[::-1], "a-a", "c"]:
        calendar = calendar_factory(name=CalendarName(name))
        stores.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    for name in ("a-a", "c"):
        stores.restrictions.delete_calendar(
            TENANT, CalendarName(name), expected_version=None, now=NOW
        )

    assert [each.name for each in calendars_of(stores, TENANT, limit=limit)] == names


def test_a_calendar_that_is_deleted_between_pages_takes_no_other_with_it(stores: Stores) -> None:
    """Though the cursor points at it; nor is a cursor good for another tenant."""
    for name in "abc":
        calendar = calendar_factory(name=CalendarName(name))
        stores.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    first = stores.restrictions.list_calendars(TENANT, limit=1, cursor=None)
    stores.restrictions.delete_calendar(TENANT, CalendarName("a"), expected_version=None, now=NOW)
    rest = stores.restrictions.list_calendars(TENANT, limit=5, cursor=first.cursor)

    assert [each.name for each in (*first.rows, *rest.rows)] == ["a", "b", "c"]
    with pytest.raises(InvalidInput):
        stores.restrictions.list_calendars(OTHER_TENANT, limit=5, cursor=first.cursor)


def test_a_calendar_is_read_as_it_was_written(stores: Stores) -> None:
    """All its parts, at its first version; another tenant has none of that name."""
    written = stores.restrictions.put_calendar(TENANT, FULL, expected_version=None)

    assert written == replace(FULL, version=1)
    assert stores.restrictions.get_calendar(TENANT, "weekends") == written
    assert calendars_of(stores, TENANT) == (written,)
    assert calendars_of(stores, OTHER_TENANT) == ()
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
    """A process may have read one that was deleted since."""
    with pytest.raises(CalendarVersionMismatch, match="is at version 0"):
        stores.restrictions.put_calendar(TENANT, FULL, expected_version=1)


def test_a_deleted_calendar_is_gone_and_its_versions_go_on(stores: Stores) -> None:
    """A process may still hold an old one by its version: no other has the same."""
    stores.restrictions.put_calendar(TENANT, FULL, expected_version=0)
    with pytest.raises(CalendarVersionMismatch):
        stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=2, now=NOW)
    stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=1, now=NOW)
    with pytest.raises(CalendarNotFound):
        stores.restrictions.get_calendar(TENANT, "weekends")
    with pytest.raises(CalendarNotFound):
        stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=None, now=NOW)

    assert calendars_of(stores, TENANT) == ()
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
    assert len(calendars_of(stores, TENANT)) == MAX_CALENDARS


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


def test_ninety_nine_tenants_are_one_read(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """Tenants without restrictions cost the same."""
    stores = new_dynamo_stores()
    tenants = [TenantId(f"tenant-{number}") for number in range(99)]
    with recorded(dynamodb) as calls:
        stores.restrictions.in_force(tenants)

    assert calls == {"BatchGetItem": 1}
