"""``AuditCursorStore``: one cursor per job, one auditor per share, and every job seen."""

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.auditing.auditors import RETENTION
from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.auditing.audit_cursor_items import PARTS
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.usecases.auditing.audit_shard import audit_shard
from timegate.usecases.services.auditor_services import Auditing

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SHARES = 3
#: Minutes of the index ``due`` from 20 before to 15 after, and of ``watch`` up to 12 after.
IDLE_QUERIES = 36 + 13
#: Calls for one tenant: its jobs and DAGs, and their counts, in parts.
RECOUNT = {"Query": 6, "GetItem": 20}
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


def a_cursor(name: str = "a", **fields: object) -> AuditCursor:
    cursor = AuditCursor(
        tenant=TENANT,
        job_id=job_id(name),
        version=3,
        checked_until=after(-300),
        check_at=after(600),
        counted=7,
    )
    return replace(cursor, **fields)  # type: ignore[arg-type]


def walked(stores: Stores, *, most: int, finished: bool = False) -> list[AuditCursor]:
    """All cursors of all shares, page by page."""
    read = stores.audit_cursors.finished if finished else stores.audit_cursors.live
    found: list[AuditCursor] = []
    for shard in range(SHARES):
        position = None
        while True:
            page = read(shard, SHARES, position=position, most=most)
            assert len(page.cursors) <= most
            found += page.cursors
            position = page.position
            if position is None:
                break
    return found


def owner(cursor: AuditCursor) -> tuple[TenantId, object]:
    return cursor.tenant, cursor.job_id


@pytest.mark.parametrize("most", [1, 2, 100])
def test_a_walk_meets_each_cursor_once(stores: Stores, most: int) -> None:
    """Pages of any size hold every tenant's cursors."""
    cursors = [a_cursor(str(number)) for number in range(9)]
    cursors.append(a_cursor("0", tenant=OTHER_TENANT))
    stores.audit_cursors.save(cursors, now=NOW)
    found = walked(stores, most=most)

    assert sorted(found, key=owner) == sorted(cursors, key=owner)
    assert walked(stores, most=most, finished=True) == []


def test_a_cursor_is_stored_as_it_is(stores: Stores) -> None:
    """With what may be unknown; of a job without one nothing is found."""
    known, uncounted = a_cursor(), a_cursor("b", counted=None)
    stores.audit_cursors.save([known, uncounted], now=NOW)
    owners = [(each.tenant, each.job_id) for each in (known, uncounted)]
    found = stores.audit_cursors.load([*owners, (TENANT, job_id("c"))])

    assert found == dict(zip(owners, [known, uncounted], strict=True))
    assert stores.audit_cursors.load([]) == {}


def test_a_new_cursor_replaces_none(stores: Stores) -> None:
    """Two auditors that see a job for the first time agree about it."""
    stores.audit_cursors.add([a_cursor()], now=NOW)
    stores.audit_cursors.add([a_cursor(version=9), a_cursor("b")], now=NOW)

    assert sorted(each.version for each in walked(stores, most=10)) == [3, 3]


def test_a_finished_cursor_leaves_the_others(stores: Stores) -> None:
    """And comes back when its job is revived."""
    live, done = a_cursor(), a_cursor(check_at=None)
    stores.audit_cursors.save([live], now=NOW)
    stores.audit_cursors.save([done], now=NOW)
    assert walked(stores, most=10) == []
    assert walked(stores, most=10, finished=True) == [done]
    assert stores.audit_cursors.load([(TENANT, live.job_id)]) == {(TENANT, live.job_id): done}
    stores.audit_cursors.save([live], now=NOW)

    assert walked(stores, most=10) == [live]
    assert stores.audit_cursors.load([(TENANT, live.job_id)]) == {(TENANT, live.job_id): live}


def test_a_cursor_that_is_forgotten_is_met_no_more(stores: Stores) -> None:
    """A live one and a finished one; a new one of the same job is met."""
    stores.audit_cursors.save([a_cursor(), a_cursor("b", check_at=None)], now=NOW)
    stores.audit_cursors.forget([a_cursor(), a_cursor("b")], now=NOW)

    assert walked(stores, most=10) + walked(stores, most=10, finished=True) == []
    stores.audit_cursors.add([a_cursor(version=9)], now=after(1))
    assert walked(stores, most=10) == [a_cursor(version=9)]


def test_many_cursors_are_written_at_once(stores: Stores) -> None:
    """More than one batch takes."""
    cursors = [a_cursor(str(number), check_at=None) for number in range(60)]
    stores.audit_cursors.save(cursors, now=NOW)

    assert len(walked(stores, most=100, finished=True)) == 60


def test_a_share_is_held_by_one_auditor_until_its_lease_ends(stores: Stores) -> None:
    """Not by a repeated invocation either; another number of shards walks by itself."""
    cursors = stores.audit_cursors
    first = cursors.acquire(0, 2, owner="one", now=NOW, until=after(240))
    assert first is not None
    assert (first.table, first.live, first.finished) == (None, None, None)
    assert first.round_began_at == NOW

    assert cursors.acquire(0, 2, owner="one", now=after(239.999), until=after(500)) is None
    assert cursors.acquire(1, 2, owner="two", now=NOW, until=after(240)) is not None
    assert cursors.acquire(0, 4, owner="two", now=NOW, until=after(240)) is not None
    assert cursors.acquire(0, 2, owner="two", now=after(240), until=after(500)) is not None


