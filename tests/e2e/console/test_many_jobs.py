"""A tenant with ten thousand jobs: its page reads fifty of them at a time."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from infra.local.console.people import STRANGER
from tests.e2e.console.browser import Visit
from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack
from tests.support.factories import job_factory, job_id
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.tenant import TenantId

pytestmark = pytest.mark.deep

_JOBS = 10_000


@pytest.fixture
def many(stack: Stack) -> Iterator[None]:
    """Jobs of the second tenant that never run, stored as the API's stores would."""
    client, table = stack.aws("dynamodb"), stack.outputs["JobsTableName"]
    puts = [
        Put(
            table=table,
            fields=job_to_fields(
                job_factory(
                    tenant=TenantId(stack.tenant("second")),
                    job_id=job_id(f"one of many {number}"),
                    name=f"one of many {number:05}",
                    schedule=Schedule(kind=ScheduleKind.MANUAL),
                    next_run_at=None,
                ),
                shards=ONE_SHARD,
            ),
        )
        for number in range(_JOBS)
    ]
    BotoEngine(client).put_all(table, puts)
    yield
    for begin in range(0, _JOBS, 25):
        keys = [
            {name: {"S": str(put.fields[name])} for name in ("pk", "sk")}
            for put in puts[begin : begin + 25]
        ]
        client.batch_write_item(
            RequestItems={table: [{"DeleteRequest": {"Key": key}} for key in keys]}
        )


@pytest.mark.usefixtures("many")
def test_ten_thousand_jobs_are_read_by_the_page(visit: Visit) -> None:
    """One request opens the list; more come when they are asked for."""
    visit.sign_in(STRANGER)
    desk = Desk(visit)
    before = len(visit.asked)
    desk.go("/jobs")
    expect(visit.page.get_by_role("row")).to_have_count(51)
    asked = [
        each.url
        for each in visit.asked[before:]
        if "/v1/jobs?" in each.url and each.method == "GET"
    ]
    desk.button("Show more jobs").click()
    expect(visit.page.get_by_role("row")).to_have_count(101)

    assert len(asked) == 1, asked
    assert visit.complaints == []
