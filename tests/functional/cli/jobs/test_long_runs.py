"""Long runs on the command line: what a job allows, and how far a run is."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import RUN_ID, job, run
from timegate.contracts.jobs.job import NewJob

Timegate = Callable[..., Outcome]

AT = "2026-11-21T07:00:00.000Z"
FAR = {
    "progress": {"percent": 40.5, "message": "row \x1b[2J 2000", "at": AT},
    "checkpoint": {"sequence": 2, "size_bytes": 12, "fence": 2, "at": AT},
    "slices": {"ended": 2, "begun_at": AT, "last_started_at": AT, "last_ended_at": AT},
}


def test_a_job_is_given_the_time_its_runs_may_take(api: FakeApi, timegate: Timegate) -> None:
    """In all, and in slices; and shown with it."""
    allowed = {"max_duration_seconds": 21_600, "max_slices": 500}
    api.will(ok(job(long_run=allowed), 201))
    outcome = timegate(
        *("jobs", "create", "--name", "copy", "--now", "--webhook", "https://example.com/hook"),
        *("--max-duration", "6h", "--max-slices", "500"),
    )
    NewJob.model_validate_json(api.calls[-1].content)

    assert api.body["long_run"] == allowed
    assert "at most 21600 s, 500 slices" in outcome.out


@pytest.mark.parametrize("command", ["get", "watch"])
def test_a_run_shows_how_far_it_is(api: FakeApi, timegate: Timegate, command: str) -> None:
    """The target's text cannot steer the terminal."""
    api.will(ok(run("succeeded", **FAR)))
    lines = [" ".join(line.split()) for line in timegate("runs", command, RUN_ID).out.splitlines()]

    assert "slices 2 ended, the last at 2026-11-21 07:00:00 UTC" in lines
    assert "checkpoint 2, 12 bytes, at 2026-11-21 07:00:00 UTC" in lines
    (said,) = [line for line in lines if line.startswith("progress 40.5 %, row")]
    assert "\x1b" not in said


@pytest.mark.parametrize(
    ("progress", "shown"),
    [
        pytest.param({"percent": 7, "message": None, "at": AT}, "7 % at", id="percent"),
        pytest.param({"percent": None, "message": "half", "at": AT}, "half at", id="message"),
    ],
)
def test_progress_is_what_was_said(
    api: FakeApi, timegate: Timegate, progress: dict[str, object], shown: str
) -> None:
    """A percentage, a line, or both; nothing of a run that said nothing."""
    api.will(ok(run("succeeded", progress=progress)), ok(run("succeeded")))
    told = timegate("runs", "get", RUN_ID).out

    assert f"{shown} 2026-11-21 07:00:00 UTC" in told
    assert "progress" not in timegate("runs", "get", RUN_ID).out
