"""Follow-ups on the command line: what follows a job, what triggered a run, what it triggered."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, job, run
from timegate.contracts.jobs.job import NewJob

Timegate = Callable[..., Outcome]

NEW = ("jobs", "create", "--name", "bill", "--now", "--webhook", "https://example.com/hook")
OTHER = "k2yzns2tqd44elwkoh3t4kpiqa"
TRIGGERED = f"{OTHER}.f20261121T070001000Z-abcdefghij234567"


@pytest.mark.parametrize(
    ("options", "follow_ups"),
    [
        pytest.param(("--then", OTHER), [{"job_id": OTHER, "on": ["succeeded"]}], id="success"),
        pytest.param(
            (
                *("--then", OTHER, "--then", JOB_ID, "--then-on", "failed"),
                *("--then-on", "timed_out", "--then-payload", "result"),
            ),
            [
                {"job_id": each, "on": ["failed", "timed_out"], "payload": "result"}
                for each in (OTHER, JOB_ID)
            ],
            id="several",
        ),
    ],
)
def test_options_say_what_follows(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], follow_ups: list[dict[str, Any]]
) -> None:
    """The body is that of the API."""
    api.will(ok(job(), 201))
    outcome = timegate(*NEW, *options)

    assert outcome.code == 0
    assert api.body["then"] == follow_ups
    assert NewJob.model_validate_json(api.calls[-1].content).then[0].job_id == OTHER


def test_ends_of_nothing_are_refused(timegate: Timegate) -> None:
    """They say how jobs follow, and not which."""
    outcome = timegate(*NEW, "--then-on", "failed")

    assert outcome.code == 2
    assert "--then" in outcome.err


def test_options_say_who_is_asked(api: FakeApi, timegate: Timegate) -> None:
    """The body is that of the API, and the job shows it."""
    secret = {"ssm_parameter": "/timegate-target/acme/keys"}
    condition = {
        "type": "http",
        "url": "https://example.com/gate",
        "signing_secret": secret,
        "every_seconds": 120,
        "give_up_after_seconds": 7200,
    }
    api.will(ok(job(before=condition), 201))
    asked = ("--before", "https://example.com/gate", "--before-every", "2m")
    more = ("--before-give-up", "2h", "--before-sign-with", "/timegate-target/acme/keys")
    outcome = timegate(*NEW, *asked, *more)
    NewJob.model_validate_json(api.calls[-1].content)

    assert api.body["before"] == condition
    assert "asks https://example.com/gate, every 120 s for 7200 s" in outcome.out


def test_a_follow_up_needs_a_job(api: FakeApi, timegate: Timegate) -> None:
    """Said before anything is sent."""
    outcome = timegate(*NEW, "--before-every", "2m")

    assert outcome.code == 2
    assert api.calls == []


def test_a_job_shows_what_follows(api: FakeApi, timegate: Timegate) -> None:
    """And what it is given, if that is not its own."""
    follow_ups = [
        {"job_id": OTHER, "on": ["finished"], "payload": "result"},
        {"job_id": JOB_ID, "on": ["failed", "timed_out"], "payload": "own"},
    ]
    api.will(ok(job(then=follow_ups)))
    outcome = timegate("jobs", "get", JOB_ID)

    assert f"{OTHER} on finished, given result; {JOB_ID} on failed, timed_out" in " ".join(
        outcome.out.split()
    )


def test_a_run_shows_both_sides(api: FakeApi, timegate: Timegate) -> None:
    """A run shows its trigger and the runs that it triggered."""
    parent = {
        "run_id": TRIGGERED,
        "job_id": OTHER,
        "attempt": 2,
        "state": "failed",
        "depth": 1,
    }
    done = [
        {"run_id": TRIGGERED, "job_id": OTHER, "by_attempt": 1, "state": "queued", "reason": None}
    ]
    api.will(ok({**run(), "triggered_by": parent, "triggered": done}))
    shown = " ".join(timegate("runs", "get", RUN_ID).out.split())

    assert f"triggered by {TRIGGERED}, failed" in shown
    assert f"triggered {TRIGGERED}, queued" in shown
