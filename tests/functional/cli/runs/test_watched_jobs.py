"""``timegate runs watch|get|…`` of a job: which of its runs is meant."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import FakeApi, ok, page, refusal
from tests.functional.cli.samples import JOB_ID, RUN_ID, row, run

Timegate = Callable[..., Outcome]
LIST = "to=2026-11-21T07%3A00%3A0{}.000Z&limit=1"
LATER = f"{JOB_ID}.s20261121T071000000Z"
LOOK = f"GET /v1/runs/{RUN_ID}"


def test_a_job_is_watched_by_its_latest_run_that_is_due(api: FakeApi, timegate: Timegate) -> None:
    """Runs that are planned ahead are newer, and are not waited for."""
    api.will(page([row("running")]), ok(run("succeeded")))
    outcome = timegate("runs", "watch", JOB_ID)

    assert outcome.code == 0
    assert api.asked == [f"GET /v1/jobs/{JOB_ID}/runs?{LIST.format(0)}", LOOK]


def test_a_job_that_was_never_due_is_watched_by_its_next_run(
    api: FakeApi, timegate: Timegate
) -> None:
    """The first to come is the last of the listing."""
    coming = [row("queued", run_id=LATER), row("queued")]
    api.will(page([]), page(coming[:1], "c"), page(coming[1:]), ok(run("succeeded")))
    outcome = timegate("runs", "watch", JOB_ID)

    assert outcome.code == 0
    assert api.asked[1:] == [
        f"GET /v1/jobs/{JOB_ID}/runs?limit=100",
        f"GET /v1/jobs/{JOB_ID}/runs?limit=100&cursor=c",
        LOOK,
    ]


def test_a_job_without_runs_is_watched_until_it_has_one(
    api: FakeApi, terminal: Terminal, timegate: Timegate
) -> None:
    """One that appears later does not distract it."""
    none = page([])
    api.will(none, none, page([row("queued")]), ok(run("running")), ok(run("succeeded")))
    outcome = timegate("runs", "watch", JOB_ID)

    assert outcome.code == 0
    assert api.asked[-3:] == [f"GET /v1/jobs/{JOB_ID}/runs?{LIST.format(1)}", LOOK, LOOK]
    assert terminal.slept == [1.0, 1.0]


@pytest.mark.parametrize("said", ["report.v2", "app.s2026", "report v1.2"])
def test_keys_and_names_may_have_dots(api: FakeApi, timegate: Timegate, said: str) -> None:
    """They are no runs' ids."""
    api.will(page([row()]), ok(run("succeeded")))

    assert timegate("runs", "watch", said).code == 0
    assert api.asked[1:] == [LOOK]


@pytest.mark.parametrize("command", ["get", "attempts", "result", "logs", "notifications"])
def test_a_job_stands_for_its_latest_run_that_is_due(
    api: FakeApi, timegate: Timegate, command: str
) -> None:
    """Each command that reads a run takes its job as well, by the same rule."""
    api.will(page([row("running")]), refusal(404, "run_not_found"))
    timegate("runs", command, "nightly")

    path = LOOK if command == "get" else f"{LOOK}/{command}"
    assert api.asked[:2] == [f"GET /v1/jobs/key:nightly/runs?{LIST.format(0)}", path]


def test_a_job_without_runs_has_none_to_show(api: FakeApi, timegate: Timegate) -> None:
    """The refusal names the job."""
    api.will(page([]), page([]))
    outcome = timegate("runs", "get", "nightly")

    assert outcome.code != 0
    assert "error [run_not_found]" in outcome.err
    assert "nightly" in outcome.err
