"""Tasks that name a job: what they take over of it, and what stays with its schedule."""

from tests.functional.api.dag_runs.test_dag_runs import moved, start
from tests.support.api import Api
from timegate.domain.runs.run import RunState

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
