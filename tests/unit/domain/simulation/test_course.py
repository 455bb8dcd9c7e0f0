"""Simulations worked out by hand."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import EVERY_MINUTE, NOW, after
from tests.support.simulation.simulating import changed, one_job, simulated
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus
from timegate.domain.ledger.ledger import Gap
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.simulation import (
    Edit,
    Pause,
    RejectedChange,
    Scenario,
    TimeSpan,
    report,
    simulate,
)

HOURLY = Schedule(kind=ScheduleKind.RATE, every_seconds=3600)
SCENARIO = one_job(schedule=HOURLY, start=NOW, end=after(6 * 3600), created_at=NOW, anchored_at=NOW)


def hours(*numbers: float) -> list[object]:
    """So many hours after ``NOW``."""
    return [after(number * 3600) for number in numbers]


def outage(first: float, last: float) -> TimeSpan:
    """From one hour to another."""
    return TimeSpan(start=after(first * 3600), end=after(last * 3600))


def runs(scenario: Scenario) -> list[Attempt]:
    """The runs of a simulation."""
    return [row for row in simulated(scenario).rows if isinstance(row, Attempt)]


def gaps(scenario: Scenario) -> list[Gap]:
    """And its gaps."""
    return [row for row in simulated(scenario).rows if isinstance(row, Gap)]


def test_the_end_of_the_range_is_not_in_it() -> None:
    """Two ranges that follow one another share no instant."""
    assert [run.id.run.scheduled_at for run in runs(SCENARIO)] == hours(1, 2, 3, 4, 5)
    assert simulated(SCENARIO).undecided == 0


def test_a_run_starts_when_the_executor_is_back() -> None:
    """Until then its message waits."""
    (late, *_) = runs(changed(SCENARIO, executor_outages=(outage(0.5, 1.25),)))

    assert late.started_at == after(1.25 * 3600)
    assert late.state is RunState.SUCCEEDED


def test_what_is_due_at_the_end_of_the_range_is_carried_to_its_end() -> None:
    """An outage may outlast the range."""
    states = [run.state for run in runs(changed(SCENARIO, executor_outages=(outage(4.5, 9),)))]

    assert states == [RunState.SUCCEEDED] * 5


def test_durations_go_to_runs_in_the_order_they_start() -> None:
    """The last one holds for all that follow."""
    took = [
        run.ended_at - run.started_at
        for run in runs(changed(SCENARIO, run_seconds=(10, 0.25)))
        if run.ended_at is not None and run.started_at is not None
    ]

    assert took == [timedelta(seconds=10), *[timedelta(milliseconds=250)] * 4]


def test_what_no_planner_came_for_is_undecided() -> None:
    """No record, and no guess at one."""
    found = simulated(changed(SCENARIO, planner_outages=(outage(2.5, 9),)))

    assert len(found.rows) == 2
    assert found.undecided == 3


def test_what_a_pause_holds_is_undecided_until_it_ends() -> None:
    """Resuming decides about them: from now on, or caught up."""
    pause = Pause(start=after(1.5 * 3600), end=after(4.5 * 3600))
    lasting = simulated(changed(SCENARIO, pauses=(replace(pause, end=None),)))
    caught_up = changed(SCENARIO, pauses=(replace(pause, catch_up=True),))

    assert lasting.undecided == 4
    assert [(g.count, g.reason) for g in gaps(changed(SCENARIO, pauses=(pause,)))] == [
        (3, Reason.PAUSED)
    ]
    assert gaps(caught_up) == []
    assert [run.created_at for run in runs(caught_up)[1:4]] == [pause.end] * 3


def test_a_cancel_ends_it_all() -> None:
    """Instants missed before the cancellation are a gap; later ones do not exist."""
    scenario = changed(SCENARIO, planner_outages=(outage(1.5, 9),), cancelled_at=after(3.5 * 3600))
    summary = report(simulate(scenario))["summary"]

    assert summary["instants"] == 3
    assert (summary["runs"], summary["cancelled"]) == (1, {"job_cancelled": 2})


def test_an_edit_counts_from_when_it_is_made() -> None:
    """It never fires the past again, and revives a job that had ended."""
    once = Schedule(kind=ScheduleKind.DELAY, delay_seconds=60)
    edit = Edit(at=after(1800), schedule=HOURLY)
    found = simulated(changed(SCENARIO, schedule=once, edits=(edit,)))
    instants = [row.id.run.scheduled_at for row in found.rows if isinstance(row, Attempt)]

    assert instants == [after(60), *hours(1.5, 2.5, 3.5, 4.5, 5.5)]
    assert found.timing.status is JobStatus.ACTIVE


def test_an_instant_that_the_new_schedule_names_too_has_one_record() -> None:
    """Earlier missed instants are caught up, and the instant of the edit runs once."""
    edit = Edit(at=after(3 * 3600), schedule=Schedule(kind=ScheduleKind.IMMEDIATE))
    scenario = changed(SCENARIO, planner_outages=(outage(1.5, 9),), edits=(edit,))

    assert gaps(scenario) == []
    assert [run.id.run.scheduled_at for run in runs(scenario)] == hours(1, 2, 3)


def test_a_gap_is_shown_as_far_as_it_lies_in_the_range() -> None:
    """The range may begin in the middle of an outage."""
    scenario = changed(
        SCENARIO,
        start=after(2.5 * 3600),
        planner_outages=(outage(0.5, 4.5),),
        catch_up=CatchUp(policy=CatchUpPolicy.SKIP),
    )
    (gap,) = gaps(scenario)

    assert (gap.first, gap.last, gap.count) == (after(3 * 3600), after(4 * 3600), 2)


def test_a_job_of_last_year_keeps_its_anchor() -> None:
    """Its rate goes on counting from there."""
    scenario = changed(SCENARIO, anchored_at=after(-1800))

    assert [run.id.run.scheduled_at for run in runs(scenario)] == hours(
        0.5, 1.5, 2.5, 3.5, 4.5, 5.5
    )


def test_changes_of_a_job_that_has_ended_are_refused() -> None:
    """The API would refuse each with the same field and code."""
    once = Schedule(kind=ScheduleKind.IMMEDIATE)
    pause = Pause(start=after(60), end=after(120))
    found = simulated(changed(SCENARIO, schedule=once, pauses=(pause,)))

    assert found.refused == (
        RejectedChange(at=after(60), field="pauses.0.from", code="job_completed"),
        RejectedChange(at=after(120), field="pauses.0.to", code="job_completed"),
    )


@pytest.mark.parametrize("offset", [pytest.param(0, id="on-it"), pytest.param(59, id="end")])
def test_every_tick_of_a_minute_plans_in_time(offset: int) -> None:
    """The look-ahead spans several ticks: no run is late."""
    scenario = changed(SCENARIO, schedule=EVERY_MINUTE, tick_offset_seconds=offset)

    assert report(simulate(scenario))["summary"]["max_lateness_ms"] == 0


def test_jitter_beyond_a_queues_reach_waits_for_the_sweeper() -> None:
    """And starts within its bounds all the same."""
    found = runs(changed(SCENARIO, schedule=replace(HOURLY, jitter_seconds=3599)))
    late = [run.started_at - run.due_at for run in found if run.started_at is not None]

    assert len(late) == len(found)
    assert all(timedelta(0) <= each < timedelta(seconds=1) for each in late)
    assert max(run.due_at - run.created_at for run in found) > timedelta(minutes=25)


@pytest.mark.parametrize("until", [180, 900], ids=["settled", "undecided"])
def test_an_instant_with_a_run_is_neither_in_a_gap_nor_undecided(until: float) -> None:
    """A resumption sets the job back to the instant that it had planned, while no planner comes."""
    once = Schedule(kind=ScheduleKind.AT, at=after(153))
    scenario = changed(
        one_job(schedule=once, start=NOW, end=after(600), created_at=NOW, anchored_at=NOW),
        catch_up=CatchUp(policy=CatchUpPolicy.SKIP),
        pauses=(Pause(start=after(1), end=after(2)),),
        planner_outages=(TimeSpan(start=after(1), end=after(until)),),
    )
    (run,) = simulated(scenario).rows

    assert isinstance(run, Attempt)
    assert run.state is RunState.SUCCEEDED
    assert simulated(scenario).undecided == 0


def test_a_gap_of_a_change_leaves_out_instants_that_have_a_run() -> None:
    """Resumed and paused again: at the second resumption the instant has run already."""
    once = Schedule(kind=ScheduleKind.AT, at=after(153))
    scenario = changed(
        one_job(schedule=once, start=NOW, end=after(600), created_at=NOW, anchored_at=NOW),
        pauses=(Pause(start=after(1), end=after(2)), Pause(start=after(160), end=after(170))),
        planner_outages=(TimeSpan(start=after(1), end=after(180)),),
    )
    (run,) = simulated(scenario).rows

    assert isinstance(run, Attempt)
    assert run.state is RunState.SUCCEEDED
