"""A handler under test ends as it does in front of the API's own handler."""

import json
from contextlib import suppress
from typing import Any

import pytest

from api.http.body import MAX_BODY_BYTES
from api.http.problems import problem_of
from tests.functional.api.conftest import *  # noqa: F403 - the API behind its gateway
from tests.functional.worker.handlers import (
    breaks,
    checkpoints,
    double,
    double_later,
    later,
    no_json,
    permanent,
    talkative,
)
from tests.functional.worker.test_callback import event_of, way_to
from tests.support.api import Api
from tests.support.targets.calling_back import FUNCTION, begin, run_of
from timegate.client import ClientError
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.runs.run_result import excerpt
from timegate.domain.values.errors import ContinueNotAllowed, InvalidInput, LeaseLost, TimegateError
from timegate.testing import Outcome, SteppedClock, held_run, run_handler
from timegate.worker import Callback, Context, Continue, Handler, RetryableError


def answers_much(_: Context) -> str:
    return "x" * 300_000


def answers_too_much(_: Context) -> str:
    return "x" * 2_000_000


def stores_too_much(context: Context) -> None:
    context.checkpoint("x" * 300_000)


def stores_and_breaks(context: Context) -> None:
    context.checkpoint({"at": 1})
    raise LookupError("x" * 3_000)


def continues(_: Context) -> Continue:
    return Continue(checkpoint=7)


def progresses_too_far(context: Context) -> None:
    context.progress(101, "beyond")
    context.checkpoint(1)


def waits_too_long(_: Context) -> None:
    raise RetryableError("Later.", retry_after_seconds=90_000)


HANDLERS = [
    *(breaks, checkpoints, double, double_later, later, no_json, permanent, talkative),
    *(answers_much, answers_too_much, stores_too_much, stores_and_breaks, continues),
    *(progresses_too_far, waits_too_long),
]


def in_front_of_the_api(api: Api, handler: Handler, **fields: object) -> dict[str, Any]:
    """The run, once its handler has worked in front of the API."""
    call = begin(api, action=FUNCTION, payload=21, retry={"jitter": False}, **fields)
    callback = Callback.of_event(event_of(call))
    with suppress(ClientError):
        callback.run(handler, transport=way_to(api))
    return run_of(api, call)


@pytest.mark.parametrize("work", HANDLERS, ids=lambda work: work.__name__)
def test_a_handler_ends_as_in_front_of_the_api(api: Api, work: Handler) -> None:
    """State, error, result, checkpoint and instant of the next attempt are the API's."""
    run = in_front_of_the_api(api, work)
    retry = RetryPolicy(jitter=False)
    clock = SteppedClock(api.world.clock.now())
    happened = run_handler(work, payload=21, clock=clock, retry=retry)
    first, job_id = run["attempts"][0], run["run_id"].partition(".")[0]
    told = json.dumps(happened.error).replace("job-under-test", job_id)
    checkpoint = run["checkpoint"]

    assert outcome_of(first) == happened.outcome
    assert json.loads(told) == first["error"]
    assert len(happened.checkpoints) == (0 if checkpoint is None else checkpoint["sequence"])
    if happened.outcome is Outcome.SUCCEEDED and happened.result is not None:
        result = happened.result
        text = result if isinstance(result, str) else json.dumps(result, separators=(",", ":"))
        assert first["result"] == excerpt(text)
    if happened.outcome in {Outcome.RETRY, Outcome.FAILED}:
        assert first["explanation"] == happened.explanation


def outcome_of(attempt: dict[str, Any]) -> str:
    """Return the API's outcome of an attempt in the harness's words."""
    if attempt["state"] == "running":
        # Its end was refused: the run begins anew once its lease is over.
        return "lost"
    return "retry" if attempt["reason"] == "retried" else str(attempt["state"])


def test_a_cancelled_run_ends_as_in_front_of_the_api(api: Api) -> None:
    """The heartbeat of a checkpoint brings the news, once the checkpoint is stored."""

    def work(context: Context) -> None:
        if context.run_id != "job-under-test.run":
            api.send("POST", f"/v1/runs/{context.run_id}/cancel")
        context.checkpoint(1)

    run = in_front_of_the_api(api, work)
    happened = run_handler(work, cancel_after=0)

    assert run["state"] == happened.outcome == "cancelled"
    assert run["checkpoint"]["sequence"] == len(happened.checkpoints) == 1


def test_a_long_run_goes_on_as_in_front_of_the_api(api: Api) -> None:
    """In another slice, which begins at the checkpoint."""
    run = in_front_of_the_api(api, continues, long_run={"max_duration_seconds": 7200})
    happened = run_handler(continues, may_continue=True)

    assert run["checkpoint"]["sequence"] == len(happened.checkpoints) == 1
    assert happened.outcome is Outcome.CONTINUED


@pytest.mark.parametrize("seconds", [59, 90])
def test_a_silent_worker_is_refused_as_by_the_api(api: Api, seconds: float) -> None:
    """From the expiry of its lease on, once another call has the run."""
    clock = SteppedClock()

    def work(context: Context) -> str:
        clock.step(seconds, silently=True)
        api.world.clock.advance(seconds)
        api.world.sweep()
        api.world.settle()
        context.checkpoint("late")
        return "late"

    run = in_front_of_the_api(api, work)
    happened = run_handler(work, clock=clock)
    is_lost = seconds > 60

    assert (happened.outcome is Outcome.LOST) == (run["state"] != "succeeded") == is_lost
    assert (happened.checkpoints == []) == (run["checkpoint"] is None) == is_lost


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (LeaseLost("r"), 409, "lease_lost"),
        (InvalidInput("f", "c", "d"), 400, "invalid_request"),
        (ContinueNotAllowed("j"), 409, "continue_not_allowed"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_refusals_are_those_of_the_api(error: TimegateError, status: int, code: str) -> None:
    """Status, code and detail."""
    problem = problem_of(error)
    said = held_run.refusal_of(error)

    assert (problem.status, problem.code) == (status, code)
    assert said == (problem.status, problem.code, problem.detail)


def test_requests_have_the_limit_of_the_api() -> None:
    """The API alone defines it: the limit is no part of the package."""
    assert held_run.MAX_BODY_BYTES == MAX_BODY_BYTES
