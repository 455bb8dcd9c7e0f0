"""Restrictions cost a known number of calls."""

from typing import TYPE_CHECKING

from tests.contract.conftest import NewStores
from tests.contract.execution.test_call_counts import tick
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    calendar_factory,
    freeze_factory,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.calendars.calendar import CalendarName
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.values.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def tick_over_tenants(stores: Stores, *, tenants: int, **fields: object) -> None:
    """A tick over a due job of each of so many tenants."""
    for number in range(tenants):
        stores.add_job(tenant=TenantId(f"tenant-{number}"), next_run_at=after(60), **fields)
    tick(stores)


def test_restrictions_cost_a_tick_one_read_for_ninety_nine_tenants(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """However many jobs each has, and whether or not anything is in force."""
    stores = new_dynamo_stores(shards=1)
    freeze = freeze_factory(tenant=TenantId("tenant-7"), starts_at=after(7200), ends_at=after(9000))
    stores.restrictions.put_freeze(freeze.tenant, freeze, now=NOW)
    with recorded(dynamodb) as calls:
        tick_over_tenants(stores, tenants=99)

    assert calls["BatchGetItem"] == 1


def test_calendars_cost_a_tick_one_more_read(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """For all of them; their versions are in force."""
    stores = new_dynamo_stores(shards=1)
    for number in range(3):
        named = calendar_factory(name=CalendarName(f"c-{number}"))
        stores.restrictions.put_calendar(TENANT, named, expected_version=0)
    rules = tuple(CalendarRule(calendar=f"c-{number}") for number in range(3))
    for number in range(30):
        stores.add_job(job_id=job_id(str(number)), next_run_at=after(60), calendars=rules)
    with recorded(dynamodb) as calls:
        tick(stores)

    # A step of 25 jobs and one of 5 may both find them missing.
    assert calls["BatchGetItem"] in {2, 3}
