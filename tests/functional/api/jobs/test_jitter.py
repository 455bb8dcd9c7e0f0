"""Jitter: spread starts, through the API."""

from datetime import datetime, timedelta

from tests.support.api import Api

SPREAD = {"kind": "rate", "every_seconds": 60, "jitter_seconds": 20}


def test_a_job_is_spread_or_exact(api: Api) -> None:
    """The one set first excludes the other; one update may change both."""
    exact = f"/v1/jobs/{api.create(precision='subsecond')['job_id']}"
    spread = f"/v1/jobs/{api.create(schedule=SPREAD, name='spread')['job_id']}"
    refused = [
        api.send("PATCH", exact, {"schedule": SPREAD}),
        api.send("PATCH", spread, {"precision": "subsecond"}),
    ]
    changed = api.send("PATCH", exact, {"schedule": SPREAD, "precision": "second"})

    assert [answer.fields for answer in refused] == [
        [("schedule.jitter_seconds", "not_for_this_precision")]
    ] * 2
    assert changed.body["schedule"]["jitter_seconds"] == 20


def test_the_runs_of_a_spread_job_start_late_and_keep_their_names(api: Api) -> None:
    """By up to its jitter, each by another amount, and before the next one is due."""
    created = api.create(schedule={**SPREAD, "jitter_seconds": 60})
    runs = api.send("GET", f"/v1/jobs/{created['job_id']}/runs").body["items"]
    instants = [datetime.fromisoformat(run["scheduled_at"]) for run in runs]
    late = [
        datetime.fromisoformat(run["due_at"]) - instant
        for run, instant in zip(runs, instants, strict=True)
    ]

    assert {instant.second for instant in instants} == {0}
    assert timedelta(0) <= min(late) < max(late) < timedelta(seconds=60)
    assert len(set(late)) > 5
