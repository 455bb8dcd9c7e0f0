"""Jobs that failures pause, on the command line: how one is asked for, and what is shown."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RETRY, RUN_ID, job

Timegate = Callable[..., Outcome]

URL = "https://example.com/alerts"
NEW = ("jobs", "create", "--name", "bill", "--every", "5m", "--webhook", "https://example.com/hook")
PAUSE = {
    "by": "timegate",
    "reason": "failures",
    "at": "2026-11-21T07:00:00.000Z",
    "failures": 3,
    "run_id": RUN_ID,
    "on_trial": False,
}


def one_line(outcome: Outcome) -> str:
    """Return the output with single spaces."""
    return " ".join(outcome.out.split())


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        pytest.param(3, "3 failed runs in a row", id="several"),
        pytest.param(1, "1 failed run", id="one"),
    ],
)
def test_a_job_is_told_how_many_failures_pause_it(
    api: FakeApi, timegate: Timegate, count: int, shown: str
) -> None:
    """Sent as a number, shown as a row."""
    api.will(ok(job(pause_after_failures=count), 201))
    outcome = timegate(*NEW, "--pause-after-failures", str(count))

    assert outcome.code == 0
    assert api.body["pause_after_failures"] == count
    assert f"pauses after {shown}" in one_line(outcome)


def test_a_job_that_says_nothing_is_sent_nothing(api: FakeApi, timegate: Timegate) -> None:
    """And shows nothing."""
    api.will(ok(job(), 201))
    outcome = timegate(*NEW)

    assert "pause_after_failures" not in api.body
    assert "pauses after" not in one_line(outcome)
    assert "paused by" not in one_line(outcome)


def test_the_notified_address_hears_of_the_pause_too(api: FakeApi, timegate: Timegate) -> None:
    """Beside the ends that are bad."""
    api.will(ok(job(), 201))
    timegate(*NEW, "--pause-after-failures", "3", "--notify", URL)
    (hook,) = api.body["notifications"]

    assert hook["on"] == ["failed", "timed_out", "dead_lettered", "paused"]


@pytest.mark.parametrize("count", ["0", "1001", "many"])
def test_a_count_that_is_none_is_refused(api: FakeApi, timegate: Timegate, count: str) -> None:
    """Before anything is sent."""
    outcome = timegate(*NEW, "--pause-after-failures", count)

    assert outcome.code == 2
    assert "--pause-after-failures" in outcome.err
    assert api.calls == []


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        pytest.param(
            {},
            "paused by timegate, after 3 failed runs in a row, 2026-11-21 07:00:00 UTC",
            id="paused",
        ),
        pytest.param(
            {"on_trial": True},
            "2026-11-21 07:00:00 UTC; resumed, the next run decides",
            id="on-trial",
        ),
    ],
)
def test_a_paused_job_says_why(
    api: FakeApi, timegate: Timegate, changes: dict[str, Any], shown: str
) -> None:
    """Until a run succeeds."""
    api.will(ok(job(auto_pause=PAUSE | changes)))

    assert shown in one_line(timegate("jobs", "get", JOB_ID))


@pytest.mark.parametrize(
    ("attempts", "said"),
    [(1, "none: one attempt"), (2, "2 attempts, exponential 1 to 300 s, with jitter")],
)
def test_a_job_shows_how_it_is_tried_again(
    api: FakeApi, timegate: Timegate, attempts: int, said: str
) -> None:
    """One that is not has no delays."""
    api.will(ok(job(retry={**RETRY, "max_attempts": attempts})))

    assert f"retry {said}" in " ".join(timegate("jobs", "get", JOB_ID).out.split())
