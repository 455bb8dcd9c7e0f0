"""A backfill fills past instants of the present schedule that have no run."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, timing_factory
from tests.support.operations.started_operations import backfill_factory
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.operations.backfill import (
    MAX_INSTANTS,
    InstantFate,
    check_backfill,
    fate_of,
    instants_of,
    still_open,
)
from timegate.domain.operations.operation import Backfill, Opened, Reprocess
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import InvalidInput, JobIsCancelled, JobIsPaused
from timegate.domain.values.instants import MILLISECOND

HOURLY = Schedule(kind=ScheduleKind.CRON, cron="0 * * * *")
OLDEST = after(-30 * 86_400)
JOB = timing_factory()


def last(state: RunState, reason: Reason | None = None) -> Attempt:
    """Return an attempt in a state with a reason."""
    return attempt_factory(state=state, reason=reason)


@pytest.mark.parametrize(
    ("run", "fates"),
    [
        pytest.param(None, "new new new", id="no run"),
        pytest.param(last(RunState.SUCCEEDED), "unchanged unchanged reopened", id="succeeded"),
        pytest.param(last(RunState.FAILED), "unchanged reopened reopened", id="failed"),
        pytest.param(last(RunState.TIMED_OUT), "unchanged reopened reopened", id="timed out"),
        pytest.param(last(RunState.DEAD_LETTERED), "unchanged reopened reopened", id="dead"),
        pytest.param(last(RunState.SKIPPED), "unchanged reopened reopened", id="skipped"),
        pytest.param(last(RunState.CANCELLED), "unchanged unchanged reopened", id="cancelled"),
        pytest.param(last(RunState.QUEUED), "unchanged unchanged unchanged", id="queued"),
        pytest.param(last(RunState.WAITING), "unchanged unchanged unchanged", id="waiting"),
        pytest.param(last(RunState.RUNNING), "unchanged unchanged unchanged", id="running"),
        pytest.param(
            last(RunState.FAILED, Reason.RETRIED), "unchanged unchanged unchanged", id="retried"
        ),
    ],
)
def test_what_becomes_of_an_instant(run: Attempt | None, fates: str) -> None:
    """By the last attempt at its run, and under none, failed and all."""
    policies = [Reprocess.NONE, Reprocess.FAILED, Reprocess.ALL]

    assert [InstantFate(fate) for fate in fates.split()] == [
        fate_of(run, each) for each in policies
    ]


@pytest.mark.parametrize(
    ("schedule", "named"),
    [
        pytest.param(HOURLY, [-7200, -3600, 0], id="cron"),
        pytest.param(replace(HOURLY, starts_at=after(-3600)), [-3600, 0], id="cron with a start"),
        pytest.param(
            Schedule(kind=ScheduleKind.RATE, every_seconds=3000, starts_at=after(-6000)),
            [-6000, -3000, 0],
            id="anchored rate",
        ),
        pytest.param(Schedule(kind=ScheduleKind.RATE, every_seconds=1800), [-1800, 0], id="rate"),
        pytest.param(Schedule(kind=ScheduleKind.AT, at=after(-60)), [-60], id="at"),
    ],
)
def test_instants_of_the_present_schedule(schedule: Schedule, named: list[int]) -> None:
    """Both ends count; only what counts from the job's creation names nothing before."""
    timing = timing_factory(schedule=schedule, anchored_at=after(-3600))

    assert [after(each) for each in named] == list(instants_of(timing, after(-7200), NOW))


def checked(timing: Timing = JOB, **fields: Any) -> int:  # noqa: ANN401
    """The instants of a backfill that is allowed."""
    asked: Backfill = backfill_factory(**fields)
    return check_backfill(timing, asked, now=NOW, oldest_record=OLDEST)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        pytest.param({"start": NOW + MILLISECOND}, "to", "range_reversed", id="reversed"),
        pytest.param({"end": NOW + MILLISECOND}, "to", "in_the_future", id="future"),
        pytest.param(
            {"start": after(-59), "end": after(-1)}, "from", "no_instants", id="between two"
        ),
    ],
)
def test_a_range_that_cannot_be_filled(fields: dict[str, Any], field: str, code: str) -> None:
    """Each refusal names the field."""
    with pytest.raises(InvalidInput) as refused:
        checked(**fields)

    assert (refused.value.field, refused.value.code) == (field, code)


def test_a_range_up_to_now_is_filled() -> None:
    """One instant is enough; both ends may be the same."""
    assert checked() == 11
    assert checked(start=NOW) == 1


