"""The records of DAG runs and their tasks, on every engine."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import NewStores
from tests.contract.dag_runs.dag_run_factories import DAG, LOAD, opened, run_of
from tests.support.execution.placing import placed
from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import SHARDS, Stores, race
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import ACME, dag, task
from timegate.adapters.dynamo.tables.keys import dag_run_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    Members,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import DagRunRef, TaskRunMark
from timegate.domain.dag_runs.task_governor import governs_inline, task_attempt
from timegate.domain.dags.definition import InlineTask
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt, RunError
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, TaskKey, dag_id_for_key
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import minute_of
from timegate.domain.values.payload import Payload
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_WORK = task("load")


def governor_of(run: DagRun) -> Job:
    """Return the job that governs the task's runs."""
    assert isinstance(_WORK.spec, InlineTask)
    return governs_inline(run, dag((_WORK,)), _WORK, _WORK.spec, Payload(), now=NOW)


def attempt_of(run: DagRun, *, index: int = 0, in_round: int = 1) -> Attempt:
    """The first attempt at the run of the task."""
    mark = TaskRunMark(dag_run_id=run.dag_run_id, key=LOAD, round=in_round, index=index)
    return task_attempt(run, mark, governor_of(run), None, now=NOW)


def test_a_dag_run_is_stored_once(stores: Stores) -> None:
    """A second creation is given what is there."""
    run = stores.dag_runs.create(run_of())
    again = stores.dag_runs.create(run_of(created_at=after(5), request_hash="other"))

    assert again == run == stores.dag_runs.get(ACME, run.dag_run_id)
    with pytest.raises(DagRunNotFound):
        stores.dag_runs.get(ACME, run_of("other").dag_run_id)


def test_an_unreadable_dag_run_hides_no_other(stores: Stores) -> None:
    """It is named apart, and the page leads on."""
    made = [
        stores.dag_runs.create(run_of(f"run {number}", created_at=after(number)))
        for number in range(3)
    ]
    table: Any = stores.dag_runs
    key = dag_run_key(ACME, made[2].dag_run_id)
    stores.engine.write(Update(table=table._table, key=key, fields={"shape": 99}, where={}))
    first = stores.dag_runs.list_dag_runs(ACME, DAG, limit=2, cursor=None)
    last = stores.dag_runs.list_dag_runs(ACME, DAG, limit=2, cursor=first.cursor)

    assert [*first.rows, *last.rows] == [made[1], made[0]]
    assert [name for name, _ in first.damaged] == [made[2].dag_run_id]


def test_the_runs_of_a_dag_are_listed_newest_first(stores: Stores) -> None:
    """Page by page, and none of another DAG."""
    made = [
        stores.dag_runs.create(run_of(f"run {number}", created_at=after(number)))
        for number in range(3)
    ]
    other = dag_id_for_key(ACME, "other")
    stores.dag_runs.create(run_of("elsewhere", dag_id=other))
    first = stores.dag_runs.list_dag_runs(ACME, DAG, limit=2, cursor=None)
    last = stores.dag_runs.list_dag_runs(ACME, DAG, limit=2, cursor=first.cursor)

    assert [*first.rows, *last.rows] == made[::-1]
    assert (first.cursor is None, last.cursor) == (False, None)
    with pytest.raises(InvalidInput):
        stores.dag_runs.list_dag_runs(ACME, other, limit=2, cursor=first.cursor)


@pytest.mark.parametrize("limit", [1, 2, 9])
@pytest.mark.parametrize(
    ("within", "expected"),
    [
        pytest.param(InstantRange(start=after(1)), [2, 1], id="from-one-of-them"),
        pytest.param(InstantRange(start=after(1.001)), [2], id="from-behind-it"),
        pytest.param(InstantRange(end=after(1)), [1, 0], id="to-one-of-them"),
        pytest.param(InstantRange(end=after(0.999)), [0], id="to-before-it"),
        pytest.param(InstantRange(start=after(9)), [], id="where-there-is-none"),
    ],
)
def test_the_dag_runs_of_a_range_are_listed(
    stores: Stores, within: InstantRange, expected: list[int], limit: int
) -> None:
    """By when they were created, both ends within, page by page."""
    made = [
        stores.dag_runs.create(run_of(f"run {number}", created_at=after(number)))
        for number in range(3)
    ]
    found: list[DagRun] = []
    cursor: str | None = None
    while True:
        page = stores.dag_runs.list_dag_runs(ACME, DAG, limit=limit, cursor=cursor, within=within)
        found += page.rows
        cursor = page.cursor
        if cursor is None:
            break

    assert found == [made[number] for number in expected]


