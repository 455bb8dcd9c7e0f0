"""The time gate, on both sides of each of its boundaries."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.factories import attempt_factory
from timegate.domain.jobs.demands import Precision
from timegate.domain.runs.gate import (
    claim_at,
    expiry_of,
    first_state,
    is_direct,
    must_hide_again,
    queue_delay_seconds,
)
from timegate.domain.runs.parent import TriggerTerms
from timegate.domain.runs.run import RunState

NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)


def ahead(seconds: float) -> datetime:
    """An instant so many seconds from now."""
    return NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        pytest.param(-5, 0, id="overdue"),
        pytest.param(0, 0, id="now"),
        pytest.param(0.25, 0, id="within the claim lead"),
        pytest.param(0.251, 1, id="just beyond the claim lead"),
        pytest.param(30.25, 30, id="exactly"),
        pytest.param(30.26, 31, id="rounded up"),
        pytest.param(900.25, 900, id="at the queue's limit"),
        pytest.param(5000, 900, id="beyond the queue's limit"),
    ],
)
def test_the_ordinary_lane_is_centred_on_the_instant(seconds: float, expected: int) -> None:
    """A message arrives no more than 250 ms before its instant and no more than 750 ms after."""
    assert expected == queue_delay_seconds(ahead(seconds), NOW, Precision.SECOND, 1.0)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        pytest.param(0.5, 0, id="due within the lead"),
        pytest.param(2.999, 0, id="just short of a second beyond the lead"),
        pytest.param(3.0, 1, id="a second beyond the lead"),
        pytest.param(30.9, 28, id="rounded down"),
        pytest.param(902.0, 900, id="at the queue's limit"),
    ],
)
def test_the_sub_second_lane_always_arrives_early(seconds: float, expected: int) -> None:
    """Rounding down leaves the executor at least the lead to hold the message."""
    assert expected == queue_delay_seconds(ahead(seconds), NOW, Precision.SUBSECOND, 2.0)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        pytest.param(900, RunState.QUEUED, id="what a queue can hold"),
        pytest.param(900.001, RunState.WAITING, id="what it cannot"),
    ],
)
def test_work_beyond_the_queues_limit_waits(seconds: float, expected: RunState) -> None:
    """SQS delays 900 seconds, not one more."""
    assert expected is first_state(ahead(seconds), NOW)


@pytest.mark.parametrize(
    ("seconds", "expected"), [(2.0, True), (2.001, False), (-3600, True)], ids=str
)
def test_what_is_due_at_once_skips_the_stream(seconds: float, *, expected: bool) -> None:
    """Two seconds are the boundary."""
    assert expected is is_direct(ahead(seconds), NOW)


def test_claiming_starts_a_quarter_of_a_second_early() -> None:
    """So that the work can start on its instant."""
    assert claim_at(NOW) == ahead(-0.25)


@pytest.mark.parametrize(("seconds", "expected"), [(5.0, False), (5.001, True)], ids=str)
def test_only_a_little_earliness_is_held_in_memory(seconds: float, *, expected: bool) -> None:
    """A message five seconds early is held, an earlier one goes back into the queue."""
    assert expected is must_hide_again(ahead(seconds), NOW)


def test_a_run_that_began_may_start_at_any_time() -> None:
    """An attempt whose worker was lost waits again, and its run does not expire."""
    terms = TriggerTerms(start_by=ahead(90))
    waits = attempt_factory(state=RunState.WAITING, terms=terms)

    assert expiry_of(waits) == ahead(90)
    assert expiry_of(replace(waits, fence=1)) is None
    assert expiry_of(replace(waits, state=RunState.RUNNING)) is None
    assert expiry_of(replace(waits, opened_at=NOW)) is None
