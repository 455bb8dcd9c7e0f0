"""The steps of executions, as the state machine asks for them."""

from typing import Any

import pytest

from tests.functional.events.functions import Event, Functions, sample
from tests.unit.domain.dags.definitions import dag, tasks
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.services.dag_start_services import Starting

CHAIN = dag(tasks("extract", "load"), "extract -> load")


@pytest.fixture
def run(functions: Functions) -> DagRun:
    """One that was started, and that no operator has opened."""
    dags, world = functions.dags, functions.world
    dags.add(CHAIN)
    starting = Starting(
        dags=dags.dags, dag_runs=world.dag_runs, blobs=world.blobs, telemetry=world.telemetry
    )
    wanted = Start(dag_id=CHAIN.dag_id, key="first")
    return start_dag_run(CHAIN.tenant, wanted, starting, now=world.clock.now())


def step(name: str, **changes: object) -> Event:
    """The sample, for another step."""
    return {**sample("dag_runs"), "step": name, **changes}


def test_an_execution_opens_waits_and_hears_of_every_end(functions: Functions, run: DagRun) -> None:
    """Each step twice, as Step Functions may ask."""
    opened: list[Any] = [functions.send("dag_runs", step("open")) for _ in range(2)]
    for key in ("extract", "load"):
        for _ in range(2):
            functions.send("dag_runs", {**sample("dag_runs"), "key": key, "token": key})
    functions.send("dag_runs", step("close", token="closed"))
    after = functions.dags.play(run, lambda *_: RunState.SUCCEEDED)
    answered = dict(functions.dags.executions.answers)

    assert opened == [{"tasks": ["extract", "load"]}] * 2
    assert after.status is DagRunStatus.SUCCEEDED
    assert sorted(answered) == ["closed", "extract", "load"]
    assert '"status": "succeeded"' in answered["closed"]


def test_an_execution_that_failed_stops_its_run(functions: Functions, run: DagRun) -> None:
    """And one of an earlier round stops nothing."""
    functions.send("dag_runs", step("open"))
    late = {**sample("dag_runs")["run"], "round": 7}
    ignored = functions.send("dag_runs", step("cleanup", run=late))
    stopping = functions.send("dag_runs", step("cleanup"))
    functions.dags.follow()
    after = functions.world.dag_runs.get(run.tenant, run.dag_run_id)
    task = functions.dags.tasks(run)[TaskKey("extract")]

    assert (ignored, stopping) == ({"status": "running"}, {"status": "stopping"})
    assert (after.status, after.reason) == (DagRunStatus.FAILED, "execution_failed")
    assert (task.state, task.reason) == ("cancelled", "execution_failed")


def test_a_late_step_of_a_round_that_is_over_waits_for_nothing(
    functions: Functions, run: DagRun
) -> None:
    """Its execution ends as its round did, and the later one keeps its tokens."""
    functions.send("dag_runs", step("open"))
    functions.send("dag_runs", step("task", token="own"))
    functions.send("dag_runs", step("close", token="own end"))
    over = {**sample("dag_runs")["run"], "round": 7}
    functions.send("dag_runs", step("task", token="late", run=over))
    functions.send("dag_runs", step("close", token="late end", run=over))
    early = dict(functions.dags.executions.answers)
    functions.dags.play(run, lambda *_: RunState.SUCCEEDED)
    answered = dict(functions.dags.executions.answers)

    assert sorted(early) == ["late", "late end"]
    assert '"status": "failed"' in early["late end"]
    assert '"state": "succeeded"' in answered["own"]
    assert '"status": "succeeded"' in answered["own end"]


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (step("dance"), Malformed),
        ({"step": "open"}, Malformed),
        (step("open"), DagRunNotFound),
    ],
    ids=["no step", "no run", "unknown run"],
)
def test_what_no_machine_asks_for_fails(
    functions: Functions, event: Event, error: type[Exception]
) -> None:
    """The execution fails, and cleans up."""
    with pytest.raises(error):
        functions.send("dag_runs", event)
