"""Changes of tasks that were stored and not answered: the client sends them again."""

from dataclasses import replace

import pytest

from tests.contract.dag_runs.dag_run_factories import LOAD, run_of
from tests.functional.api.dag_runs.test_dag_runs import PIPELINE, moved
from tests.functional.api.dag_runs.test_dag_waits import task_of
from tests.functional.api.dag_runs.test_event_tasks import PAID, define
from tests.support.api import Api
from tests.support.factories import after
from tests.support.world import World
from timegate.adapters.dynamo.tables.writes import Write, WriteResult
from timegate.domain.dag_runs.progress import DagRunStatus, TaskProgress, TaskReason, TaskState
from timegate.domain.runs.run import RunState
from timegate.usecases.dag_runs.dag_run_services import change_run, change_task


def send_twice(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Carry each write out twice, and give the second answer."""
    write = world.tables.engine.write

    def twice(wanted: Write) -> WriteResult:
        write(wanted)
        return write(wanted)

    monkeypatch.setattr(world.tables.engine, "write", twice)


def pending(world: World) -> TaskProgress:
    """A task of a DAG run, on record."""
    run = run_of()
    task = TaskProgress(tenant=run.tenant, dag_run_id=run.dag_run_id, key=LOAD)
    world.dag_runs.open_tasks(run, [task])
    return task


def skipped(task: TaskProgress, *, seconds: float) -> TaskProgress:
    """The task as it ends at an instant."""
    reason = TaskReason.UPSTREAM
    return replace(task, state=TaskState.SKIPPED, reason=reason, ended_at=after(seconds))


def test_an_event_is_told_what_it_met_and_its_dag_run_goes_on(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, not at the next look at the DAG run, minutes later."""
    path = define(api)
    dag_world, _ = moved(api, path.rpartition("/")[2])
    with monkeypatch.context() as patch:
        send_twice(api.world, patch)
        sent = api.send("POST", "/v1/events", PAID)
    dag_world.follow()

    assert [each["name"] for each in sent.body["items"][0]["met"]] == ["paid"]
    assert task_of(api, path)["state"] == "succeeded"
    assert api.send("GET", path).body["tasks"][1]["state"] == "running"


def test_an_event_that_meets_itself_is_new_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sender is told so, also beside another copy of it; a request later is a repetition."""
    paid = {**PAID, "id": "first"}
    with monkeypatch.context() as patch:
        send_twice(api.world, patch)
        alone = api.send("POST", "/v1/events", PAID)
        twice = api.send("POST", "/v1/events", [paid, paid])
    again = api.send("POST", "/v1/events", PAID)
    sent = [alone, twice, again]

    assert [[each["status"] for each in answer.body["items"]] for answer in sent] == [
        [202],
        [202, 200],
        [200],
    ]


def test_a_change_that_meets_itself_has_been_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its successors start by it, and not at the next look."""
    world = World()
    task = pending(world)
    send_twice(world, monkeypatch)

    assert change_task(task, skipped(task, seconds=1), world.dag_runs) is not None


def test_a_change_of_another_process_is_another() -> None:
    """The one that stored it does what follows."""
    world = World()
    task = pending(world)
    changes = [change_task(task, skipped(task, seconds=each), world.dag_runs) for each in (1, 2)]

    assert [each is not None for each in changes] == [True, False]


def test_a_round_that_meets_itself_goes_on(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tasks start at once, and not at the next look at the DAG run, minutes later."""
    dag_id = api.send("POST", "/v1/dags", PIPELINE).body["dag_id"]
    path = api.send("POST", f"/v1/dags/{dag_id}/runs").headers["location"]
    dag_world, run = moved(api, path.rpartition("/")[2])
    dag_world.play(run, lambda *_: RunState.FAILED)
    assert api.send("POST", f"{path}/retry").status == 202
    with monkeypatch.context() as patch:
        send_twice(api.world, patch)
        dag_world.follow()
    shown = api.send("GET", path).body

    assert (shown["status"], shown["tasks"][0]["state"]) == ("running", "running")
    assert len(api.world.telemetry.named("dag_run_repeated")) == 1


def test_a_round_that_another_process_stopped_is_not_set_going() -> None:
    """Its record is not what this one stored."""
    world = World()
    run = world.dag_runs.create(run_of())
    going, stopping = (
        replace(run, status=each) for each in (DagRunStatus.RUNNING, DagRunStatus.STOPPING)
    )
    changes = [change_run(run, each, world.dag_runs) for each in (stopping, going)]

    assert changes == [True, False]