def test_a_walk_goes_on_where_it_was_left(stores: Stores) -> None:
    """Only its holder says where that is; a position that is gone begins a new round."""
    cursors = stores.audit_cursors
    walk = cursors.acquire(0, 1, owner="one", now=NOW, until=after(240))
    assert walk is not None
    left = replace(walk, table="acme#x|job", live="3|acme#y", finished="4|acme#z")
    cursors.release(left)
    again = cursors.acquire(0, 1, owner="two", now=after(1), until=after(241))
    assert again == replace(left, owner="two")
    cursors.release(left)
    assert cursors.acquire(0, 1, owner="one", now=after(2), until=after(242)) is None
    cursors.release(replace(again, table=None, live=None, finished=None, round_began_at=after(3)))
    new = cursors.acquire(0, 1, owner="one", now=after(4), until=after(244))

    assert new == replace(walk, round_began_at=after(3))


def test_the_table_shows_every_job_once(stores: Stores) -> None:
    """Waiting, ended, paused: each in one of the segments, and nothing but jobs."""
    jobs = [stores.add_job(job_id=job_id(str(n)), next_run_at=after(n)) for n in range(4)]
    jobs.append(stores.add_job(job_id=job_id("over"), status=JobStatus.COMPLETED, next_run_at=None))
    jobs.append(stores.add_job(job_id=job_id("off"), status=JobStatus.PAUSED, next_run_at=None))
    stores.audit_cursors.save([a_cursor()], now=NOW)
    pages = [stores.audit_cursors.jobs(shard, SHARES, position=None) for shard in range(SHARES)]
    found = [each for page in pages for each in page.jobs]

    assert sorted(each.job.job_id for each in found) == sorted(job.job_id for job in jobs)
    assert all(each.is_indexed and each.is_listed for each in found)
    assert [page.position for page in pages] == [None] * SHARES


def test_definitions_that_were_replaced_are_read_in_order(stores: Stores) -> None:
    """From a version on."""
    job = stores.add_job(name="1")
    for version in (2, 3, 4):
        changed = replace(job, name=f"{version}", timing=replace(job.timing, version=version))
        stores.jobs.update(job, changed)
        job = changed
    read = stores.audit_cursors.replaced(TENANT, JOB_ID, since=2)

    assert [each.name for each in read] == ["2", "3"]
    assert stores.audit_cursors.replaced(TENANT, JOB_ID, since=4) == ()


@pytest.mark.parametrize(
    ("lost", "indexed", "listed"),
    [
        *((name, False, True) for name in ("due_bucket", "due_at")),
        *((name, True, False) for name in ("tenant_key", "listed_at")),
    ],
)
def test_lost_attributes_of_an_index_are_seen(
    dynamodb: "DynamoDBClient",
    new_dynamo_stores: NewStores,
    lost: str,
    *,
    indexed: bool,
    listed: bool,
) -> None:
    """Each alone takes the job out of its index."""
    stores = new_dynamo_stores()
    job = stores.add_job()
    dynamodb.update_item(
        TableName=table_of(stores),
        Key={"pk": {"S": f"{TENANT}#{job.job_id}"}, "sk": {"S": "job"}},
        UpdateExpression=f"REMOVE {lost}",
    )
    (sighted,) = stores.audit_cursors.jobs(0, 1, position=None).jobs

    assert (sighted.is_indexed, sighted.is_listed) == (indexed, listed)


def test_a_void_is_forgotten_at_once(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """And cursors as long after their last write as records are kept, and a day."""
    stores = new_dynamo_stores()
    stores.audit_cursors.save([a_cursor(check_at=None)], now=NOW)
    items = dynamodb.scan(TableName=table_of(stores))["Items"]
    expiries = {it["pk"]["S"].rstrip("0123456789"): int(it["expires_at"]["N"]) for it in items}

    assert expiries == {
        "#audit#live#": int(NOW.timestamp()),
        "#audit#finished#": int((NOW + timedelta(days=31)).timestamp()),
    }


def table_of(stores: Stores) -> str:
    return str(stores.audit_cursors._table)  # type: ignore[attr-defined]


def auditing(stores: Stores) -> Auditing:
    return Auditing(
        jobs=stores.jobs,
        runs=stores.runs,
        cursors=stores.audit_cursors,
        restrictions=stores.restrictions,
        is_erased=lambda _: False,
        usage=stores.usage,
        telemetry=MemoryTelemetry(),
        clock=MemoryClock(NOW),
        retention=RETENTION,
    )


def test_an_audit_costs_what_docs_performance_says(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """A tick, and for each job that is checked three reads and a share of a batched write."""
    stores = new_dynamo_stores(shards=1)
    young = {"created_at": after(-630), "anchored_at": after(-630)}
    for number in range(20):
        stores.jobs.create(
            job_factory(job_id=job_id(str(number)), schedule=MINUTELY, **young, next_run_at=NOW)
        )
        stores.runs.insert_all(
            [
                attempt_factory(id=attempt_id(job=job_id(str(number)), scheduled_at=at), due_at=at)
                for at in [after(-570 + 60 * n) for n in range(10)]
            ]
        )
    costs = []
    for seconds in (0, 1):
        with recorded(dynamodb) as calls:
            found = audit_shard(0, auditing(stores), now=after(seconds), owner=compact(NOW))
        assert found is not None
        costs.append((found.jobs, dict(calls)))
    (checked, first), (unchecked, idle) = costs

    assert (checked, unchecked) == (20, 0)
    # Live and finished cursors, 36 minutes of ``due`` and 12 of ``watch``, and the recount.
    assert idle == {
        "Query": 2 * PARTS + IDLE_QUERIES + RECOUNT["Query"],
        "Scan": 1,
        "UpdateItem": 2,
        "GetItem": RECOUNT["GetItem"],
    }
    assert first == {
        **idle,
        "Query": idle["Query"] + 2 * 20,
        "GetItem": idle["GetItem"] + 20,
        "PutItem": 20,
        "BatchGetItem": 2,
        "BatchWriteItem": 1,
    }
