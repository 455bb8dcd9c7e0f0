"""Lists by name, between the names that a tenant has deleted: these cost them next to nothing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.event_triggers.triggering import trigger_factory
from tests.support.factories import NOW, TENANT, calendar_factory
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.tables import present_rows
from timegate.domain.calendars.calendar import CalendarName
from timegate.domain.event_triggers.event_trigger import EventTriggerName

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DELETED = 12
NAMES = ["a", "n", "y", "z"]


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(present_rows, "LOOKED_AT", 3)


def put(stores: Stores, name: str) -> None:
    """Store a calendar and a trigger of a name."""
    stores.restrictions.put_calendar(
        TENANT, calendar_factory(name=CalendarName(name)), expected_version=None
    )
    trigger = trigger_factory(name=EventTriggerName(name))
    stores.event_triggers.put(TENANT, trigger, expected_version=None)


def delete(stores: Stores, name: str) -> None:
    """Delete both of them."""
    stores.restrictions.delete_calendar(TENANT, CalendarName(name), expected_version=None, now=NOW)
    stores.event_triggers.delete(TENANT, name, expected_version=None, now=NOW)


def leave(stores: Stores) -> None:
    """Leave deleted names between those that exist."""
    gone = [f"m-{number:02}" for number in range(DELETED)]
    for name in [*gone, *NAMES]:
        put(stores, name)
    for name in gone:
        delete(stores, name)


def calendars(stores: Stores, limit: int) -> Iterator[str]:
    """Names of calendars, page by page."""
    cursor: str | None = None
    while True:
        page = stores.restrictions.list_calendars(TENANT, limit=limit, cursor=cursor)
        yield from (each.name for each in page.rows)
        cursor = page.cursor
        if cursor is None:
            return


def triggers(stores: Stores, limit: int) -> Iterator[str]:
    """Names of event triggers, page by page."""
    cursor: str | None = None
    while True:
        page = stores.event_triggers.page(TENANT, limit=limit, cursor=cursor)
        yield from (each.name for each in page.rows)
        cursor = page.cursor
        if cursor is None:
            return


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 100])
def test_what_exists_is_listed_once_between_deleted_names(stores: Stores, limit: int) -> None:
    """In the same order, at any length of pages."""
    leave(stores)

    assert list(calendars(stores, limit)) == list(triggers(stores, limit)) == NAMES
    assert [each.name for each in stores.event_triggers.all_of(TENANT).rows] == NAMES


def test_a_name_that_is_deleted_between_pages_takes_no_other_with_it(stores: Stores) -> None:
    """Though the page would have begun with it."""
    leave(stores)
    pages = calendars(stores, 1), triggers(stores, 1)
    first = [next(page) for page in pages]
    delete(stores, "n")

    assert first == ["a", "a"]
    assert [list(page) for page in pages] == [["y", "z"]] * 2


def test_deleted_names_cost_three_calls_however_many_there_are(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient"
) -> None:
    """A query of some of them, the record of names, and what these name."""
    stores = new_dynamo_stores()
    leave(stores)
    with recorded(dynamodb) as listing:
        stores.restrictions.list_calendars(TENANT, limit=100, cursor=None)
    with recorded(dynamodb) as reading:
        stores.event_triggers.all_of(TENANT)

    assert listing == {"Query": 1, "GetItem": 1, "BatchGetItem": 1}
    assert reading == {"Query": 1, "BatchGetItem": 2}
