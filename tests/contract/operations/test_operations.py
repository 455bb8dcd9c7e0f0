"""``OperationStore``: one conditional write per step, and every write an event."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, run_id
from tests.support.operations.started_operations import OPS, backfill_factory, operation_factory
from tests.support.stores.contract_stores import Stores, race
from timegate.adapters.dynamo.operations.operation_items import operation_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.operations.operation import (
    BulkChange,
    ItemError,
    Opened,
    Operation,
    OperationKind,
    OperationStatus,
    Reprocess,
    Settlement,
    Tally,
    WaitsFor,
    stepped,
)
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.run_filter import FailureFilter
from timegate.domain.values.errors import InvalidInput, OperationNotFound
from timegate.domain.values.identity import JobId, OperationId, job_id_from
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.payload import Payload
from timegate.ports.operations.operation_store import OperationRef

BACKFILL = operation_factory(
    kind=OperationKind.BACKFILL,
    task=backfill_factory(reprocess=Reprocess.FAILED),
    tally=Tally(matched=11, done=2, unchanged=3, failed=1),
    opened=(Opened(instant=NOW, number=1), Opened(instant=after(60), number=12)),
    errors=(ItemError(item="run", code="http_500", detail="it broke"),),
    waits_for=WaitsFor.RUNS,
    failure=ItemError(item="job", code="job_cancelled", detail="gone"),
    cursor="20261121T070000000Z",
    exhausted=True,
    step=7,
)
FAILURES = operation_factory(
    kind=OperationKind.REDRIVE,
    task=Settlement(
        failures=FailureFilter(
            states=(RunState.FAILED, RunState.TIMED_OUT),
            reason=Reason.PERMANENT,
            error_code="http_404",
            job_id=JobId("a" * 26),
            name="nightly*",
            tags=(("env", "prod"), ("team", "a")),
            within=InstantRange(start=NOW, end=after(60)),
        ),
        fresh=True,
        note="back",
    ),
)
REDRIVE = operation_factory(
    kind=OperationKind.REDRIVE,
    task=Settlement(
        letters=DeadLetterFilter(
            job_id=JobId("a" * 26),
            reason=Reason.KILLS_WORKERS,
            error_code="http_500",
            start=NOW,
            end=after(60),
        ),
        runs=(run_id(), run_id(scheduled_at=after(60))),
        payload=Payload(),
        fresh=True,
        note="typo",
    ),
    chosen=(run_id(),),
)
FILTER = JobFilter(
    status=JobStatus.ACTIVE,
    kind=ScheduleKind.CRON,
    priority=Priority.HIGH,
    tags=(("stage", "prod"), ("team", "ops")),
)


def numbered(number: int, **fields: object) -> Operation:
    """One of many."""
    id_ = OperationId(job_id_from(f"operation {number}".encode()))
    return operation_factory(operation_id=id_, **fields)


def ref(operation: Operation) -> OperationRef:
    """Return the operation's reference."""
    return OperationRef(tenant=operation.tenant, id=operation.operation_id)


@pytest.mark.parametrize(
    "operation",
    [
        operation_factory(),
        operation_factory(task=OPS),
        operation_factory(kind=OperationKind.RESUME, task=BulkChange(jobs=FILTER, catch_up=True)),
        operation_factory(task=BulkChange(jobs=FILTER, reason="The ledger moves.")),
        BACKFILL,
        REDRIVE,
        operation_factory(kind=OperationKind.DISCARD, task=Settlement(letters=DeadLetterFilter())),
        operation_factory(kind=OperationKind.REDRIVE, task=Settlement(failures=FailureFilter())),
        FAILURES,
    ],
    ids=[
        *(
            "everything",
            "by tag",
            "by all criteria",
            "for a reason",
            "backfill",
            "redrive",
            "discard",
        ),
        *("all failures", "failures"),
    ],
)
def test_what_is_stored_is_read_back(stores: Stores, operation: Operation) -> None:
    """Every field of it."""
    assert stores.operations.create(operation) == operation
    assert stores.operations.get(TENANT, operation.operation_id) == operation


def test_the_same_id_is_stored_once(stores: Stores) -> None:
    """A second creation is given what is there."""
    first = stores.operations.create(operation_factory())

    assert stores.operations.create(operation_factory(created_by="another")) == first


def test_a_tenant_sees_its_own(stores: Stores) -> None:
    """By id and by list (S1)."""
    stores.operations.create(operation_factory())

    with pytest.raises(OperationNotFound):
        stores.operations.get(OTHER_TENANT, operation_factory().operation_id)
    assert stores.operations.list_operations(OTHER_TENANT, limit=9, cursor=None).rows == ()


def test_an_unreadable_operation_hides_no_other(stores: Stores) -> None:
    """It is named apart, and the page leads on."""
    made = [stores.operations.create(numbered(n, created_at=after(n))) for n in range(3)]
    table: Any = stores.operations
    key = operation_key(TENANT, made[2].operation_id)
    stores.engine.write(Update(table=table._table, key=key, fields={"shape": 99}, where={}))
    first = stores.operations.list_operations(TENANT, limit=2, cursor=None)
    last = stores.operations.list_operations(TENANT, limit=2, cursor=first.cursor)

    assert [*first.rows, *last.rows] == [made[1], made[0]]
    assert [name for name, _ in first.damaged] == [made[2].operation_id]


