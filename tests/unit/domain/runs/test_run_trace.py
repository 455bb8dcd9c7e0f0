"""Traces of runs: computed, or that of what began them."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, TENANT, attempt_factory
from timegate.domain.jobs.notification import hashed, own_trace, read_trace, trace_flag, trace_id
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import fail

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"


@pytest.mark.parametrize(
    ("header", "flag"),
    [
        (f"00-{TRACE}-{SPAN}-01", "01"),
        (f"00-{TRACE}-{SPAN}-00", "00"),
        (f"00-{TRACE}-{SPAN}-02", "00"),
        (f"00-{TRACE}-{SPAN}-03", "01"),
        (f" 00-{TRACE}-{SPAN}-01 ", "01"),
        (f"cc-{TRACE}-{SPAN}-01", "01"),
        (f"cc-{TRACE}-{SPAN}-00-what-the-future-brings", "00"),
    ],
)
def test_a_callers_trace_is_read(header: str, flag: str) -> None:
    """A later version with more fields is read too; only the sampled flag is kept."""
    assert read_trace(header) == f"{TRACE}-{flag}"
    assert trace_id(f"{TRACE}-{flag}") == TRACE


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
    """The retry keeps a caller's trace, or the run's own."""
    failure = Failure(kind=FailureKind.RETRYABLE, code="http_500", type="E", message="")
    first = attempt_factory(state="running", fence=1, trace=TRACE)
    after = fail(first, failure, RetryPolicy(max_attempts=2), started_at=NOW, now=NOW)

    assert after.retry is not None
    assert after.retry.trace_id == TRACE


@pytest.mark.parametrize("flag", ["00", "01"])
@pytest.mark.parametrize("percent", [0, 5, 100])
def test_a_callers_decision_holds(flag: str, percent: float) -> None:
    """The stage's own share of recorded traces does not override it."""
    assert trace_flag(f"{TRACE}-{flag}", percent) == flag


@pytest.mark.parametrize(
    ("last", "percent", "flag"),
    [
        ("0" * 14, 100, "01"),
        ("f" * 14, 0, "00"),
        ("7" + "f" * 13, 50, "00"),
        ("8" + "0" * 13, 50, "01"),
        ("b" + "f" * 13, 25, "00"),
        ("c" + "0" * 13, 25, "01"),
    ],
)
def test_the_stage_decides_by_the_last_digits(last: str, percent: float, flag: str) -> None:
    """By the 56 bits that are random: at and above the threshold a trace is recorded."""
    assert trace_flag(TRACE[:18] + last, percent) == flag


def test_a_larger_share_has_every_trace_of_a_smaller_one() -> None:
    """About the share that is asked for, of ids that are digests."""
    traces = [hashed(str(number), 16) for number in range(4_000)]
    few, more = (
        {each for each in traces if trace_flag(each, percent) == "01"} for percent in (5, 20)
    )

    assert few < more
    assert len(few) == pytest.approx(200, rel=0.25)
    assert len(more) == pytest.approx(800, rel=0.1)
