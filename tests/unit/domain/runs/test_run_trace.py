"""Traces of runs: computed, or that of what began them."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, TENANT, attempt_factory
from timegate.domain.jobs.notification import own_trace, read_trace
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import fail

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"


@pytest.mark.parametrize(
    "header",
    [
        f"00-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-00",
        f" 00-{TRACE}-{SPAN}-01 ",
        f"cc-{TRACE}-{SPAN}-01",
        f"cc-{TRACE}-{SPAN}-01-what-the-future-brings",
    ],
)
def test_a_callers_trace_is_read(header: str) -> None:
    """Of later versions, too, whatever follows."""
    assert read_trace(header) == TRACE


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "00",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}0-{SPAN}-01",
        f"{TRACE}",
    ],
)
def test_what_is_no_trace_context_is_as_none(header: str | None) -> None:
    """W3C: it is ignored, and refuses no request."""
    assert read_trace(header) is None


def test_a_planned_run_has_a_trace_of_its_own() -> None:
    """By its id alone: nothing is stored for it."""
    attempt = attempt_factory()

    assert attempt.trace is None
    assert attempt.trace_id == own_trace(TENANT, attempt.id.run)
    assert replace(attempt, trace=TRACE).trace_id == TRACE


def test_a_retry_belongs_to_the_trace_of_its_run() -> None:
    """Of a caller's trace as well as of its own."""
    failure = Failure(kind=FailureKind.RETRYABLE, code="http_500", type="E", message="")
    first = attempt_factory(state="running", fence=1, trace=TRACE)
    after = fail(first, failure, RetryPolicy(max_attempts=2), started_at=NOW, now=NOW)

    assert after.retry is not None
    assert after.retry.trace_id == TRACE
