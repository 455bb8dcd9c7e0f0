"""DAGs that jobs start: each run of the job is one of the DAG, and ends as that does."""

import json
from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.dag_runs.dag_jobs import ETL, ME, begun, ends, opened, receive, with_dag
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import due, stored
from tests.support.factories import after
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.dags.definition import FailurePolicy
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.watch import SOLE_LEASE_SLACK
from timegate.domain.values.payload import Payload, PayloadMarks
from timegate.usecases.dag_runs.interventions.steer_dag_run import cancel_dag_run, retry_dag_run
from timegate.usecases.dag_runs.starting.do_run import STOPS_WITHIN
from timegate.usecases.execution.cancel_run import cancel_run

ALWAYS = RetryPolicy(max_attempts=2, retry_on=("dag_run_failed",), jitter=False)


@pytest.fixture
def dag_world() -> DagWorld:
    """With a DAG of two tasks in it."""
    return with_dag()


def test_a_run_is_left_to_its_dag_run_and_ends_as_that(dag_world: DagWorld) -> None:
    """It has the instant and the parameters of the run; the executor is free at once."""
    payload = Payload(inline='{"day":1}', size_bytes=9)
    left, run = begun(dag_world, payload=payload)
    dag_world.play(run, ends(RunState.SUCCEEDED))
    done = stored(dag_world.world, left)

    assert (left.state, left.dag_run) == (RunState.RUNNING, run.dag_run_id)
    assert (run.trigger, run.started_by) == (DagTrigger.JOB, left.id)
    assert (run.scheduled_at, run.parameters) == (left.id.run.scheduled_at, payload)
    assert (done.state, done.reason) == (RunState.SUCCEEDED, None)
    assert json.loads(done.result or "") == {"dag_run_id": run.dag_run_id, "status": "succeeded"}
    told = dag_world.dag_runs.get(ME, run.dag_run_id)
    assert (told.is_told, told.watch_at) == (True, None)


def test_parameters_stay_where_they_are(dag_world: DagWorld) -> None:
    """Large ones are those of the job: its executor writes none."""
    text = json.dumps({"text": "x" * 5_000})
    dag_world.world.blobs.put("payloads/of-the-job", text)
    payload = Payload(blob="payloads/of-the-job", size_bytes=len(text))
    _, run = begun(dag_world, payload=payload)

    assert run.parameters == payload


def test_parameters_are_filled_with_values_of_the_run(dag_world: DagWorld) -> None:
    """They ride in the DAG run, wherever the job has them; those that grow too large fail it."""
    marks, world = PayloadMarks(), dag_world.world
    inline = Payload(inline='{"run":"{{run.id}}"}', size_bytes=20)
    left, run = begun(dag_world, payload=inline, payload_marks=marks)
    world.blobs.put("large", json.dumps({"{{x": "{{{{" * 200 + "{{run.id}}"}))
    large = Payload(blob="large", size_bytes=820)
    _, escaped = begun(dag_world, "b", payload=large, payload_marks=marks)
    world.blobs.put("grown", json.dumps({"a": "{{run.id}}" * 30}))
    grown = Payload(blob="grown", size_bytes=308)
    action = DagAction(dag_id=ETL.dag_id)
    failed = due(world, "c", Overlap(), payload=grown, payload_marks=marks, action=action)
    receive(dag_world, failed)
    error = stored(world, failed).error

    assert run.parameters.inline == json.dumps({"run": str(left.id.run)}, separators=(",", ":"))
    assert (escaped.parameters.inline or "").startswith('{"{{x": "{{{{')
    assert error is not None
    assert error.code == "payload_too_large"


def test_no_worker_renews_its_lease_and_none_takes_it_over(dag_world: DagWorld) -> None:
    """It lasts longer than the DAG run can, so that the sweeper writes once, and waits."""
    left, run = begun(dag_world)
    world = dag_world.world
    world.clock.advance(120)
    world.sweep()
    looked = stored(world, left)
    world.clock.advance(3_600)
    world.sweep()

    assert left.lease is not None
    assert left.lease.deadline_at == run.deadline_at + STOPS_WITHIN
    assert looked.watch_at == left.lease.deadline_at + SOLE_LEASE_SLACK
    assert stored(world, left) == looked


FAILURES = {
    "failed": (RunState.FAILED, RunState.FAILED, "dag_run_failed"),
    "task-timed-out": (RunState.TIMED_OUT, RunState.FAILED, "dag_run_failed"),
}


