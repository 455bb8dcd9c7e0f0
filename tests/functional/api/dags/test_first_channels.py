"""A DAG gets its first channels and followers while a run of it is under way."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_followers import NIGHTLY, TOLD, created
from tests.functional.api.dag_runs.test_dag_runs import moved, start
from tests.support.api import Api
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.telling import documents
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.runs.run import RunState


def by_hand(api: Api, dag: dict[str, Any]) -> tuple[DagWorld, DagRun]:
    """Start the DAG as a caller."""
    return moved(api, str(start(api, dag["dag_id"]).body["dag_run_id"]))


def by_job(api: Api, dag: dict[str, Any]) -> tuple[DagWorld, DagRun]:
    """Start the DAG as the action of a job that is none of the DAG's own."""
    api.create(schedule={"kind": "immediate"}, action={"type": "dag", "dag_id": dag["dag_id"]})
    api.world.settle()
    (run,) = api.send("GET", f"/v1/dags/{dag['dag_id']}/runs").body["items"]
    return moved(api, run["dag_run_id"])


def changed(api: Api, dag: dict[str, Any], **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Edit the DAG."""
    answer = api.send("PATCH", f"/v1/dags/{dag['dag_id']}", fields)
    assert answer.status == 200, answer.body
    return dict(answer.body)


def records(api: Api, dag: dict[str, Any]) -> list[str]:
    """Return the states of the runs of the DAG's own job."""
    answer = api.send("GET", f"/v1/jobs/{dag['job_id']}/runs")
    return [each["state"] for each in answer.body["items"]]


@pytest.mark.parametrize("began", [by_hand, by_job])
@pytest.mark.parametrize("fields", [{}, {"schedule": NIGHTLY}], ids=["no job", "a job"])
def test_the_end_of_a_run_under_way_is_told_of(
    api: Api,
    began: Callable[[Api, dict[str, Any]], tuple[DagWorld, DagRun]],
    fields: dict[str, Any],
) -> None:
    """The run was started before, and its end found none to tell."""
    follower = api.create(schedule={"kind": "manual"})["job_id"]
    dag = created(api, **fields)
    dag_world, run = began(api, dag)
    dag = changed(api, dag, notifications=TOLD, then=[{"job_id": follower, "on": ["failed"]}])
    dag_world.play(run, lambda *_: RunState.FAILED)
    api.world.settle()

    assert records(api, dag) == ["failed"]
    assert len(documents(api.world)) == 1
    assert len(api.send("GET", f"/v1/jobs/{follower}/runs").body["items"]) == 1


def test_a_run_that_its_own_job_started_is_told_of_once(api: Api) -> None:
    """By that run, and by no record beside it."""
    dag = created(api, schedule=NIGHTLY)
    run_id = api.send("POST", f"/v1/jobs/{dag['job_id']}/trigger").body["run_id"]
    api.world.settle()
    dag_run_id = api.send("GET", f"/v1/runs/{run_id}").body["dag_run_id"]
    dag_world, run = moved(api, dag_run_id)
    changed(api, dag, notifications=TOLD)
    dag_world.play(run, lambda *_: RunState.FAILED)
    api.world.settle()

    assert records(api, dag) == ["failed"]


def test_an_end_that_is_done_with_is_not_told_of_later(api: Api) -> None:
    """A caller opens the DAG run anew: its former end came before the first channel."""
    dag = created(api)
    dag_world, run = by_hand(api, dag)
    dag_world.play(run, lambda *_: RunState.FAILED)
    api.world.settle()
    dag = changed(api, dag, notifications=TOLD)
    again = api.send("POST", f"/v1/dag-runs/{run.dag_run_id}/retry")
    dag_world.follow()
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    api.world.settle()

    assert again.status == 202
    assert records(api, dag) == ["succeeded"]
    assert documents(api.world) == []
