"""Tasks that name a job: what they take over of it, and what stays with its schedule."""

from tests.functional.api.dag_runs.test_dag_runs import WORK, moved, start
from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.stores.records import JOBS_TABLE
from timegate.adapters.dynamo.tables.keys import version_key
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import JobId, TaskKey
from timegate.domain.values.tenant import TenantId

TODAY = {"timezone": "UTC", "days": [{"first": "2026-11-21"}]}


def test_a_calendar_of_the_job_holds_back_no_task(api: Api) -> None:
    """It belongs to the schedule, and a task means now, as a trigger does."""
    assert api.send("PUT", "/v1/calendars/today", TODAY).status == 200
    job = api.create(
        schedule={"kind": "cron", "cron": "0 8 * * *"},
        action={"type": "webhook", "url": "https://hooks.example.com/a"},
        calendars=[{"calendar": "today", "mode": "exclude", "action": "skip"}],
    )
    body = {"name": "all", "tasks": [{"key": "a", "job_id": job["job_id"]}], "edges": []}
    dag_id = api.send("POST", "/v1/dags", body).body["dag_id"]
    moved(api, start(api, dag_id).body["dag_run_id"])
    api.world.settle()
    (attempt,) = api.world.attempts()

    assert (attempt.is_task, attempt.state) == (True, RunState.SUCCEEDED)


def test_a_task_whose_version_of_the_job_cannot_be_read_fails_and_others_go_on(api: Api) -> None:
    """The DAG run stood still until its deadline, and each run of the job was a 500."""
    job_id = api.create(schedule={"kind": "manual"}, action=WORK["action"])["job_id"]
    own = [{"key": "first", "job": WORK}, {"key": "named", "job_id": job_id}]
    tasks = [*own, {"key": "last", "job": WORK}]
    edges = [{"source": "first", "target": each} for each in ("named", "last")]
    policy = {"policy": "continue"}
    body = {"name": "all", "tasks": tasks, "edges": edges, "failure_policy": policy}
    dag_id = api.send("POST", "/v1/dags", body).body["dag_id"]
    run_id = api.trigger(job_id).body["run_id"]
    dag_world, run = moved(api, start(api, dag_id).body["dag_run_id"])
    assert api.send("PATCH", f"/v1/jobs/{job_id}", {"timeout_seconds": 7}).status == 200
    key = version_key(TenantId(TENANT), JobId(job_id), 1)
    api.world.tables.edit(JOBS_TABLE, key, {"work": "lost"})
    ended = dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    named = dag_world.tasks(run)[TaskKey("named")]

    assert dag_world.states(run) == {"first": "succeeded", "named": "failed", "last": "succeeded"}
    assert (named.reason, ended.status) == ("job_unavailable", "failed")
    assert api.send("GET", f"/v1/runs/{run_id}").status == 200
