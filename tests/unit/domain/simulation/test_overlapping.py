"""Simulated runs that overlap, worked out by hand."""

from dataclasses import replace

import pytest

from tests.support.factories import EVERY_MINUTE, NOW, after, job_id
from timegate.domain.ledger.ledger import Gap
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.simulation import (
    Expectation,
    Pause,
    Scenario,
    SimulatedJob,
    TimeSpan,
    report,
    simulate,
)
from timegate.domain.values.errors import InvalidInput

JOB = SimulatedJob(
    schedule=EVERY_MINUTE,
    created_at=NOW,
    anchored_at=NOW,
    overlap=Overlap(policy=OverlapPolicy.QUEUE),
    run_seconds=(90,),
)
#: When each run began and ended, in seconds; ``None`` where it did not begin; its end and why.
Told = list[tuple[float, float | None, float, str]]


def scenario(*jobs: SimulatedJob, minutes: int = 5, outages: tuple[TimeSpan, ...] = ()) -> Scenario:
    """Five minutes of these jobs."""
    end = after(minutes * 60)
    return Scenario(start=NOW, end=end, jobs=jobs, executor_outages=outages)


def job(policy: OverlapPolicy, **changes: object) -> SimulatedJob:
    """The job with another policy; ``limit`` is its own."""
    limit = changes.pop("limit", 1)
    key = changes.pop("key", None)
    overlap = Overlap(policy=policy, max_concurrent=limit, concurrency_key=key)  # type: ignore[arg-type]
    return replace(JOB, overlap=overlap, **changes)  # type: ignore[arg-type]


def told(found: Scenario, number: int = 0) -> Told:
    """Return each run of a job and its outcome, in seconds after ``NOW``."""
    rows = simulate(found).ledgers[number].rows
    return [
        (
            seconds(row.id.run.scheduled_at),
            seconds(row.started_at) if row.started_at else None,
            seconds(row.ended_at),
            str(row.reason or row.state),
        )
        for row in rows
        if not isinstance(row, Gap)
    ]


def seconds(instant: object) -> float:
    """After ``NOW``."""
    return (instant - NOW).total_seconds()  # type: ignore[operator,no-any-return]


def test_allow_lets_all_of_them_work() -> None:
    """Each on time."""
    assert told(scenario(job(OverlapPolicy.ALLOW), minutes=3)) == [
        (60, 60, 150, "succeeded"),
        (120, 120, 210, "succeeded"),
    ]


def test_forbid_skips_what_is_due_while_another_works() -> None:
    """Decided when it is due."""
    assert told(scenario(job(OverlapPolicy.FORBID))) == [
        (60, 60, 150, "succeeded"),
        (120, None, 120, "overlap"),
        (180, 180, 270, "succeeded"),
        (240, None, 240, "overlap"),
    ]


def test_queue_lets_one_work_after_the_other() -> None:
    """Each end calls the next; those behind time stay so."""
    assert told(scenario(JOB)) == [
        (60, 60, 150, "succeeded"),
        (120, 150, 240, "succeeded"),
        (180, 240, 330, "succeeded"),
        (240, 330, 420, "succeeded"),
    ]


def test_two_slots_let_two_work() -> None:
    """And ninety seconds a minute need no more."""
    found = told(scenario(job(OverlapPolicy.QUEUE, limit=2)))

    assert [begun for _, begun, _, _ in found] == [60, 120, 180, 240]


def test_replace_stops_the_oldest_at_its_next_heartbeat() -> None:
    """Each twenty seconds from its start; what replaced it begins then, and is replaced in turn."""
    assert told(scenario(job(OverlapPolicy.REPLACE))) == [
        (60, 60, 120, "replaced"),
        (120, 120, 180, "replaced"),
        (180, 180, 240, "replaced"),
        (240, 240, 300, "replaced"),
    ]