def test_a_status_is_changed_by_one_of_those_who_read_it(stores: Stores) -> None:
    """And keeps the tasks that ended meanwhile, and the token."""
    run = stores.dag_runs.create(run_of())
    stores.dag_runs.record_end(run, [1], failed=True)
    stores.dag_runs.keep_token(run, "token")
    stopping = replace(
        run,
        status=DagRunStatus.STOPPING,
        stops_as=DagRunStatus.CANCELLED,
        reason=TaskReason.DAG_CANCELLED,
    )
    done = [stores.dag_runs.change(run, stopping) for _ in range(2)]
    stored = stores.dag_runs.get(ACME, run.dag_run_id)

    assert done == [True, False]
    assert stored == replace(
        stopping, revision=1, ended=frozenset({1}), failed=frozenset({1}), tokens=("token",)
    )


def test_another_round_begins_with_what_stays_ended(stores: Stores) -> None:
    """A repeated task leaves the sets; ends of the round before are not counted."""
    run = stores.dag_runs.create(run_of())
    counted = stores.dag_runs.record_end(run, [0, 1, 2, 3], failed=True)
    assert counted is not None
    again = replace(counted, status=DagRunStatus.REOPENING, round=2, repeats=frozenset({1, 2}))

    assert stores.dag_runs.change(counted, again, uncounted=[1, 2])
    assert stores.dag_runs.record_end(run, [1], failed=False) is None
    assert stores.dag_runs.get(ACME, run.dag_run_id) == replace(
        again, revision=1, ended=frozenset({0, 3}), failed=frozenset({0, 3})
    )


def test_a_dag_run_that_ends_is_watched_no_more(stores: Stores) -> None:
    """Until then it is found in its bucket, and touched once."""
    run = stores.dag_runs.create(run_of(follow=False))
    ref = DagRunRef(tenant=ACME, id=run.dag_run_id)
    shard = placed(SHARDS).shard_of(JobId(run.dag_run_id))
    early = stores.dag_runs.touch(ref, now=after(59), watch_at=after(120))
    found = list(stores.runs.overdue(minute_of(after(60)), shard, until=after(60)))
    touched = [stores.dag_runs.touch(ref, now=after(60), watch_at=after(120)) for _ in range(2)]
    ended = replace(
        run, status=DagRunStatus.SUCCEEDED, ended_at=after(90), watch_at=None, revision=0
    )
    stores.dag_runs.change(run, ended)
    gone = list(stores.runs.overdue(minute_of(after(120)), shard, until=after(120)))

    assert (early, found, gone) == (None, [ref], [])
    assert touched == [replace(run, watch_at=after(120), follow=True), None]


def test_an_edge_is_decided_once(stores: Stores) -> None:
    """A second decision changes nothing; one of an earlier round changes nothing at all."""
    run = stores.dag_runs.create(run_of())
    opened(stores, run)
    stores.dag_runs.decide(run, LOAD, source=0, holds=True)
    stores.dag_runs.decide(run, LOAD, source=2, holds=False)
    seen = stores.dag_runs.decide(run, LOAD, source=0, holds=True)
    stores.dag_runs.open_tasks(
        run, [TaskProgress(tenant=ACME, dag_run_id=run.dag_run_id, key=LOAD)]
    )

    assert seen is not None
    assert (seen.satisfied, seen.unsatisfied) == (frozenset({0}), frozenset({2}))
    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == seen
    back = replace(seen, round=2, satisfied=frozenset(), unsatisfied=frozenset())
    assert stores.dag_runs.change_task(seen, back) == back
    assert stores.dag_runs.decide(run, LOAD, source=0, holds=True) is None


