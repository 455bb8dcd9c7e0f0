"""Every engine stores an operator's decisions about tasks of DAG runs."""

from dataclasses import replace

from tests.contract.dag_runs.dag_run_factories import LOAD, opened, run_of
from tests.support.factories import NOW, attempt_factory
from tests.support.stores.contract_stores import Stores, race
from tests.unit.domain.dags.definitions import ACME
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    Intervention,
    InterventionKind,
    Members,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.run_identity import TaskRunMark
from timegate.domain.runs.run import RunState
from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter, Stamp
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import AttemptId


def put_back(stores: Stores, run: DagRun) -> tuple[DagRun, TaskProgress, TaskProgress]:
    """A DAG run in another round, and its task before and after it is put back."""
    before = opened(stores, run, state=TaskState.RUNNING)
    stores.dag_runs.decide(run, LOAD, source=0, holds=True)
    stores.dag_runs.keep_task_token(ACME, run.dag_run_id, LOAD, "token")
    read = replace(before, satisfied=frozenset({0}), tokens=("token",))
    done = Intervention(
        kind=InterventionKind.RERUN, by="ops", at=NOW, note="why", key="k", fingerprint="f"
    )
    back = replace(
        read,
        state=TaskState.PENDING,
        round=2,
        satisfied=frozenset(),
        unsatisfied=frozenset({0}),
        intervention=done,
    )
    again = replace(
        run,
        status=DagRunStatus.REOPENING,
        round=2,
        asked_rounds=1,
        known=frozenset({3}),
        repeats=frozenset({1}),
        follow=True,
    )
    return again, read, back


def test_a_round_of_an_operator_begins_with_its_task(stores: Stores) -> None:
    """One write for both; what is counted meanwhile stays, but for what no longer counts."""
    run = stores.dag_runs.create(run_of())
    again, read, back = put_back(stores, run)
    stores.dag_runs.record_end(run, [1, 2], failed=True)
    changed = [
        stores.dag_runs.change_together(run, again, [(read, back)], uncounted=[1, 3])
        for _ in range(2)
    ]

    assert changed == [True, False]
    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == back
    assert stores.dag_runs.get(ACME, run.dag_run_id) == replace(
        again, revision=1, ended=frozenset({2}), failed=frozenset({2})
    )
    assert stores.dag_runs.record_end(run, [1], failed=False) is None


def test_members_that_a_request_leaves_out_keep_their_ends(stores: Stores) -> None:
    """Also where they end after the task was read; of the others nothing is counted any more."""
    run = stores.dag_runs.create(run_of())
    made = Members(width=5, is_complete=True)
    going = opened(stores, run, state=TaskState.RUNNING, members=made)
    stores.dag_runs.record_member(going, [0, 1], succeeded=True)
    stores.dag_runs.record_member(going, [2, 3], succeeded=False)
    members = replace(made, is_complete=False, skipped=frozenset({3}), earlier={0: 1, 1: 1, 4: 1})
    after = replace(going, round=2, members=members)
    again = replace(run, status=DagRunStatus.REOPENING, round=2)
    done = stores.dag_runs.change_together(run, again, [(going, after)])
    late = stores.dag_runs.record_member(going, [4], succeeded=True)
    found = stores.dag_runs.task(ACME, run.dag_run_id, LOAD)
    assert found is not None
    counted = stores.dag_runs.record_member(found, [4], succeeded=True)
    assert counted is not None

    assert (done, late) == (True, None)
    assert found == replace(after, members=replace(members, succeeded=frozenset({0, 1})))
    assert counted.members == replace(members, succeeded=frozenset({0, 1, 4}))


def test_a_whole_task_that_is_put_back_knows_no_members(stores: Stores) -> None:
    """None of those that were left out, or run again alone."""
    run = stores.dag_runs.create(run_of())
    members = Members(width=2, is_complete=True, skipped=frozenset({1}), earlier={0: 1})
    going = opened(stores, run, state=TaskState.RUNNING, round=2, members=members)
    back = replace(going, state=TaskState.PENDING, round=3, members=None)
    again = replace(run, status=DagRunStatus.REOPENING, round=3)
    stores.dag_runs.change_together(run, again, [(going, back)])

    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == back


def test_a_member_that_is_completed_has_its_run_with_the_round(stores: Stores) -> None:
    """Both or neither."""
    run = stores.dag_runs.create(run_of())
    going = opened(stores, run, state=TaskState.RUNNING, members=Members(width=1, is_complete=True))
    mark = TaskRunMark(dag_run_id=run.dag_run_id, key=LOAD, round=2)
    ended = attempt_factory(
        tenant=ACME,
        id=AttemptId(run=mark.run_id(run.scheduled_at), number=1),
        state=RunState.SUCCEEDED,
        watch_at=None,
        ended_at=NOW,
        result="1",
    )
    again = replace(run, status=DagRunStatus.REOPENING, round=2)
    done = [
        stores.dag_runs.change_together(run, again, [(going, replace(going, round=2))], runs=[each])
        for each in (ended, replace(ended, result="2"))
    ]

    assert done == [True, False]
    assert stores.dag_runs.attempts(again, key=LOAD) == (ended,)


