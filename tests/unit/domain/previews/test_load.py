"""Load: how much work a page of a forecast does, and which jitter it advises."""

from typing import Any

import pytest

from tests.support.factories import NOW, after, job_factory, job_id
from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.previews.load.advice import (
    CANDIDATES,
    LEAST_RUNS,
    MOST_NEAR,
    JitterAdvice,
    advise,
)
from timegate.domain.previews.load.due_minutes import MOST_SPREAD
from timegate.domain.previews.load.forecast import RULE_STEPS, Loads, MinuteRange
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.restrictions import Restrictions

WEEK = MinuteRange.of(NOW, 7)
WEEK_MINUTES = 7 * 24 * 60
HOURLY = Schedule(kind=ScheduleKind.CRON, cron="0 * * * *")
NOON = Schedule(kind=ScheduleKind.CRON, cron="0 12 * * *")


def cron(text: str, **fields: Any) -> Schedule:  # noqa: ANN401 - the dataclass checks them
    """A schedule of such times, in UTC."""
    return Schedule(kind=ScheduleKind.CRON, cron=text, **fields)


def rule(text: str, **fields: Any) -> Schedule:  # noqa: ANN401 - the dataclass checks them
    """A recurrence rule that began an hour ago."""
    return Schedule(kind=ScheduleKind.RRULE, rrule=text, starts_at=after(-3600), **fields)


def union(*members: Schedule, **fields: Any) -> Schedule:  # noqa: ANN401
    """A schedule of the instants of all of them."""
    return Schedule(kind=ScheduleKind.UNION, any_of=members, **fields)


#: It has no instant in the week.
YEARLY = rule("FREQ=YEARLY")


def job(schedule: Schedule, name: str = "job", **fields: Any) -> Job:  # noqa: ANN401
    """An active job of a schedule."""
    return job_factory(schedule=schedule, job_id=job_id(name), **fields)


def jobs(count: int, schedule: Schedule, name: str = "job", **fields: Any) -> list[Job]:  # noqa: ANN401
    """So many, whose jitter differs."""
    return [job(schedule, f"{name} {number}", **fields) for number in range(count)]


def counted(*given: Job, span: MinuteRange = WEEK) -> Loads:
    """Return the loads of these jobs."""
    loads = Loads(span=span)
    for each in given:
        loads.add(each, Restrictions())
    return loads


def advised(*given: Job) -> JitterAdvice | None:
    """Return the advice for the queue of these jobs."""
    (queue,) = counted(*given, span=MinuteRange.of(NOW, 1)).queues()
    return advise(queue, MinuteRange.of(NOW, 1), Restrictions(), now=NOW)


def peak_with(seconds: int, count: int, *others: Job) -> int:
    """The busiest minute of these and so many jobs at noon that have this jitter."""
    spread = jobs(count, cron("0 12 * * *", jitter_seconds=seconds))
    (queue,) = counted(*spread, *others, span=MinuteRange.of(NOW, 1)).queues()
    return max(queue.counts)


@pytest.mark.parametrize(
    ("schedule", "steps"),
    [
        pytest.param(HOURLY, 7 * 24, id="hourly"),
        pytest.param(cron("* * * * *"), WEEK_MINUTES, id="each-minute"),
        pytest.param(cron("* * * * * *"), WEEK_MINUTES, id="each-second"),
        pytest.param(
            Schedule(kind=ScheduleKind.RATE, every_seconds=1), WEEK_MINUTES, id="rate-of-1-s"
        ),
        pytest.param(rule("FREQ=HOURLY"), RULE_STEPS + 7 * 24, id="rule-hourly"),
        pytest.param(rule("FREQ=SECONDLY"), RULE_STEPS + 60 * WEEK_MINUTES, id="rule-each-second"),
        pytest.param(rule("FREQ=YEARLY"), RULE_STEPS, id="rule-without-instant"),
        pytest.param(cron("0 * * * *", jitter_seconds=60), 6 * 7 * 24, id="spread"),
        pytest.param(
            cron("*/5 * * * *", jitter_seconds=60), 6 * MOST_SPREAD, id="spread-as-often-as-can-be"
        ),
        pytest.param(cron("* * * * *", jitter_seconds=60), WEEK_MINUTES, id="too-often-to-spread"),
        pytest.param(Schedule(kind=ScheduleKind.AT, at=after(60)), 1, id="once"),
        # Members share instants: each of those that remain is put to both or all three of them.
        pytest.param(union(HOURLY, NOON), 2 * 7 * 24, id="union"),
        pytest.param(union(HOURLY, NOON, NOON), 3 * 7 * 24, id="union-of-three"),
        pytest.param(
            union(cron("* * * * * *"), HOURLY), 2 * WEEK_MINUTES, id="union-with-each-second"
        ),
        pytest.param(union(HOURLY, YEARLY), RULE_STEPS + 2 * 7 * 24, id="union-with-a-rule"),
        pytest.param(
            union(YEARLY, rule("FREQ=YEARLY;BYMONTH=1")), 2 * RULE_STEPS, id="union-of-rules"
        ),
        pytest.param(
            union(HOURLY, NOON, jitter_seconds=60), 2 * 6 * 7 * 24, id="union-that-is-spread"
        ),
        pytest.param(Schedule(kind=ScheduleKind.AT, at=after(-60)), 0, id="over"),
    ],
)
def test_work_is_known_before_it_is_done(schedule: Schedule, steps: int) -> None:
    """A minute is a step, and so is an instant of a rule, which is walked through."""
    loads = Loads(span=WEEK)
    given = [job(schedule), job(HOURLY, "next")]

    assert loads.fitting(given, max(steps, 1)) == (1 if steps else 2)
    assert loads.fitting(given, steps + 1) == 2

    loads.add(given[0], Restrictions())

    assert loads.steps == steps