def test_the_step_that_sees_the_last_edge_decided_starts_the_task_once(stores: Stores) -> None:
    """Eight who all saw it: one start, one run, under what governs it."""
    run = stores.dag_runs.create(run_of())
    pending = opened(stores, run)
    going = replace(pending, state=TaskState.RUNNING, started_at=NOW)
    attempt, governor = attempt_of(run), governor_of(run)

    def start() -> bool:
        return stores.dag_runs.start_task(run, pending, going, governor, [attempt])

    started = race(*[start] * 8)
    (loaded,) = stores.runs.load_all([AttemptRef(tenant=ACME, id=attempt.id)])

    assert sorted(started) == [False] * 7 + [True]
    assert (loaded.attempt, loaded.job) == (attempt, governor)
    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == going
    assert stores.dag_runs.attempts(run) == (attempt,)


def test_what_a_task_came_to_is_kept_whole(stores: Stores) -> None:
    """And the token that came meanwhile; who comes second changes nothing."""
    run = stores.dag_runs.create(run_of())
    pending = opened(stores, run, job_version=7)
    stores.dag_runs.keep_task_token(ACME, run.dag_run_id, LOAD, "token")
    failed = replace(
        pending,
        state=TaskState.FAILED,
        started_at=NOW,
        ended_at=after(1),
        attempts=3,
        reason="permanent",
        error=RunError(code="boom", type="Boom", message="It broke."),
        result="excerpt",
        stored_result=StoredResult(blob="results/there", size_bytes=9),
    )

    assert stores.dag_runs.change_task(pending, failed) == replace(failed, tokens=("token",))
    assert stores.dag_runs.change_task(pending, failed) is None
    assert stores.dag_runs.tasks(ACME, run.dag_run_id) == (replace(failed, tokens=("token",)),)
    assert stores.dag_runs.keep_task_token(ACME, run.dag_run_id, TaskKey("none"), "t") is None


def test_members_are_counted_once_while_their_task_runs(stores: Stores) -> None:
    """Their runs are found by the task and its round."""
    run = stores.dag_runs.create(run_of())
    pending = opened(stores, run)
    members = Members(width=3, is_complete=False)
    going = replace(pending, state=TaskState.RUNNING, members=members)
    stores.dag_runs.start_task(run, pending, going, governor_of(run), [])
    runs = [attempt_of(run, index=index) for index in range(3)]
    stores.runs.insert_all([*runs, attempt_of(run, in_round=2)])
    stores.dag_runs.record_member(going, [0, 0], succeeded=True)
    counted = stores.dag_runs.record_member(going, [1], succeeded=False)
    stores.dag_runs.change_task(going, replace(going, members=replace(members, is_complete=True)))
    again = stores.dag_runs.record_member(going, [1], succeeded=False)
    assert counted is not None
    assert again is not None
    done = stores.dag_runs.change_task(again, replace(again, state=TaskState.FAILED))

    assert again.members == Members(
        width=3, is_complete=True, succeeded=frozenset({0}), failed=frozenset({1})
    )
    assert done is not None
    assert stores.dag_runs.record_member(going, [2], succeeded=True) is None
    assert stores.dag_runs.attempts(run, key=LOAD, in_round=1) == tuple(runs)
    assert len(stores.dag_runs.attempts(run)) == 4


def test_what_moving_on_costs(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """A write per edge, one per end, one per start: whatever the size of the DAG."""
    stores = new_dynamo_stores()
    run = stores.dag_runs.create(run_of())
    pending = opened(stores, run)
    going = replace(pending, state=TaskState.RUNNING)
    with recorded(dynamodb) as calls:
        stores.dag_runs.decide(run, LOAD, source=0, holds=True)
        stores.dag_runs.start_task(run, pending, going, governor_of(run), [attempt_of(run)])
        stores.dag_runs.change_task(going, replace(going, state=TaskState.SUCCEEDED))
        stores.dag_runs.record_end(run, [1], failed=False)

    assert calls == {"UpdateItem": 3, "TransactWriteItems": 1}
