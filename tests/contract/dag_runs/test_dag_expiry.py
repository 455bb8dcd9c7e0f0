"""Expiry of the records of a DAG run: those beside it are kept as long as it is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.contract.dag_runs.dag_run_factories import LOAD, opened, run_of
from tests.contract.dag_runs.test_dag_runs import attempt_of
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.tables.keys import dag_run_key, dag_run_row_key, task_key
from timegate.domain.dag_runs.progress import DagRun, TaskState
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.instant_range import InstantRange

LATER = timedelta(days=40)


def expiries(stores: Stores, run: DagRun) -> dict[str, int]:
    """Expiry of the DAG run, of its task, and of its row in the list of its DAG's runs."""
    keys = {
        "run": dag_run_key(run.tenant, run.dag_run_id),
        "task": task_key(run.tenant, run.dag_run_id, LOAD),
        "row": dag_run_row_key(run.tenant, run.dag_id, run.created_at, run.dag_run_id),
    }
    table = stores.dag_runs._table  # type: ignore[attr-defined]
    found = {name: stores.engine.get(table, key) for name, key in keys.items()}
    return {name: int(str(item["expires_at"])) for name, item in found.items() if item}


def test_records_beside_a_dag_run_that_is_opened_anew_expire_with_it(stores: Stores) -> None:
    """Its deadline has moved: none of them is gone while it works."""
    run = stores.dag_runs.create(run_of())
    opened(stores, run)
    (first,) = set(expiries(stores, run).values())
    later = replace(run, deadline_at=run.deadline_at + LATER)
    assert stores.dag_runs.change(run, later)
    stores.dag_runs.keep_tasks(later, [LOAD, TaskKey("never_stored")])

    expected = first + int(LATER.total_seconds())
    assert expiries(stores, run) == {"run": expected, "task": expected, "row": expected}
    assert [task.key for task in stores.dag_runs.tasks(run.tenant, run.dag_run_id)] == [LOAD]


@pytest.mark.parametrize(("seconds", "is_kept"), [(-1, True), (0, False)])
def test_a_dag_run_of_the_same_key_meets_nothing_that_has_expired(
    stores: Stores, seconds: float, *, is_kept: bool
) -> None:
    """DynamoDB deletes the DAG run, its tasks and their runs days later, and in any order."""
    first = stores.dag_runs.create(run_of())
    opened(stores, first, state=TaskState.SUCCEEDED)
    its_run = attempt_of(first)
    stores.runs.insert_all([its_run])
    now = datetime.fromtimestamp(expiries(stores, first)["run"], UTC) + timedelta(seconds=seconds)
    wanted = run_of(created_at=now, scheduled_at=now, deadline_at=now + LATER)

    second = stores.dag_runs.create(wanted)
    opened(stores, second)

    assert second == (first if is_kept else wanted)
    (task,) = stores.dag_runs.tasks(second.tenant, second.dag_run_id)
    assert task.state is (TaskState.SUCCEEDED if is_kept else TaskState.PENDING)
    assert stores.dag_runs.attempts(second) == ((its_run,) if is_kept else ())
    assert stores.dag_runs.first_attempts(second, at_most=9) == stores.dag_runs.attempts(second)


def test_tasks_that_have_expired_are_new_where_their_dag_run_is_gone(stores: Stores) -> None:
    """A repeated opening leaves the new ones as they are."""
    first = stores.dag_runs.create(run_of())
    opened(stores, first, state=TaskState.SUCCEEDED)
    now = datetime.fromtimestamp(expiries(stores, first)["run"], UTC)
    table = stores.dag_runs._table  # type: ignore[attr-defined]
    stores.engine.delete_all(table, [dag_run_key(first.tenant, first.dag_run_id)])
    second = stores.dag_runs.create(run_of(created_at=now, deadline_at=now + LATER))
    new = opened(stores, second)
    started = stores.dag_runs.change_task(new, replace(new, state=TaskState.RUNNING))
    opened(stores, second)

    assert stores.dag_runs.task(first.tenant, first.dag_run_id, LOAD) == started
    assert started is not None


@pytest.mark.parametrize("limit", [1, 2])
def test_a_row_that_has_expired_shows_no_later_dag_run_of_its_key(
    stores: Stores, limit: int
) -> None:
    """It is listed once, on the page of its own row; the one that is gone is on none."""
    first = stores.dag_runs.create(run_of())
    now = datetime.fromtimestamp(expiries(stores, first)["run"], UTC)
    second = stores.dag_runs.create(run_of(created_at=now, deadline_at=now + LATER))
    cursor, listed = None, list[DagRun]()
    for _ in range(3):
        page = stores.dag_runs.list_dag_runs(first.tenant, first.dag_id, limit=limit, cursor=cursor)
        listed += page.rows
        if (cursor := page.cursor) is None:
            break

    assert listed == [second]
    within = InstantRange(end=first.created_at + LATER / 2)
    earlier = stores.dag_runs.list_dag_runs(
        first.tenant, first.dag_id, limit=9, cursor=None, within=within
    )
    assert earlier.rows == ()
