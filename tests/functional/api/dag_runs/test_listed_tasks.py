"""Runs of the tasks of a DAG run, as the listing of all runs shows them."""

import pytest

from tests.functional.api.dag_runs.test_dag_runs import PIPELINE, moved, start
from tests.support.api import Api
from timegate.domain.runs.run import RunState


@pytest.mark.parametrize(
    ("span", "found"),
    [
        ("", 2),
        ("&from={at}", 2),
        ("&to={at}", 2),
        ("&from={at}&to={at}", 2),
        ("&to=2026-11-21T06:59:59.999Z", 0),
        ("&from=2027-01-01T00:00:00Z", 0),
    ],
)
def test_runs_of_tasks_are_of_the_instant_of_their_dag_run(api: Api, span: str, found: int) -> None:
    """Both ends of a span are within, as they are for runs of a job."""
    dag_id = str(api.send("POST", "/v1/dags", PIPELINE).body["dag_id"])
    dag_run_id = start(api, dag_id).body["dag_run_id"]
    dag_world, run = moved(api, dag_run_id)
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    every = api.send("GET", f"/v1/runs?which=all&dag_run_id={dag_run_id}").body["items"]
    at = every[0]["scheduled_at"]
    path = f"/v1/runs?which=all&dag_run_id={dag_run_id}&limit=1{span.format(at=at)}"
    shown, cursor = [], ""
    while True:
        page = api.send("GET", f"{path}{cursor}").body
        shown += [row["run_id"] for row in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"

    assert len(shown) == len(set(shown)) == found