@pytest.mark.parametrize(("task", "state", "code"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_the_dags_to_deal_with(
    dag_world: DagWorld, task: RunState, state: RunState, code: str
) -> None:
    """Its policy has done so: the run fails for good, and says which task did."""
    left, run = begun(dag_world)
    dag_world.play(run, ends(task))
    done = stored(dag_world.world, left)

    assert (done.state, done.reason) == (state, Reason.PERMANENT)
    assert done.error is not None
    assert (done.error.code, "extract" in done.error.message) == (code, True)
    assert len(dag_world.world.runs.attempts(ME, left.id.run)) == 1


def test_a_dag_run_that_takes_too_long_times_its_run_out(dag_world: DagWorld) -> None:
    """By the DAG's own time; the job's bounds nothing of it."""
    left, run = begun(dag_world)
    dag_world.world.clock.advance(ETL.timeout_seconds + 1)
    dag_world.look(run)
    dag_world.follow()
    done = stored(dag_world.world, left)

    assert dag_world.dag_runs.get(ME, run.dag_run_id).status is DagRunStatus.TIMED_OUT
    assert (done.state, done.error and done.error.code) == (
        RunState.TIMED_OUT,
        "dag_run_timed_out",
    )


def test_a_job_that_asks_for_it_gets_a_new_dag_run(dag_world: DagWorld) -> None:
    """By the failure's name: of the DAG as it is then."""
    left, run = begun(dag_world, retry=ALWAYS)
    dag_world.world.dags.update(ETL, replace(ETL, version=2))
    dag_world.play(run, ends(RunState.FAILED))
    first, second = dag_world.world.runs.attempts(ME, left.id.run)
    dag_world.world.clock.advance(1)
    receive(dag_world, second)
    again = opened(dag_world, second)
    dag_world.play(again, ends(RunState.SUCCEEDED))

    assert (first.state, first.reason) == (RunState.FAILED, Reason.RETRIED)
    assert (run.dag_version, again.dag_version) == (1, 2)
    assert run.dag_run_id != again.dag_run_id
    assert stored(dag_world.world, second).state is RunState.SUCCEEDED


def test_a_run_that_is_cancelled_stops_its_dag_run(dag_world: DagWorld) -> None:
    """The stream carries the request: running tasks are cancelled, waiting ones never start."""
    left, run = begun(dag_world)
    cancel_run(ME, left.id.run, api_services(dag_world.world), now=after(5))
    dag_world.follow()
    done = stored(dag_world.world, left)

    assert set(dag_world.states(run).values()) == {"cancelled"}
    assert (done.state, done.reason) == (RunState.CANCELLED, Reason.CANCEL_REQUESTED)


def test_a_dag_run_that_is_cancelled_cancels_its_run(dag_world: DagWorld) -> None:
    """Nothing is tried again that a caller stopped."""
    left, run = begun(dag_world, retry=ALWAYS)
    cancel_dag_run(ME, run.dag_run_id, api_services(dag_world.world), now=after(5))
    dag_world.follow()
    done = stored(dag_world.world, left)

    assert done.state is RunState.CANCELLED
    assert run.dag_run_id in (done.explanation or "")


def test_overlap_counts_until_the_dag_run_has_ended(dag_world: DagWorld) -> None:
    """The slot is held as long; what queues is called when it is free."""
    world = dag_world.world
    queue = Overlap(policy=OverlapPolicy.QUEUE, concurrency_key="etl")
    forbid = Overlap(policy=OverlapPolicy.FORBID, concurrency_key="etl")
    action = DagAction(dag_id=ETL.dag_id)
    left, run = begun(dag_world, overlap=queue)
    world.clock.advance(590)
    second = due(world, "b", queue, at=590, action=action)
    third = due(world, "c", forbid, at=590, action=action)
    receive(dag_world, third)
    receive(dag_world, second)
    meanwhile = [stored(world, each).state for each in (left, second, third)]
    dag_world.play(run, ends(RunState.SUCCEEDED))

    assert meanwhile == [RunState.RUNNING, RunState.WAITING, RunState.SKIPPED]
    assert stored(world, second).state is RunState.QUEUED


def test_one_that_is_replaced_is_stopped(dag_world: DagWorld) -> None:
    """By the next one of its slot, which begins when it has stopped."""
    world = dag_world.world
    replaced = Overlap(policy=OverlapPolicy.REPLACE, concurrency_key="etl")
    left, run = begun(dag_world, overlap=replaced)
    second = due(world, "b", replaced, action=DagAction(dag_id=ETL.dag_id))
    receive(dag_world, second)
    dag_world.follow()

    assert stored(world, left).state is RunState.CANCELLED
    assert dag_world.dag_runs.get(ME, run.dag_run_id).status is DagRunStatus.CANCELLED
    assert stored(world, second).state is RunState.QUEUED


def test_one_that_is_tried_again_by_hand_is_its_own(dag_world: DagWorld) -> None:
    """Its run has ended, and stays as it is; no process stops the DAG run for that."""
    own = replace(ETL, version=2, failure_policy=FailurePolicy.CONTINUE)
    dag_world.world.dags.update(ETL, own)
    left, run = begun(dag_world)
    dag_world.play(run, ends(RunState.FAILED))
    retry_dag_run(ME, run.dag_run_id, api_services(dag_world.world), now=after(60))
    dag_world.follow()
    dag_world.look(run)
    again = dag_world.play(run, ends(RunState.SUCCEEDED))

    assert again.status is DagRunStatus.SUCCEEDED
    assert stored(dag_world.world, left).state is RunState.FAILED
