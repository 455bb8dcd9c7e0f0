"""DAG runs: what starts when, what is skipped, and how each failure policy ends."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import ANY, dag, task, tasks
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import Dag, FailurePolicy, JobTask
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import IdempotencyConflict
from timegate.domain.values.identity import JobId, TaskKey
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import CounterMetric
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER
from timegate.usecases.dag_runs.execution_steps import Executed, close_step, wait_for_task

ETL = dag(tasks("a", "b", "c", "d"), "a -> b", "a -> c", "b -> d", "c -> d")


def failing(*keys: str, state: RunState = RunState.FAILED, rounds: int = 99) -> Any:  # noqa: ANN401
    """Runs of these tasks end like this in the first rounds, all others succeed."""
    return lambda key, number, _: state if key in keys and number <= rounds else RunState.SUCCEEDED


def keys_of(dag_world: DagWorld) -> list[str]:
    """The tasks whose runs wait, in order."""
    marks = [task_run_mark(each.id.run) for each in dag_world.waiting()]
    return sorted(mark.key for mark in marks if mark is not None)


def test_tasks_start_when_all_they_wait_for_is_done() -> None:
    """A diamond: one, then two, then the one behind both, once."""
    dag_world = DagWorld()
    run = dag_world.start(ETL)
    waves = []
    while dag_world.waiting():
        waves.append(keys_of(dag_world))
        ended = [dag_world.finish(each, RunState.SUCCEEDED) for each in dag_world.waiting()]
        dag_world.hear(*ended, *ended)

    assert waves == [["a"], ["b", "c"], ["d"]]
    assert dag_world.dag_runs.get(run.tenant, run.dag_run_id).status is DagRunStatus.SUCCEEDED


@pytest.mark.parametrize(
    ("state", "metric"),
    [
        (RunState.SUCCEEDED, service_metrics.DAG_RUNS_SUCCEEDED),
        (RunState.FAILED, service_metrics.DAG_RUNS_FAILED),
    ],
)
def test_an_end_is_counted_once_with_its_duration(state: RunState, metric: CounterMetric) -> None:
    """Records of the end are heard twice; a minute passes between the start and it."""
    dag_world = DagWorld()
    dag_world.start(ETL)
    dag_world.world.clock.advance(60)
    while dag_world.waiting():
        ended = [dag_world.finish(each, state) for each in dag_world.waiting()]
        dag_world.hear(*ended, *ended)
    counts, measures = dag_world.world.telemetry.counts, dag_world.world.telemetry.measures

    assert counts[metric] == 1
    assert measures[service_metrics.DAG_RUN_MS] == [60_000]


POLICIES = {
    "fail_fast": (
        FailurePolicy.FAIL_FAST,
        {"a": "succeeded", "b": "failed", "c": "cancelled", "d": "skipped"},
    ),
    "continue": (
        FailurePolicy.CONTINUE,
        {"a": "succeeded", "b": "failed", "c": "succeeded", "d": "skipped"},
    ),
}


@pytest.mark.parametrize(("policy", "wanted"), POLICIES.values(), ids=POLICIES)
def test_a_failure_stops_the_rest_or_does_not(policy: FailurePolicy, wanted: object) -> None:
    """Fail fast cancels what is pending and under way; otherwise only what waits is skipped."""
    dag_world = DagWorld()
    run = dag_world.start(dag(ETL.tasks, edges=ETL.edges, failure_policy=policy))

    after = dag_world.play(run, failing("b"))

    assert dag_world.states(run) == wanted
    assert after.status is DagRunStatus.FAILED


def test_retry_runs_what_failed_and_what_waited_for_it() -> None:
    """A succeeded task is not run again; the second round is on the same record."""
    dag_world = DagWorld()
    own = dag(ETL.tasks, edges=ETL.edges, failure_policy=FailurePolicy.RETRY, max_retries=2)
    run = dag_world.start(own)

    after = dag_world.play(run, failing("b", rounds=1))

    assert after.status is DagRunStatus.SUCCEEDED
    assert {key: each.round for key, each in dag_world.tasks(run).items()} == {
        "a": 1,
        "b": 2,
        "c": 1,
        "d": 2,
    }
    assert len(dag_world.executions.begun) == 1


def test_a_failure_that_a_task_deals_with_is_none_of_the_run() -> None:
    """Neither fail_fast nor the end of the run minds it."""
    dag_world = DagWorld()
    own = dag(tasks("load", "repair", "report", report=ANY), *DEALT_WITH)
    run = dag_world.start(own)

    after = dag_world.play(run, failing("load"))

    assert dag_world.states(run) == {
        "load": "failed",
        "repair": "succeeded",
        "report": "succeeded",
    }
    assert after.status is DagRunStatus.SUCCEEDED


DEALT_WITH = ("load -x repair", "load -> report", "repair -> report")


def test_a_dag_that_is_changed_meanwhile_changes_nothing_for_its_runs() -> None:
    """A run keeps to the version it was started with."""
    dag_world = DagWorld()
    run = dag_world.start(ETL)
    dag_world.add(dag(tasks("other"), version=2))

    after = dag_world.play(run, failing())

    assert (after.status, after.dag_version) == (DagRunStatus.SUCCEEDED, 1)
    assert sorted(dag_world.states(run)) == ["a", "b", "c", "d"]


def test_the_same_key_is_the_same_run() -> None:
    """And with other parameters a conflict."""
    dag_world = DagWorld()
    first = dag_world.start(ETL)

    assert dag_world.start(ETL).dag_run_id == first.dag_run_id
    assert dag_world.start(ETL, key="second").dag_run_id != first.dag_run_id
    with pytest.raises(IdempotencyConflict):
        dag_world.start(ETL, parameters='{"day":2}')


@pytest.mark.parametrize("early", [True, False], ids=["before the end", "after the end"])
def test_a_callback_is_answered_whenever_its_token_comes(early: bool) -> None:
    """Before the end, by the step that ends it; after it, at once; of the run and of its tasks."""
    dag_world = DagWorld()
    run = dag_world.start(dag(tasks("a")))

    def wait() -> None:
        wait_for_task(run.tenant, run.dag_run_id, TaskKey("a"), "token-a", dag_world.works)
        executed = Executed(tenant=run.tenant, dag_run_id=run.dag_run_id, round=1)
        close_step(executed, "token-run", dag_world.works)

    if early:
        wait()
    dag_world.play(run, failing())
    if not early:
        wait()
    answers = dict(dag_world.executions.answers)

    assert answers["token-a"] == '{"key": "a", "state": "succeeded", "round": 1}'
    assert '"status": "succeeded"' in answers["token-run"]


def test_a_run_that_takes_too_long_is_stopped() -> None:
    """A task that has not started never does; a running one is cancelled."""
    dag_world = DagWorld()
    run = dag_world.start(dag(ETL.tasks, edges=ETL.edges, timeout_seconds=60))
    dag_world.look(run)
    dag_world.follow()
    after = dag_world.dag_runs.get(run.tenant, run.dag_run_id)

    assert after.status is DagRunStatus.TIMED_OUT
    assert set(dag_world.states(run).values()) == {"cancelled"}
    assert {each.reason for each in dag_world.tasks(run).values()} == {"dag_timed_out"}


def test_an_execution_that_never_opens_its_run_is_made_good() -> None:
    """The sweeper has it looked at."""
    dag_world = DagWorld()
    run = dag_world.start(ETL)
    tables = dag_world.world.tables
    tables.dag_tasks.clear()
    tables.attempts.clear()
    key = (run.tenant, run.dag_run_id)
    tables.dag_runs[key] = run

    dag_world.look(run)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED


def test_a_task_whose_job_is_gone_fails_before_it_starts() -> None:
    """And says so."""
    dag_world = DagWorld()
    run = dag_world.start(dag((task("a", spec=JobTask(job_id=JobId("x" * 26))),)))
    after = dag_world.play(run, failing())
    failed = dag_world.tasks(run)[TaskKey("a")]

    assert after.status is DagRunStatus.FAILED
    assert (failed.state, failed.reason) == ("failed", "job_unavailable")


@pytest.mark.parametrize("begun", [False, True], ids=["before", "after"])
def test_a_cancelled_job_runs_in_no_task(begun: bool) -> None:
    """The job was cancelled before the DAG run began, or after."""
    dag_world = DagWorld()
    job = dag_world.world.add_job()
    own = dag((task("a"), task("b", spec=JobTask(job_id=job.job_id))), "a -> b", tenant=job.tenant)
    run = dag_world.start(own) if begun else None
    timing = replace(job.timing, status=JobStatus.CANCELLED, version=job.timing.version + 1)
    dag_world.world.tables.put_job(replace(job, timing=timing))
    run = run or dag_world.start(own)
    after = dag_world.play(run, failing())
    failed = dag_world.tasks(run)[TaskKey("b")]

    assert after.status is DagRunStatus.FAILED
    assert (failed.state, failed.reason) == ("failed", "job_unavailable")
    assert failed.error is not None
    assert failed.error.message == f"Job {job.job_id} is cancelled and never runs."


def test_a_paused_job_runs_in_a_task() -> None:
    """A pause is of its schedule."""
    dag_world = DagWorld()
    job = dag_world.world.add_job()
    own = dag((task("a", spec=JobTask(job_id=job.job_id)),), tenant=job.tenant)
    dag_world.world.tables.put_job(
        replace(job, timing=replace(job.timing, status=JobStatus.PAUSED))
    )
    run = dag_world.start(own)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED


def test_a_job_runs_as_it_was_when_the_dag_run_began() -> None:
    """Under its own timeout, and without its hooks."""
    dag_world = DagWorld()
    job = dag_world.world.add_job(timeout_seconds=17)
    own: Dag = dag((task("a", spec=JobTask(job_id=job.job_id)),), tenant=job.tenant)
    run = dag_world.start(own)
    (governor,) = dag_world.world.tables.governors.values()

    assert governor.timeout_seconds == 17
    assert governor.job_id == JobId(run.dag_run_id)
    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED


def test_the_sweeper_has_it_looked_at_when_no_step_did() -> None:
    """It touches the DAG run and the end of its task; what outcomes left undone is made good."""
    dag_world = DagWorld()
    run = dag_world.start(ETL)
    (first,) = dag_world.waiting()
    dag_world.finish(first, RunState.SUCCEEDED)
    world = dag_world.world
    early = world.sweep()
    world.clock.advance(LOOK_AFTER.total_seconds() + 1)
    swept = world.sweep()
    before = keys_of(dag_world)
    dag_world.follow()

    assert early is not None
    assert swept is not None
    assert (early.changed, swept.changed) == (0, 2)
    assert (before, keys_of(dag_world)) == ([], ["b", "c"])
    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
