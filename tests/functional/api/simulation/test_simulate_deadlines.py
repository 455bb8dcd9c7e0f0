"""Deadlines in simulations of jobs that exist."""

from tests.support.api import Api

PATH = "/v1/simulate"
HOUR = {"from": "2026-11-21T09:00:00Z", "to": "2026-11-21T10:00:00Z"}


def test_a_job_that_exists_brings_its_deadline(api: Api) -> None:
    """Unless the scenario has one of its own."""
    job = api.create(
        schedule={"kind": "cron", "cron": "*/20 * * * *"}, finish_by={"within_seconds": 10}
    )
    body = {"job_id": job["job_id"], "run_seconds": 20, **HOUR}
    its_own = api.send("POST", PATH, body).body
    given = api.send("POST", PATH, body | {"finish_by": {"within_seconds": 20}}).body

    assert its_own["summary"]["missed_deadlines"] == 3
    assert given["summary"]["missed_deadlines"] == 0
