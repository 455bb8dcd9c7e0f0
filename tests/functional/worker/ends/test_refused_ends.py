"""Ends that no request can carry, or that the API refuses: the run has one all the same."""

import asyncio
import sys
from typing import cast

import pytest

from tests.functional.worker.client import FakeClient, task_of
from timegate.client import ProblemError, TimegateClient
from timegate.testing import Outcome, run_handler
from timegate.worker import (
    Context,
    Continue,
    PermanentError,
    RetryableError,
    RunCancelled,
)
from timegate.worker.handlers import Handler
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, Done
from timegate.worker.report_outcome import say
from timegate.worker.runners import ThreadRunner

HALF = "report-\udcff.csv"


def deep(levels: int) -> object:
    """Return a list in a list, and so on."""
    value: object = None
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "result",
    [
        {"file": HALF},
        deep(100_000),
        Continue(checkpoint=HALF),
        Continue(delay_seconds=float("nan")),
    ],
    ids=["half a pair", "deep", "checkpoint", "delay"],
)
def test_a_result_that_no_request_can_carry_fails_the_run(result: object) -> None:
    """For good: the next try would end the same way."""
    happened = run_handler(lambda _: result, may_continue=True)

    assert happened.outcome is Outcome.FAILED
    assert happened.error is not None
    assert happened.error["code"] == "invalid_result"


class Unprintable(Exception):
    """Its text is an error as well."""

    def __str__(self) -> str:
        """Raise an error."""
        raise LookupError


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(HALF), "report-\\udcff.csv"),
        (Unprintable(), "The error has no text."),
        (SystemExit(2), "2"),
        (asyncio.CancelledError(), ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_is_said(error: BaseException, message: str) -> None:
    """A file's name may be no text, and a program in a program ends itself."""

    def work(_: Context) -> None:
        raise error

    happened = run_handler(work)

    assert happened.outcome is Outcome.RETRY
    assert happened.error == {
        "code": "handler_error",
        "type": type(error).__name__,
        "message": message,
    }


async def leaves(_: Context) -> None:
    """End the program, as parsers of arguments do."""
    sys.exit("no such option")


def test_an_async_handler_that_ends_the_program_has_failed() -> None:
    """The worker goes on."""
    happened = run_handler(leaves)

    assert happened.error is not None
    assert happened.error["type"] == "SystemExit"


@pytest.mark.parametrize(
    ("errors", "outcome", "kind"),
    [
        ([PermanentError("closed")], Outcome.FAILED, "PermanentError"),
        ([LookupError("no"), PermanentError("closed")], Outcome.FAILED, "PermanentError"),
        ([RetryableError("busy", code="busy")], Outcome.RETRY, "RetryableError"),
        ([RunCancelled("Stop."), RunCancelled("Stop.")], Outcome.RETRY, "RunCancelled"),
        ([LookupError("no"), RunCancelled("Stop.")], Outcome.RETRY, "ExceptionGroup"),
    ],
    ids=["permanent", "one of two", "retryable", "interrupted", "several"],
)
def test_errors_of_a_task_group_are_those_of_its_tasks(
    errors: list[Exception], outcome: Outcome, kind: str | None
) -> None:
    """A handler that awaits several things raises a group."""

    async def one(error: Exception, ready: asyncio.Barrier) -> None:
        await ready.wait()
        raise error

    async def work(_: Context) -> None:
        ready = asyncio.Barrier(len(errors))
        async with asyncio.TaskGroup() as group:
            for each in errors:
                group.create_task(one(each, ready))

    happened = run_handler(work)

    assert happened.outcome is outcome
    assert (happened.error or {}).get("type") == kind


@pytest.mark.parametrize(
    ("asked", "sent"),
    [(-3.5, 0.0), (1e9, 86_400.0), (float("nan"), None), (float("inf"), 86_400.0), (90, 90.0)],
)
def test_a_wait_is_one_that_the_api_takes(asked: float, sent: float | None) -> None:
    """A limit that was reset a moment ago asks for less than nothing."""
    client = FakeClient()

    def work(_: Context) -> None:
        raise RetryableError("busy", retry_after_seconds=asked)

    happened = run_handler(work)
    outcome = outcome_in(client, work)

    assert happened.outcome is Outcome.RETRY
    assert isinstance(outcome, Broke)
    assert outcome.retry_after_seconds == sent


def outcome_in(client: FakeClient, work: Handler) -> object:
    """Return how the handler ends in a thread."""
    return ThreadRunner().work(work, Hold(cast("TimegateClient", client), task_of()))


@pytest.mark.parametrize("status", [400, 413])
@pytest.mark.parametrize(
    "end", [Done(result=1), Continue(), Broke(code="c", type="T", message="m")], ids=repr
)
def test_a_refused_end_is_replaced(end: object, status: int) -> None:
    """To say nothing would look like a worker that died of it."""
    refusal = ProblemError(status=status, code="malformed_body", detail="It cannot be read.")
    client = FakeClient(ending_errors=[refusal])
    say(cast("TimegateClient", client), task_of(), end, patient=False)  # type: ignore[arg-type]

    assert len(client.said) == 1


def test_a_refused_failure_keeps_its_code() -> None:
    """The retry policy knows it by that."""
    refusal = ProblemError(status=400, code="invalid_request", detail="error.message: too long")
    client = FakeClient(ending_errors=[refusal])
    end = Broke(code="busy", type="Busy", message="m", retryable=True, retry_after_seconds=3)
    say(cast("TimegateClient", client), task_of(), end)
    ((what, _, told),) = client.said

    assert what == "fail"
    assert told == {
        "error": {"code": "busy", "type": "Broke", "message": "error.message: too long"},
        "retryable": True,
        "retry_after_seconds": None,
    }


@pytest.mark.parametrize("text", [HALF, LookupError("no such month"), 7])
def test_any_line_is_kept(text: object) -> None:
    """A log takes no run down, and names of files are lines as well."""
    happened = run_handler(lambda context: context.log(text))

    assert happened.outcome is Outcome.SUCCEEDED
    assert happened.logs == [("info", str(text).replace("\udcff", "\\udcff"))]


def test_a_percentage_is_a_number() -> None:
    """Another value is refused where it is said, and not in a thread of the worker."""

    class Percent:
        def __float__(self) -> float:
            return 40.0

    def wrong(context: Context) -> None:
        context.progress("half")  # type: ignore[arg-type]

    def work(context: Context) -> None:
        context.progress(Percent(), HALF)  # type: ignore[arg-type]
        context.checkpoint(1)

    right, refused = run_handler(work), run_handler(wrong)

    assert right.progress == [{"percent": 40.0, "message": "report-\\udcff.csv"}]
    assert refused.error is not None
    assert refused.error["type"] == "ValueError"


@pytest.mark.parametrize(
    "report",
    [(101.0, None), (None, "x" * 201), (float("nan"), None)],
    ids=["percent", "message", "nan"],
)
def test_progress_that_is_refused_costs_no_checkpoint(
    report: tuple[float | None, str | None],
) -> None:
    """Both go with one heartbeat, and one of them is in order."""

    def work(context: Context) -> str:
        context.progress(*report)
        context.checkpoint("stored")
        return "done"

    happened = run_handler(work, lease_seconds=0.5)

    assert (happened.outcome, happened.checkpoints) == (Outcome.SUCCEEDED, ["stored"])
    assert happened.progress == []
