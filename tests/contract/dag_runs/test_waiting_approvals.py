"""``ApprovalStore``: tasks that wait for a person, found by tenant, on every engine."""

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import NewStores
from tests.contract.dag_runs.dag_run_factories import LOAD, run_of
from tests.support.execution.metered import MeteredEngine
from tests.support.execution.placing import placed
from tests.support.factories import NOW, OTHER_TENANT, after
from tests.support.stores.contract_stores import SHARDS, Stores
from tests.support.stores.recorder import recorded
from tests.support.stores.stores_on import stores_on
from tests.unit.domain.dags.definitions import ACME
from timegate.adapters.dynamo.dag_runs.dag_task_items import APPROVAL_PARTS, approval_fields
from timegate.adapters.dynamo.tables.keys import task_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_UNTIL = after(3_600)


def pending(stores: Stores, number: int, *, tenant: TenantId = ACME) -> tuple[DagRun, TaskProgress]:
    """A DAG run with a task that has not begun."""
    run = stores.dag_runs.create(run_of(f"run {number}", tenant=tenant))
    task = TaskProgress(tenant=tenant, dag_run_id=run.dag_run_id, key=LOAD)
    stores.dag_runs.open_tasks(run, [task])
    return run, task


def waiting(task: TaskProgress, seconds: float = 0, **fields: Any) -> TaskProgress:  # noqa: ANN401
    """The task as it asks a person, so many seconds after ``NOW``."""
    own: dict[str, Any] = {"started_at": after(seconds), "waits_until": _UNTIL, "asks": True}
    return replace(task, state=TaskState.RUNNING, **(own | fields))


def add(stores: Stores, number: int, *, tenant: TenantId = ACME) -> DagRun:
    """A DAG run whose task asks since so many seconds."""
    run, task = pending(stores, number, tenant=tenant)
    assert stores.dag_runs.change_task(task, waiting(task, number)) is not None
    return run


def listed(stores: Stores, *, tenant: TenantId = ACME, limit: int = 100) -> list[str]:
    """DAG runs of every approval, page by page."""
    found: list[str] = []
    cursor = None
    while True:
        page = stores.approvals.list_waiting(tenant, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        found += [each.run.dag_run_id for each in page.rows]
        cursor = page.cursor
        if cursor is None:
            return found


def test_approvals_are_listed_latest_first_across_all_partitions(stores: Stores) -> None:
    """In pages of any size; none is shown twice or left out."""
    runs = [add(stores, number) for number in range(16)]
    tasks = [stores.dag_runs.tasks(ACME, run.dag_run_id)[0] for run in runs]
    expected = [run.dag_run_id for run in reversed(runs)]

    assert len({approval_fields(task)["failure_part"] for task in tasks}) == len(APPROVAL_PARTS)
    for limit in (1, 5, 15, 16, 17):
        assert listed(stores, limit=limit) == expected


def test_the_record_has_what_a_decision_takes(stores: Stores) -> None:
    """The task and its DAG run, as they are now."""
    run = add(stores, 3)
    (row,) = stores.approvals.list_waiting(ACME, limit=9, cursor=None).rows

    assert (row.run, row.task.key, row.task.round) == (run, LOAD, 1)
    assert (row.since, row.until) == (after(3), _UNTIL)


@pytest.mark.parametrize(
    "end",
    [
        {"state": TaskState.SUCCEEDED, "reason": TaskReason.APPROVED, "ended_at": NOW},
        {"state": TaskState.FAILED, "reason": TaskReason.EXPIRED, "ended_at": NOW},
        {"state": TaskState.CANCELLED, "reason": TaskReason.DAG_CANCELLED, "ended_at": NOW},
        {"state": TaskState.SKIPPED, "reason": TaskReason.FORCED, "ended_at": NOW},
        {
            "state": TaskState.PENDING,
            "round": 2,
            "started_at": None,
            "waits_until": None,
            "asks": False,
        },
    ],
    ids=lambda end: str(end["state"]),
)
@pytest.mark.parametrize("together", [False, True])
def test_whatever_ends_the_wait_leaves_no_entry(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", end: dict[str, Any], together: bool
) -> None:
    """With the DAG run or alone: the index has nothing left to be read."""
    stores = new_dynamo_stores()
    run, task = pending(stores, 1)
    before = stores.dag_runs.change_task(task, waiting(task))
    assert before is not None
    after_it = replace(before, **end)
    if together:
        again = replace(run, status=DagRunStatus.REOPENING, round=after_it.round)
        assert stores.dag_runs.change_together(run, again, [(before, after_it)])
    else:
        assert stores.dag_runs.change_task(before, after_it) is not None
    with recorded(dynamodb) as calls:
        page = stores.approvals.list_waiting(ACME, limit=9, cursor=None)

    assert page.rows == ()
    assert calls == {"Query": len(APPROVAL_PARTS)}


def test_a_tenant_sees_its_own(stores: Stores) -> None:
    """Also where a name begins alike, and under another tenant's cursor (S1)."""
    mine = add(stores, 1)
    theirs = [add(stores, number, tenant=OTHER_TENANT) for number in (2, 3)]
    add(stores, 4, tenant=TenantId(f"{ACME}x"))
    cursor = stores.approvals.list_waiting(OTHER_TENANT, limit=1, cursor=None).cursor

    assert listed(stores) == [mine.dag_run_id]
    assert listed(stores, tenant=OTHER_TENANT) == [run.dag_run_id for run in reversed(theirs)]
    for other in (cursor, "x", write_cursor(f"failures#{ACME}", "20261121")):
        with pytest.raises(InvalidInput):
            stores.approvals.list_waiting(ACME, limit=1, cursor=other)


def test_a_record_that_cannot_be_read_hides_no_other() -> None:
    """It is named for those who run the stage."""
    stores = metered()
    good, bad = add(stores, 1), add(stores, 2)
    key = task_key(ACME, bad.dag_run_id, LOAD)
    stores.engine.write(Update(table="runs", key=key, fields={"round": "x"}, where={}))
    page = stores.approvals.list_waiting(ACME, limit=9, cursor=None)

    assert [row.run.dag_run_id for row in page.rows] == [good.dag_run_id]
    assert [record for record, _ in page.damaged] == [f"{key.pk} {key.sk}"]


@pytest.mark.parametrize(
    ("wait", "entries"),
    [({}, 2), ({"asks": False}, 0), ({"asks": False, "waits_until": None}, 0)],
    ids=["approval", "sleep", "run"],
)
def test_an_approval_costs_a_unit_of_the_index_at_its_begin_and_at_its_end(
    wait: dict[str, Any], entries: int
) -> None:
    """Other tasks cost none; each begin and each end is one call, as it was."""
    stores = metered()
    _, task = pending(stores, 1)
    engine = stores.engine
    assert isinstance(engine, MeteredEngine)
    engine.reset()
    begun = stores.dag_runs.change_task(task, waiting(task, **wait))
    assert begun is not None
    ended = replace(begun, state=TaskState.SUCCEEDED, ended_at=after(1))
    assert stores.dag_runs.change_task(begun, ended) is not None

    assert engine.calls == {"UpdateItem": 2}
    assert engine.units == Counter({"runs": 2}) + Counter({"runs/failures": entries})


def metered() -> Stores:
    """Stores in memory with a meter."""
    return stores_on(MeteredEngine(), jobs="jobs", runs="runs", shards=lambda: placed(SHARDS))