def test_so_many_attempts_are_read_and_no_more(stores: Stores) -> None:
    """In the order in which they lie, whatever there is."""
    run = stores.dag_runs.create(run_of())
    marks = [
        TaskRunMark(dag_run_id=run.dag_run_id, key=LOAD, round=1, index=index) for index in range(5)
    ]
    made = [
        attempt_factory(tenant=ACME, id=AttemptId(run=mark.run_id(run.scheduled_at), number=1))
        for mark in marks
    ]
    stores.runs.insert_all(made)

    assert stores.dag_runs.first_attempts(run, at_most=3) == tuple(made[:3])
    assert stores.dag_runs.first_attempts(run, at_most=9) == tuple(made)


STAMP = Stamp(subject="ops", operation="rerunDagTask", request_id="r1", at=NOW)


def entries(stores: Stores) -> tuple[AuditEntry, ...]:
    """Return the entries of the audit trail, latest first."""
    return stores.audits.list_entries(ACME, AuditFilter(), limit=9, cursor=None).rows


def test_a_round_of_an_operator_is_told_with_its_task(stores: Stores) -> None:
    """In the transaction of the change, once; what is refused leaves nothing."""
    run = stores.dag_runs.create(run_of())
    again, read, back = put_back(stores, run)
    with stores.trail.on_behalf_of(STAMP):
        for _ in range(2):
            stores.dag_runs.change_together(run, again, [(read, back)], uncounted=[1])
    (entry,) = entries(stores)
    (of_task,) = (each for each in entry.changes if each.field == "tasks.load")

    assert (entry.resource.kind, entry.resource.id) == ("dag_run", run.dag_run_id)
    assert entry.version == 1
    assert of_task.before == {"state": "running", "reason": None, "round": 1}
    assert of_task.after == {
        "state": "pending",
        "reason": None,
        "round": 2,
        "intervention": "rerun",
        "note": "why",
    }


def test_what_a_task_is_said_to_have_answered_is_told_by_its_digest(stores: Stores) -> None:
    """It may be what only its own DAG may read."""
    run = stores.dag_runs.create(run_of())
    going = opened(stores, run, state=TaskState.RUNNING)
    forced = replace(
        going, state=TaskState.SUCCEEDED, reason=TaskReason.FORCED, result='"salaries"'
    )
    with stores.trail.on_behalf_of(STAMP):
        stores.dag_runs.change_together(run, run, [(going, forced)])
    (entry,) = entries(stores)
    (told,) = entry.changes

    assert told.after["state"] == "succeeded"
    assert told.after["result"]["size_bytes"] == 10
    assert "salaries" not in str(entry)


def test_nothing_is_put_back_that_is_not_as_it_was_read(stores: Stores) -> None:
    """An edge was decided, the task has ended, or the DAG run was stopped."""
    run = stores.dag_runs.create(run_of())
    again, read, back = put_back(stores, run)

    def change() -> bool:
        return stores.dag_runs.change_together(run, again, [(read, back)])

    decided = stores.dag_runs.decide(run, LOAD, source=2, holds=False)
    assert decided is not None
    refused = [change()]
    read = replace(read, unsatisfied=frozenset({2}))
    ended = stores.dag_runs.change_task(read, replace(read, state=TaskState.FAILED))
    assert ended is not None
    refused.append(change())
    read = ended
    stores.dag_runs.change(run, replace(run, status=DagRunStatus.STOPPING))
    refused.append(change())

    assert refused == [False, False, False]
    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == ended
    assert stores.dag_runs.get(ACME, run.dag_run_id).round == 1


def test_an_end_that_an_operator_gives_a_task_races_with_its_own(stores: Stores) -> None:
    """Eight of each: one of them all is what the task came to."""
    run = stores.dag_runs.create(run_of(follow=False))
    going = opened(stores, run, state=TaskState.RUNNING)
    forced = replace(going, state=TaskState.SUCCEEDED, reason=TaskReason.FORCED)
    failed = replace(going, state=TaskState.FAILED)

    def force() -> bool:
        try:
            return stores.dag_runs.change_together(
                run, replace(run, follow=True), [(going, forced)]
            )
        except Throttled:
            # The tables refuse two transactions on an item at once; callers come again.
            return False

    def end() -> bool:
        try:
            return stores.dag_runs.change_task(going, failed) is not None
        except Throttled:
            return False

    done = race(*[force, end] * 8)
    stored = stores.dag_runs.task(ACME, run.dag_run_id, LOAD)

    assert done.count(True) == 1
    assert stored == (forced if stores.dag_runs.get(ACME, run.dag_run_id).follow else failed)