def test_a_rule_is_counted_by_the_minute() -> None:
    """A rule of three instants a minute counts three."""
    (queue,) = counted(job(rule("FREQ=SECONDLY;INTERVAL=20"))).queues()

    assert set(queue.counts) == {3}


def test_one_job_fits_however_dense_it_is() -> None:
    """A page that counts none would lead nowhere."""
    loads = counted(job(rule("FREQ=SECONDLY")))

    assert loads.steps > 1
    assert loads.fitting(jobs(2, rule("FREQ=SECONDLY;INTERVAL=2")), 1) == 1


def test_instants_that_jobs_share_are_counted_once() -> None:
    """Jobs of one rate share their steps; jobs with RRULE or max_runs do not."""
    rate = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
    shared = counted(*jobs(3, rate))
    ruled = counted(*jobs(3, rule("FREQ=HOURLY")))
    own = counted(*jobs(3, Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=9)))

    assert shared.steps == WEEK_MINUTES
    assert ruled.steps == 3 * RULE_STEPS + 7 * 24
    assert own.steps == 3 * WEEK_MINUTES
    assert Loads(span=WEEK).fitting(jobs(3, rate), WEEK_MINUTES + 1) == 3
    assert Loads(span=WEEK).fitting(jobs(3, rate), WEEK_MINUTES) == 1


def test_a_paused_job_takes_no_work() -> None:
    """It has no load."""
    paused = jobs(3, rule("FREQ=SECONDLY"), status=JobStatus.PAUSED)

    assert Loads(span=WEEK).fitting(paused, 1) == 3
    assert counted(*paused).steps == 0


@pytest.mark.parametrize("count", [15, 40, 200])
def test_the_shortest_jitter_that_quarters_a_peak_is_advised(count: int) -> None:
    """Longer ones would leave less, and make runs later."""
    found = advised(*jobs(count, NOON))
    peaks = {seconds: peak_with(seconds, count) for seconds in CANDIDATES}
    enough = [seconds for seconds, peak in peaks.items() if peak * 4 <= count]

    assert found is not None
    assert (found.before, found.jitter_seconds) == (count, enough[0])
    assert found.after == peaks[enough[0]]


def test_where_none_quarters_a_peak_the_flattest_is_advised() -> None:
    """Half of the runs are of jobs that cannot be spread; of equal ones the shortest is taken."""
    fixed = jobs(10, NOON, "fixed", precision=Precision.SUBSECOND)
    found = advised(*jobs(10, NOON), *fixed)
    peaks = {seconds: peak_with(seconds, 10, *fixed) for seconds in CANDIDATES}

    assert found is not None
    assert min(peaks.values()) * 4 > found.before == 20
    assert (found.jitter_seconds, found.after) == min(peaks.items(), key=lambda each: each[1])


@pytest.mark.parametrize(("count", "is_peak"), [(LEAST_RUNS - 1, False), (LEAST_RUNS, True)])
def test_a_peak_has_so_many_runs(count: int, *, is_peak: bool) -> None:
    """Fewer need no advice."""
    assert (advised(*jobs(count, HOURLY)) is not None) is is_peak


