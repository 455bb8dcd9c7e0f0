"""``timegate runs list`` and ``runs watch`` across jobs."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_RUN_ID, failed_row, runs_page

Timegate = Callable[..., Outcome]

LEFT_OUT = "Runs of jobs whose list_runs is not all."


def listing(*rows: dict[str, Any], cursor: str | None = None) -> httpx.Response:
    """A page as the API answers it."""
    return runs_page(rows, cursor, LEFT_OUT)


@pytest.mark.parametrize(
    ("options", "query"),
    [
        ((), "which=all"),
        (("--failed",), ""),
        (
            ("--state", "running", "--state", "queued", "--late", "60s"),
            "which=all&state=running&state=queued&late_seconds=60",
        ),
        (("--job", JOB_ID), f"which=all&job_id={JOB_ID}"),
        ((JOB_ID, "--late", "1m"), f"which=all&job_id={JOB_ID}&late_seconds=60"),
        ((JOB_ID, "--failed"), f"job_id={JOB_ID}"),
        (("--from", "2026-11-21T00:00:00Z"), "which=all&from=2026-11-21T00%3A00%3A00.000Z"),
    ],
)
def test_runs_are_asked_for_across_jobs(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], query: str
) -> None:
    """Failures of every job, or runs in every state; with a job as one more criterion."""
    api.will(listing())
    outcome = timegate("runs", "list", *options)
    asked, _, parameters = api.asked[0].partition("?")

    assert outcome.code == 0, outcome.err
    assert asked == "GET /v1/runs"
    assert sorted(parameters.split("&")) == sorted(query.split("&"))


@pytest.mark.parametrize(
    "options",
    [
        (JOB_ID, "--job", "nightly"),
        ("--from", "2026-11-21T00:00:00Z", "--since", "today"),
    ],
)
def test_what_is_said_twice_is_refused(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """Nothing is asked."""
    outcome = timegate("runs", "list", *options)

    assert (outcome.code, api.asked) == (2, [])


def test_a_table_says_which_runs_it_cannot_have(api: FakeApi, timegate: Timegate) -> None:
    """Also one that is read page by page."""
    api.will(listing(failed_row(), cursor="2"), listing(failed_row()))
    shown = timegate("runs", "list", "--all").out

    assert shown.count(SHORT_RUN_ID) == 2
    assert "nightly report" in shown
    assert f"Not listed: {LEFT_OUT}" in shown


@pytest.mark.parametrize(
    ("left_out", "first"),
    [(LEFT_OUT, "None of the runs that this list has; there may be others."), (None, "No runs.")],
)
def test_an_empty_table_says_first_that_runs_may_exist(
    api: FakeApi, timegate: Timegate, left_out: str | None, first: str
) -> None:
    """A person who has just seen runs reads no further than the first line."""
    api.will(runs_page((), None, left_out))
    shown = timegate("runs", "list").out

    assert shown.startswith(first)
    for command in ("timegate runs list JOB_ID", "timegate runs failed"):
        assert (command in " ".join(shown.split())) == (left_out is not None)


def test_a_pipe_is_told_of_each_change_once(api: FakeApi, timegate: Timegate) -> None:
    """A run that is new, and one that stands otherwise than before."""
    running = failed_row(state="running")
    api.will(listing(running), listing(running), listing(failed_row()))
    outcome = timegate("runs", "watch", "--interval", "1s", "--timeout", "2s")

    assert outcome.code == 0, outcome.err
    assert [line.split()[-2:] for line in outcome.out.splitlines()] == [
        ["running", RUN_ID],
        ["failed", RUN_ID],
    ]


def test_a_person_watches_a_table(
    api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is drawn anew at each look."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    api.will(listing(failed_row(state="running")), listing(failed_row()))
    shown = timegate("runs", "watch", "--interval", "1s", "--timeout", "1s").out

    assert "running" in shown
    assert "failed" in shown


def test_a_run_that_is_named_takes_no_criteria(api: FakeApi, timegate: Timegate) -> None:
    """They select among the runs of all jobs."""
    outcome = timegate("runs", "watch", RUN_ID, "--late", "1m")

    assert (outcome.code, api.asked) == (2, [])
    assert "leave the id out" in outcome.err