def test_a_backfill_has_at_most_ten_thousand_instants() -> None:
    """One more is refused, with their number."""
    every_second = timing_factory(
        schedule=Schedule(kind=ScheduleKind.CRON, cron="* * * * * *"), created_at=NOW
    )
    most = after(-MAX_INSTANTS + 1)

    assert checked(every_second, start=most) == MAX_INSTANTS
    with pytest.raises(InvalidInput, match="10001 instants") as refused:
        checked(every_second, start=most - timedelta(seconds=1))
    assert (refused.value.field, refused.value.code) == ("to", "too_many_instants")


def test_decades_are_counted_as_one_range() -> None:
    """An instant on the seam of two stretches counts once: each day since 1999."""
    daily = timing_factory(
        schedule=Schedule(kind=ScheduleKind.CRON, cron="0 0 * * *"), created_at=NOW
    )
    start = datetime(1999, 12, 31, tzinfo=UTC)

    assert checked(daily, start=start) == (NOW - start).days + 1


def test_too_many_are_counted_no_further() -> None:
    """Fifty years of a union took seconds to be refused; the detail says where counting ended."""
    zones = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Africa/Casablanca"]
    members = tuple(
        Schedule(kind=ScheduleKind.CRON, cron=f"{at} */{2 + at} * * *", timezone=zone)
        for at, zone in enumerate(zones)
    )
    union = Schedule(kind=ScheduleKind.UNION, any_of=members)
    start = datetime(1970, 1, 2, tzinfo=UTC)

    with pytest.raises(InvalidInput, match=r"instants up to 1971-01-03T00:03:00\.000Z;") as refused:
        checked(timing_factory(schedule=union, created_at=NOW), start=start)
    assert refused.value.code == "too_many_instants"


@pytest.mark.parametrize(
    ("created_at", "start", "reprocess", "allowed"),
    [
        pytest.param(OLDEST - timedelta(days=9), OLDEST, Reprocess.NONE, True, id="on record"),
        pytest.param(
            OLDEST - timedelta(days=9), OLDEST - MILLISECOND, Reprocess.NONE, False, id="forgotten"
        ),
        pytest.param(
            OLDEST - timedelta(days=9), OLDEST - MILLISECOND, Reprocess.FAILED, False, id="failed"
        ),
        pytest.param(
            OLDEST - timedelta(days=9), OLDEST - MILLISECOND, Reprocess.ALL, True, id="all"
        ),
        pytest.param(
            OLDEST, OLDEST - timedelta(days=99), Reprocess.NONE, True, id="before it was created"
        ),
    ],
)
def test_what_may_have_run_and_been_forgotten_is_not_filled(
    created_at: datetime, start: datetime, reprocess: Reprocess, *, allowed: bool
) -> None:
    """Dedupe needs records; before its creation a job has none, and all needs none."""
    daily = Schedule(kind=ScheduleKind.CRON, cron="@daily")
    timing = timing_factory(schedule=daily, created_at=created_at)
    if allowed:
        assert checked(timing, start=start, reprocess=reprocess) > 0
        return
    with pytest.raises(InvalidInput) as refused:
        checked(timing, start=start, reprocess=reprocess)
    assert (refused.value.field, refused.value.code) == ("from", "beyond_retention")


@pytest.mark.parametrize(
    ("status", "refusal"),
    [
        (JobStatus.ACTIVE, None),
        (JobStatus.COMPLETED, None),
        (JobStatus.PAUSED, JobIsPaused),
        (JobStatus.CANCELLED, JobIsCancelled),
    ],
    ids=str,
)
def test_a_job_that_runs_nothing_is_not_filled(
    status: JobStatus, refusal: type[Exception] | None
) -> None:
    """One that has completed may be."""
    timing = timing_factory(status=status)
    if refusal is None:
        assert checked(timing) == 11
    else:
        with pytest.raises(refusal):
            checked(timing)


def test_daylight_saving_time_is_counted_as_the_schedule_counts_it() -> None:
    """The morning without a half past two has its run at three."""
    berlin = Schedule(kind=ScheduleKind.CRON, cron="30 2 * * *", timezone="Europe/Berlin")
    timing = timing_factory(schedule=berlin)
    start, end = (datetime(2026, 3, day, 12, tzinfo=UTC) for day in (27, 30))

    assert [f"{each:%d %H:%M}" for each in instants_of(timing, start, end)] == [
        "28 01:30",
        "29 01:00",
        "30 00:30",
    ]


def test_a_run_begins_again_only_after_a_pause_of_its_job() -> None:
    """Any other end is its end."""
    opened = Opened(instant=NOW, number=1)
    paused = attempt_factory(state=RunState.SKIPPED, reason=Reason.PAUSED)

    assert still_open(opened, attempt_factory(state=RunState.QUEUED)) == opened
    assert still_open(opened, paused) == Opened(instant=NOW, number=paused.id.number + 1)
    assert still_open(opened, replace(paused, reason=Reason.OVERLAP)) is None
    assert still_open(opened, replace(paused, state=RunState.CANCELLED)) is None