@pytest.mark.parametrize(
    ("fields", "is_asked"),
    [
        pytest.param({}, True, id="recurring"),
        pytest.param({"precision": Precision.SUBSECOND}, False, id="exact"),
        pytest.param(
            {"schedule": Schedule(kind=ScheduleKind.AT, at=after(3600))}, False, id="once"
        ),
        pytest.param(
            {"schedule": Schedule(kind=ScheduleKind.RATE, every_seconds=59, starts_at=after(3600))},
            False,
            id="fires-more-often-than-any-jitter",
        ),
    ],
)
def test_only_jobs_that_can_take_jitter_are_asked_to(
    fields: dict[str, Any], *, is_asked: bool
) -> None:
    """The others stay where they are, and count."""
    able, fields = jobs(20, HOURLY), dict(fields)
    schedule: Schedule = fields.pop("schedule", HOURLY)
    other = job(schedule, "other", **fields)
    found = advised(*able, other)
    alone = advised(*jobs(20, schedule, **fields))

    assert found is not None
    assert (other in [each.job for each in found.jobs]) is is_asked
    assert (alone is not None) is is_asked


@pytest.mark.parametrize(("seconds", "is_asked"), [(900, True), (3600, False)])
def test_jobs_with_as_much_jitter_are_left_as_they_are(seconds: int, *, is_asked: bool) -> None:
    """More than the longest that is tried is not advised."""
    given = jobs(400, cron("0 12 * * *", jitter_seconds=seconds))
    (queue,) = counted(*given, span=MinuteRange.of(NOW, 1)).queues()
    found = advised(*given)

    assert max(queue.counts) >= LEAST_RUNS
    assert (found is not None and found.jitter_seconds > seconds) is is_asked
    assert (found is None) is not is_asked


@pytest.mark.parametrize(("runs", "is_asked"), [(MOST_NEAR, True), (MOST_NEAR + 1, False)])
def test_a_job_with_many_runs_near_the_peak_is_left_as_it_is(runs: int, *, is_asked: bool) -> None:
    """Within the jitter; its own would end before its next run."""
    seconds = ",".join(str(number) for number in range(runs))
    often = job(cron(f"{seconds} 0 12 * * *"), "often")
    found = advised(*jobs(20, cron("0 12 * * *")), often)

    assert found is not None
    assert (often in [each.job for each in found.jobs]) is is_asked


@pytest.mark.parametrize(("count", "is_asked"), [(10, False), (11, True)])
def test_jobs_of_a_crowded_minute_near_the_peak_are_asked_as_well(
    count: int, *, is_asked: bool
) -> None:
    """One that has more than half as many runs: the peak is spread into it."""
    near = jobs(count, cron("1 12 * * *"), "near")
    found = advised(*jobs(20, cron("0 12 * * *")), *near)

    assert found is not None
    assert found.minute == minute_number(NOW.replace(hour=12))
    assert (near[0] in [each.job for each in found.jobs]) is is_asked


def test_what_is_advised_is_computed_with_the_jitter_that_each_would_have() -> None:
    """Taken, it leaves the peak that was foretold."""
    given = jobs(30, cron("0 12 * * *"))
    found = advised(*given)

    assert found is not None
    taken = jobs(30, cron("0 12 * * *", jitter_seconds=found.jitter_seconds))
    (queue,) = counted(*taken, span=MinuteRange.of(NOW, 1)).queues()
    assert max(queue.counts) == found.after < found.before == 30


def test_a_jitter_that_leaves_the_peak_as_it_is_is_not_advised() -> None:
    """Jobs of a crowded minute could be spread; those of the peak cannot."""
    fixed = jobs(10, cron("0 12 * * *"), "fixed", precision=Precision.SUBSECOND)
    able = jobs(6, cron("50 12 * * *"))

    assert advised(*fixed, *able) is None
    assert advised(*fixed, *able, *jobs(1, cron("0 12 * * *"), "peak")) is not None


def test_a_jitter_that_leaves_a_quarter_exactly_is_enough() -> None:
    """Longer ones would leave less, and are not tried."""
    counts = range(LEAST_RUNS, 100)
    exact = next(count for count in counts if peak_with(300, count) * 4 == count)
    found = advised(*jobs(exact, NOON))

    assert peak_with(60, exact) * 4 > exact
    assert found is not None
    assert (found.jitter_seconds, found.after * 4) == (300, exact)
    assert peak_with(900, exact) < found.after