def test_a_run_that_waits_too_long_is_late() -> None:
    """The limit counts from when it was due."""
    found = told(scenario(job(OverlapPolicy.QUEUE, start_within_seconds=45)))

    assert found == [
        (60, 60, 150, "succeeded"),
        (120, 150, 240, "succeeded"),
        (180, None, 240, "late"),
        (240, 240, 330, "succeeded"),
    ]


def test_a_pause_ends_those_that_wait_when_their_turn_comes() -> None:
    """They are judged by the job as it is then."""
    paused = replace(JOB, pauses=(Pause(start=after(130)),))

    assert told(scenario(paused, minutes=3)) == [
        (60, 60, 150, "succeeded"),
        (120, None, 150, "paused"),
    ]


def test_one_that_ends_in_the_line_makes_way_for_the_next() -> None:
    """At once: no waiter needs the sweeper to find out."""
    paused = job(OverlapPolicy.QUEUE, key="db", name="a", pauses=(Pause(start=after(130)),))
    once = Schedule(kind=ScheduleKind.DELAY, delay_seconds=125)
    other = job(OverlapPolicy.QUEUE, key="db", name="b", job_id=job_id("b"), schedule=once)
    found = scenario(paused, other, minutes=3)

    assert told(found)[1] == (120, None, 150, "paused")
    assert told(found, 1) == [(125, 150, 240, "succeeded")]


def test_jobs_that_name_one_key_share_its_slots() -> None:
    """By due time, whosever they are; each is judged by its own policy."""
    once = Schedule(kind=ScheduleKind.DELAY, delay_seconds=70)
    queued = job(OverlapPolicy.QUEUE, key="db", name="a")
    other = job(OverlapPolicy.QUEUE, key="db", name="b", job_id=job_id("b"), schedule=once)
    proud = replace(other, overlap=replace(other.overlap, policy=OverlapPolicy.FORBID))

    assert told(scenario(queued, other, minutes=3), 1) == [(70, 150, 240, "succeeded")]
    assert told(scenario(queued, other, minutes=3)) == [
        (60, 60, 150, "succeeded"),
        (120, 240, 330, "succeeded"),
    ]
    assert told(scenario(queued, proud, minutes=3), 1) == [(70, None, 70, "overlap")]


def test_jobs_without_a_common_key_do_not_wait_for_each_other() -> None:
    """Each has slots of its own."""
    one, other = replace(JOB, name="a"), replace(JOB, name="b", job_id=job_id("b"))
    found = scenario(one, other, minutes=2)

    assert told(found) == told(found, 1) == [(60, 60, 150, "succeeded")]


def test_a_simulation_without_end_is_refused() -> None:
    """A job that falls behind for ever makes its waiting runs come back for ever."""
    endless = replace(
        JOB, schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=1), run_seconds=(86_400,)
    )
    with pytest.raises(InvalidInput) as refused:
        simulate(scenario(endless, minutes=10), most_instants=600)

    assert (refused.value.field, refused.value.code) == ("to", "simulation_too_large")


def test_the_report_of_several_jobs_tells_them_apart() -> None:
    """Rows by instant with the name of their job; sums of each, and of all."""
    once = Schedule(kind=ScheduleKind.DELAY, delay_seconds=70)
    jobs = (
        job(OverlapPolicy.QUEUE, key="db", name="a"),
        job(OverlapPolicy.FORBID, key="db", name="b", job_id=job_id("b"), schedule=once),
    )
    expectations = {
        None: Expectation(numbers={"runs": 2}),
        "a": Expectation(numbers={"runs": 3, "max_lateness_ms": 30_000}),
        "b": Expectation(numbers={"skipped.overlap": 1}),
    }
    value = report(simulate(scenario(*jobs, minutes=3)), expectations)

    assert [row["job"] for row in value["rows"]] == ["a", "b", "a"]
    assert [value["jobs"][name]["runs"] for name in "ab"] == [2, 0]
    assert (value["summary"]["instants"], value["summary"]["skipped"]) == (3, {"overlap": 1})
    assert value["unmet"] == [{"job": "a", "field": "runs", "expected": 3, "actual": 2}]