@pytest.mark.parametrize("limit", [1, 2, 9])
def test_they_are_listed_newest_first_and_beside_the_jobs(stores: Stores, limit: int) -> None:
    """Each once, whatever the size of a page; jobs are another list."""
    stores.add_job()
    created = [stores.operations.create(numbered(n, created_at=after(n // 2))) for n in range(5)]
    newest = sorted(created, key=lambda o: (o.created_at, o.operation_id), reverse=True)
    found: list[Operation] = []
    cursor: str | None = None
    while True:
        page = stores.operations.list_operations(TENANT, limit=limit, cursor=cursor)
        found += page.rows
        cursor = page.cursor
        if cursor is None:
            break

    assert newest == found
    assert len(stores.jobs.list_jobs(TENANT, limit=9, cursor=None).rows) == 1


@pytest.mark.parametrize(
    "cursor", ["no cursor", write_cursor("jobs#acme", "20261121T070000000Z#x")]
)
def test_a_cursor_of_no_page_of_this_list_is_refused(stores: Stores, cursor: str) -> None:
    """That of the jobs, too."""
    with pytest.raises(InvalidInput):
        stores.operations.list_operations(TENANT, limit=2, cursor=cursor)


def test_a_step_replaces_what_a_step_may_change(stores: Stores) -> None:
    """And is refused to a step that read what was before it."""
    before = stores.operations.create(operation_factory())
    after_ = stepped(before, replace(before, cursor="x", tally=Tally(matched=3)), now=after(1))
    progressed = stores.operations.advance(before, after_)
    again = stores.operations.advance(before, after_)

    assert (progressed, again) == (True, False)
    assert stores.operations.get(TENANT, before.operation_id) == after_


def test_the_last_step_ends_it(stores: Stores) -> None:
    """An ended operation is in no watch, and makes no further step."""
    before = stores.operations.create(BACKFILL)
    ended = stepped(before, replace(before, opened=(), failure=None, errors=()), now=after(1))
    assert stores.operations.advance(before, ended)

    assert stores.operations.get(TENANT, before.operation_id) == ended
    assert (ended.status, ended.cursor) == (OperationStatus.FAILED, None)
    assert list(stores.operations.overdue(until=after(9_999))) == []
    assert not stores.operations.advance(ended, replace(ended, step=ended.step + 1))
    assert not stores.operations.wake(TENANT, before.operation_id)


def test_one_of_many_who_make_the_same_step_makes_it(stores: Stores) -> None:
    """The others' work counts for nothing."""
    before = stores.operations.create(operation_factory())
    steps = [
        stepped(before, replace(before, tally=Tally(matched=n)), now=after(1)) for n in range(8)
    ]
    won = race(*(lambda s=s: stores.operations.advance(before, s) for s in steps))

    assert won.count(True) == 1
    assert stores.operations.get(TENANT, before.operation_id) == steps[won.index(True)]


def test_a_cancel_request_outlives_a_step_under_way(stores: Stores) -> None:
    """The step does not know of it and does not undo it."""
    before = stores.operations.create(operation_factory())
    asked = stores.operations.request_cancel(TENANT, before.operation_id)
    assert stores.operations.advance(before, stepped(before, before, now=after(1)))

    assert asked == replace(before, cancel_requested=True)
    assert stores.operations.get(TENANT, before.operation_id).cancel_requested


def test_what_has_ended_is_not_marked(stores: Stores) -> None:
    """It is answered with as it is; what does not exist is not found."""
    ended = operation_factory(status=OperationStatus.SUCCEEDED, watch_at=None, ended_at=NOW)
    stores.operations.create(ended)

    assert stores.operations.request_cancel(TENANT, ended.operation_id) == ended
    with pytest.raises(OperationNotFound):
        stores.operations.request_cancel(OTHER_TENANT, ended.operation_id)


def test_waking_changes_nothing_that_is_read(stores: Stores) -> None:
    """However often; what is not there cannot be woken."""
    operation = stores.operations.create(operation_factory())

    assert [stores.operations.wake(TENANT, operation.operation_id) for _ in range(2)] == [True] * 2
    assert stores.operations.get(TENANT, operation.operation_id) == operation
    assert not stores.operations.wake(OTHER_TENANT, operation.operation_id)


def test_what_is_overdue_is_found(stores: Stores) -> None:
    """From its instant on, soonest first; jobs that wait in the same index are not among them."""
    stores.add_job()
    operations = [stores.operations.create(numbered(n, watch_at=after(12 - n))) for n in range(12)]
    soonest = [operation.operation_id for operation in reversed(operations)]

    def found(seconds: float) -> list[OperationId]:
        return [each.id for each in stores.operations.overdue(until=after(seconds))]

    assert found(12) == soonest
    assert found(11.999) == soonest[:-1]


def test_a_touch_puts_the_next_look_off(stores: Stores) -> None:
    """Once: the second sweeper finds it not overdue any more."""
    operation = stores.operations.create(operation_factory(watch_at=NOW))

    def touched(seconds: float) -> Operation | None:
        return stores.operations.touch(ref(operation), now=after(seconds), watch_at=after(120))

    assert touched(-0.001) is None
    assert touched(0) == replace(operation, watch_at=after(120))
    assert touched(0) is None
    assert touched(120) == replace(operation, watch_at=after(120))


@pytest.mark.parametrize(("seconds", "is_kept"), [(-1, True), (0, False)])
def test_an_operation_that_has_expired_is_met_by_none(
    stores: Stores, seconds: float, *, is_kept: bool
) -> None:
    """DynamoDB deletes it days later: the same request is another operation before that."""
    ended = operation_factory(status=OperationStatus.SUCCEEDED, ended_at=NOW)
    stores.operations.create(ended)
    key = operation_key(TENANT, ended.operation_id)
    table = stores.operations._table  # type: ignore[attr-defined]
    expires_at = (stores.engine.get(table, key) or {})["expires_at"]
    now = datetime.fromtimestamp(int(str(expires_at)), UTC) + timedelta(seconds=seconds)
    wanted = operation_factory(created_at=now, updated_at=now)

    assert stores.operations.create(wanted) == (ended if is_kept else wanted)
