"""Forecasts: what recent runs let expect, and when that is told."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.factories import NOW, after, attempt_factory, attempt_id, job_factory
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.slices import Slices
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.finishing import (
    FEWEST_RUNS,
    FinishOutlook,
    finish_of,
    forecast,
    margin_ms,
    news_of,
    outlook,
    usual_ms,
    with_news,
)
from timegate.domain.runs.run import Attempt, Reason, RunState

MINUTE_MS = 60_000


def succeeded(seconds: float, *, begun_at: datetime = NOW, **fields: object) -> Attempt:
    """A run that took so long."""
    ended = {"state": RunState.SUCCEEDED, "started_at": begun_at, "ended_at": after(seconds)}
    return attempt_factory(**(ended | fields))


def waiting(by: float, *, due: float = 0, **fields: object) -> Attempt:
    """An attempt that is due then, with a deadline."""
    known = {"is_judged": False} | fields
    finish = Finish(by=after(by), **known)  # type: ignore[arg-type]
    return attempt_factory(id=attempt_id(), due_at=after(due), finish=finish)


@pytest.mark.parametrize(
    ("durations", "expected"),
    [
        pytest.param([10] * (FEWEST_RUNS - 1), None, id="one-too-few"),
        pytest.param([10] * FEWEST_RUNS, 10_000, id="enough"),
        pytest.param(range(1, 20), 19_000, id="of-19-the-longest"),
        pytest.param(range(1, 21), 19_000, id="of-20-all-but-one"),
        pytest.param(range(1, 31), 29_000, id="of-30-all-but-one"),
        pytest.param([0.001] * 5, 1, id="a-millisecond"),
    ],
)
def test_the_usual_duration_is_the_95th_percentile(
    durations: list[float], expected: int | None
) -> None:
    """By nearest rank, of what was measured and of nothing between."""
    assert expected == usual_ms(succeeded(each) for each in durations)


def test_only_successes_tell_how_long_a_run_takes() -> None:
    """Neither failures nor answers that were known before."""
    failed = succeeded(9, state=RunState.DEAD_LETTERED, reason=Reason.PERMANENT)
    known = succeeded(9, started_at=None)
    runs = [succeeded(1) for _ in range(FEWEST_RUNS)]

    assert usual_ms([failed, known, *runs]) == 1_000
    assert usual_ms([failed, known, *runs[1:]]) is None


def test_a_run_in_slices_takes_all_of_them() -> None:
    """From its first claim to its last answer."""
    slices = Slices(ended=2, begun_at=after(-60))

    assert usual_ms([succeeded(5, slices=slices)] * FEWEST_RUNS) == 65_000


@pytest.mark.parametrize(
    ("now", "usual", "expected"),
    [
        pytest.param(0, MINUTE_MS, 60, id="due-now"),
        pytest.param(30, MINUTE_MS, 90, id="overdue"),
        pytest.param(-30, MINUTE_MS, 60, id="not-due-yet"),
        pytest.param(30, None, None, id="without-history"),
    ],
)
def test_a_run_that_waits_is_expected_to_begin_as_soon_as_it_can(
    now: float, usual: int | None, expected: float | None
) -> None:
    """And to take as long as usual."""
    judged = forecast(waiting(300), usual, now=after(now))

    assert judged.finish is not None
    assert judged.finish.is_judged
    assert (after(expected) if expected is not None else None) == judged.finish.expected_at


@pytest.mark.parametrize(("due", "is_certain"), [(300, False), (300.001, True)])
def test_what_begins_after_its_deadline_needs_no_history(due: float, *, is_certain: bool) -> None:
    """It cannot end before it begins."""
    judged = forecast(waiting(300, due=due), None, now=NOW)

    assert (judged.finish is not None and judged.finish.expected_at is not None) is is_certain


def test_the_forecast_of_a_run_at_work_stays() -> None:
    """It was made when it began."""
    begun = replace(forecast(waiting(300), MINUTE_MS, now=NOW), state=RunState.RUNNING)

    assert forecast(begun, 9 * MINUTE_MS, now=after(10)) == begun


@pytest.mark.parametrize(
    ("expected", "now", "news"),
    [
        pytest.param(300, 0, None, id="at-the-deadline"),
        pytest.param(300.001, 0, Occasion.WILL_BE_LATE, id="a-millisecond-after"),
        pytest.param(300.001, 300, Occasion.WILL_BE_LATE, id="the-last-moment"),
        pytest.param(300.001, 300.001, Occasion.MISSED_DEADLINE, id="missed"),
        pytest.param(100, 300, None, id="it-may-still-end"),
        pytest.param(100, 300.001, Occasion.MISSED_DEADLINE, id="it-did-not"),
        pytest.param(None, 300, None, id="no-forecast"),
        pytest.param(None, 300.001, Occasion.MISSED_DEADLINE, id="a-fact-needs-none"),
    ],
)
def test_news_is_told_from_the_moment_it_is_so(
    expected: float | None, now: float, news: Occasion | None
) -> None:
    """To the millisecond: an end at the deadline is in time."""
    at = after(expected) if expected is not None else None

    assert news == news_of(waiting(300, expected_at=at), now=after(now))


def test_news_is_told_once() -> None:
    """A miss may follow a forecast, and nothing follows a miss."""
    late = waiting(300, expected_at=after(400))
    foreseen = with_news(late, Occasion.WILL_BE_LATE)
    missed = with_news(foreseen, Occasion.MISSED_DEADLINE)

    assert news_of(foreseen, now=after(200)) is None
    assert news_of(foreseen, now=after(301)) is Occasion.MISSED_DEADLINE
    assert news_of(missed, now=after(302)) is None


def test_a_deadline_counts_from_the_instant_or_from_reopening() -> None:
    """Never from when a retry is due."""
    job = job_factory(finish_by=FinishBy(within_seconds=60))
    retry = attempt_factory(id=attempt_id(2), due_at=after(500))
    reopened = attempt_factory(id=attempt_id(2), due_at=after(500), opened_at=after(400))

    assert finish_of(retry, job) == Finish(by=after(60))
    assert finish_of(reopened, job) == Finish(by=after(460))


def test_another_deadline_is_judged_anew() -> None:
    """The same keeps what is known of it, and so does one that its job drops."""
    attempt = waiting(60, is_judged=True, usual_ms=5, will_be_late=True)

    assert finish_of(attempt, job_factory(finish_by=FinishBy(within_seconds=60))) == attempt.finish
    assert finish_of(attempt, job_factory()) == attempt.finish
    assert finish_of(attempt, job_factory(finish_by=FinishBy(within_seconds=61))) == Finish(
        by=after(61)
    )


@pytest.mark.parametrize(
    ("ended", "expected", "margin"),
    [(60, FinishOutlook.MET, 0), (60.001, FinishOutlook.MISSED, -1)],
)
def test_an_end_is_measured_against_its_deadline(
    ended: float, expected: FinishOutlook, margin: int
) -> None:
    """The forecast does not change the outlook of an ended run."""
    attempt = succeeded(ended)
    finish = Finish(by=after(60), expected_at=after(50))

    assert (expected, margin) == (outlook(attempt, finish), margin_ms(attempt, finish))


@pytest.mark.parametrize(
    ("known", "expected", "margin"),
    [
        pytest.param({}, FinishOutlook.UNKNOWN, None, id="no-forecast"),
        pytest.param({"expected_at": after(60)}, FinishOutlook.IN_TIME, 0, id="in-time"),
        pytest.param({"expected_at": after(61)}, FinishOutlook.WILL_BE_LATE, -1000, id="late"),
        pytest.param({"missed": True}, FinishOutlook.MISSED, None, id="missed"),
    ],
)
def test_a_run_that_goes_on_is_measured_by_its_forecast(
    known: dict[str, object], expected: FinishOutlook, margin: int | None
) -> None:
    """A retry is no end."""
    finish = Finish(by=after(60), **known)  # type: ignore[arg-type]
    retried = attempt_factory(state=RunState.FAILED, reason=Reason.RETRIED, ended_at=after(1))

    for attempt in (attempt_factory(), retried):
        assert (expected, margin) == (outlook(attempt, finish), margin_ms(attempt, finish))
