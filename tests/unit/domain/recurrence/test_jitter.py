"""Jitter: late by a fixed amount per job and instant."""

from datetime import timedelta

import pytest

from tests.unit.domain.recurrence.schedules import utc
from timegate.domain.recurrence.spread import jitter

INSTANT = utc("2026-11-21 07:00")
NO_DELAY = timedelta(0)


def test_jitter_is_the_same_for_every_caller() -> None:
    """Planning again after a crash gives the run the same start; the value is pinned."""
    answers = {jitter("job", INSTANT, 60, None) for _ in range(3)}

    assert answers == {timedelta(seconds=38, milliseconds=31)}


def test_jitter_differs_from_job_to_job_and_from_run_to_run() -> None:
    """A thousand jobs of one minute do not start in one second."""
    jobs = {jitter(f"job {number}", INSTANT, 60, None) for number in range(1000)}
    runs = {jitter("job", INSTANT + timedelta(minutes=n), 60, None) for n in range(1000)}

    assert len(jobs) > 950
    assert len(runs) > 950


def test_jitter_fills_its_range_evenly() -> None:
    """A tenth of the jobs starts in each tenth of the range, give or take a third."""
    tenths = [0] * 10
    for number in range(10_000):
        tenths[int(jitter(f"job {number}", INSTANT, 10, None).total_seconds()) % 10] += 1

    assert all(667 <= jobs <= 1333 for jobs in tenths)


@pytest.mark.parametrize("seconds", [0, -1], ids=str)
def test_no_jitter_is_no_delay(seconds: int) -> None:
    """Nor can it ever be early."""
    assert jitter("job", INSTANT, seconds, None) == NO_DELAY


@pytest.mark.parametrize("jitter_seconds", [1, 60, 86_400], ids=str)
def test_jitter_reaches_its_limit_and_goes_no_further(jitter_seconds: int) -> None:
    """Among many jobs, in whole milliseconds."""
    delays = [jitter(str(job), INSTANT, jitter_seconds, None) for job in range(5000)]

    assert min(delays) >= NO_DELAY
    assert max(delays) <= timedelta(seconds=jitter_seconds)
    assert max(delays) > 0.99 * timedelta(seconds=jitter_seconds)
    assert all(delay % timedelta(milliseconds=1) == NO_DELAY for delay in delays)


@pytest.mark.parametrize(
    ("milliseconds", "latest"),
    [
        pytest.param(1000, 999, id="a second away"),
        pytest.param(2, 1, id="two milliseconds away"),
        pytest.param(1, 0, id="no room"),
        pytest.param(0, 0, id="at once"),
    ],
)
def test_jitter_never_reaches_the_next_instant(milliseconds: int, latest: int) -> None:
    """The runs of a job keep their order."""
    following = INSTANT + timedelta(milliseconds=milliseconds)
    delays = {jitter(str(job), INSTANT, 3600, following) for job in range(20_000)}

    assert max(delays) == timedelta(milliseconds=latest)


@pytest.mark.parametrize("seconds", [-0.001, -1, -86_400], ids=str)
def test_an_instant_that_a_run_has_rolled_past_bounds_nothing(seconds: float) -> None:
    """The run keeps its place behind none."""
    passed = INSTANT + timedelta(seconds=seconds)

    assert jitter("job", INSTANT, 60, passed) == jitter("job", INSTANT, 60, None)
