"""``timegate jobs stats`` on the command line."""

from collections.abc import Callable, Mapping

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID

Timegate = Callable[..., Outcome]

RUN = {
    "run_id": RUN_ID,
    "state": "succeeded",
    "scheduled_at": "2026-11-21T07:00:00.000Z",
    "started_at": "2026-11-21T07:00:00.100Z",
    "ended_at": "2026-11-21T07:00:01.100Z",
}
STATISTICS: Mapping[str, object] = {
    "job_id": JOB_ID,
    "runs": 100,
    "is_partial": True,
    "runs_by_state": {"succeeded": 97, "failed": 3},
    "last_run": RUN,
    "last_success": RUN,
    "streak": {
        "outcome": "succeeded",
        "count": 97,
        "since": "2026-11-20T07:00:00.000Z",
        "is_partial": True,
    },
    "duration_ms": {"count": 97, "p50": 900, "p95": 1200, "max": 4500},
    "lateness_ms": None,
    "next_fires": [
        {
            "at": "2026-11-22T07:00:00.000Z",
            "outcome": "runs",
            "runs_at": "2026-11-22T07:00:00.000Z",
        },
        {"at": "2026-11-23T07:00:00.000Z", "outcome": "excluded", "runs_at": None},
    ],
}


def test_numbers_have_their_units_and_say_of_how_many_runs(
    api: FakeApi, timegate: Timegate
) -> None:
    """An instant that calendars leave out says so."""
    api.will(ok(STATISTICS))
    output = timegate("jobs", "stats", JOB_ID).out

    assert api.asked == [f"GET /v1/jobs/{JOB_ID}/statistics"]
    assert "100 latest: 97 succeeded, 3 failed" in output
    assert "at least 97 succeeded since" in output
    assert "p50 900 ms, p95 1,200 ms, max 4,500 ms (97 runs)" in output
    assert "excluded" in output


def test_a_job_that_has_not_run_shows_no_numbers(api: FakeApi, timegate: Timegate) -> None:
    """Facts that are absent are left out."""
    empty = {"last_run": None, "last_success": None, "streak": None, "duration_ms": None}
    nothing = {"runs": 0, "is_partial": False, "runs_by_state": {}, "next_fires": []}
    api.will(ok({**STATISTICS, **empty, **nothing}))
    lines = [line.split() for line in timegate("jobs", "stats", JOB_ID).out.splitlines()]

    assert lines == [["job_id", JOB_ID], ["runs", "0"]]
