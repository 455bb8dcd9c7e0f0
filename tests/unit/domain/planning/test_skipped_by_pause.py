"""Resuming a job reopens the runs that its pause skipped."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import EVERY_MINUTE, after, attempt_factory, attempt_id, timing_factory
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.places import Places, count_places
from timegate.domain.planning.plan import Plan
from timegate.domain.planning.skipped_by_pause import plan_reopening
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import OperationId

SKIP, LATEST, ALL = CatchUpPolicy.SKIP, CatchUpPolicy.LATEST, CatchUpPolicy.ALL
NOW = after(610)


def resumed(policy: CatchUpPolicy = ALL, **fields: Any) -> Timing:  # noqa: ANN401
    """A minutely job, paused from 0 to 610, whose runs up to 300 were planned before that."""
    own = {"limit": fields.pop("limit", 1000), "window_seconds": fields.pop("window", 86_400)}
    given: dict[str, Any] = {
        "schedule": EVERY_MINUTE,
        "anchored_at": after(-600),
        "next_run_at": after(360),
        "paused_at": after(0),
        "catch_up": CatchUp(policy=policy, **own),
    }
    return timing_factory(**(given | fields))


def skipped(seconds: float, **fields: Any) -> Attempt:  # noqa: ANN401
    """A run that the pause skipped."""
    given: dict[str, Any] = {
        "id": attempt_id(scheduled_at=after(seconds)),
        "due_at": after(seconds),
        "state": RunState.SKIPPED,
        "reason": Reason.PAUSED,
        "ended_at": after(seconds),
        "watch_at": None,
    }
    return attempt_factory(**(given | fields))


SKIPPED = [skipped(60 * number) for number in range(1, 6)]


def planned(timing: Timing, records: Sequence[Attempt], places: Places | None = None) -> Plan:
    """The plan, which there is."""
    plan = plan_reopening(timing, records, now=NOW, places=places)
    assert plan is not None
    return plan


def instants(plan: Plan) -> list[int]:
    """The instants whose runs are reopened, in seconds."""
    begin = after(0)
    found = [attempt.id.run.scheduled_at for attempt in plan.attempts]
    return [int((at - begin).total_seconds()) for at in found]


@pytest.mark.parametrize(
    ("timing", "expected"),
    [
        pytest.param(resumed(), [60, 120, 180, 240, 300], id="all"),
        # 360 to 540 were missed and run: four of them.
        pytest.param(resumed(limit=4), [], id="limit-is-used-by-later-ones"),
        pytest.param(resumed(limit=6), [240, 300], id="limit-leaves-two"),
        pytest.param(resumed(window=430), [180, 240, 300], id="in-window"),
        pytest.param(resumed(window=429), [240, 300], id="out-of-window"),
        pytest.param(resumed(LATEST), [], id="a-later-one-is-the-latest"),
        pytest.param(resumed(LATEST, next_run_at=after(660)), [300], id="latest"),
        pytest.param(resumed(SKIP, next_run_at=after(660)), [], id="skip"),
        pytest.param(
            resumed(SKIP, next_run_at=after(660), catch_up=CatchUp(policy=SKIP, grace_seconds=310)),
            [300],
            id="skip-within-grace",
        ),
        pytest.param(resumed(reopens_from=after(240)), [240, 300], id="decided-before"),
        pytest.param(
            resumed(next_run_at=after(120)), [60, 120, 180, 240, 300], id="set-back-by-an-edit"
        ),
        pytest.param(
            resumed(next_run_at=after(120), limit=8), [120, 180, 240, 300], id="set-back-and-limit"
        ),
    ],
)
def test_the_policy_decides_about_planned_and_missed_instants_together(
    timing: Timing, expected: list[int]
) -> None:
    """The latest of all run, as many as it lets."""
    assert instants(planned(timing, SKIPPED)) == expected


def test_a_reopened_run_is_as_if_it_was_planned_now() -> None:
    """A new attempt at the same run, due when it was, with the whole retry policy before it."""
    last = replace(SKIPPED[0], due_at=after(75))
    (opened,) = planned(resumed(version=7), [last]).attempts

    assert (opened.id, opened.tries, opened.fence) == (last.id.next(), 1, 0)
    assert (opened.due_at, opened.opened_at, opened.operation) == (after(75), None, None)
    assert (opened.state, opened.direct, opened.job_version) == (RunState.QUEUED, True, 7)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"ended_at": after(-0.001)}, id="another-pause"),
        pytest.param({"reason": Reason.SUPERSEDED}, id="superseded"),
        pytest.param(
            {"state": RunState.CANCELLED, "reason": Reason.CANCEL_REQUESTED}, id="cancelled"
        ),
        pytest.param({"fence": 1, "fenced_from": 1}, id="has-begun"),
        pytest.param({"operation": OperationId("o1")}, id="of-an-operation"),
        pytest.param({"id": attempt_id(scheduled_at=after(61))}, id="no-instant-of-the-schedule"),
        pytest.param({"state": RunState.SUCCEEDED, "reason": None}, id="has-run"),
    ],
)
def test_what_the_pause_did_not_skip_before_it_began_stays(other: dict[str, Any]) -> None:
    """Nothing else is reopened."""
    assert instants(planned(resumed(), [skipped(60), skipped(120, **other)])) == [60]


@pytest.mark.parametrize(
    ("fields", "may_be"),
    [
        pytest.param({}, True, id="due"),
        pytest.param({"due_at": NOW}, True, id="due-now"),
        pytest.param({"due_at": NOW + timedelta(milliseconds=1)}, False, id="not-due"),
        pytest.param({"state": RunState.RUNNING, "fence": 1}, False, id="claimed"),
        pytest.param({"job_version": 2}, False, id="planned-since"),
    ],
)
def test_the_pause_lasts_while_an_executor_may_skip_a_run(
    fields: dict[str, Any], *, may_be: bool
) -> None:
    """It has read the paused job, and its write comes after the resumption."""
    queued = (
        skipped(
            120, state=RunState.QUEUED, reason=None, ended_at=None, **{"watch_at": NOW, **fields}
        )
        if "state" not in fields
        else attempt_factory(id=attempt_id(scheduled_at=after(120)), due_at=after(120), **fields)
    )
    timing = resumed(version=2)
    plan = planned(timing, [skipped(60), queued, skipped(180)])
    then = plan.after(timing)

    assert instants(plan) == [60, 180]
    assert then.reopens is may_be
    if may_be:
        assert plan_reopening(then, [queued], now=NOW) is None
        late = planned(then, [skipped(120)])
        assert instants(late) == [120]
        assert not planned(then, []).after(then).reopens


def test_an_end_at_the_instant_of_the_pause_is_the_pause_s() -> None:
    """To the millisecond."""
    assert instants(planned(resumed(), [skipped(0, ended_at=after(0))])) == [0]


def test_a_schedule_answers_for_nothing_before_it_was_given() -> None:
    """An edit during the pause: what the old schedule had planned stays skipped."""
    timing = resumed(anchored_at=after(120), paused_at=after(120), next_run_at=after(180))

    assert instants(planned(timing, SKIPPED)) == [180, 240, 300]


@pytest.mark.parametrize(("given", "is_named"), [(119.999, True), (120, False), (120.001, False)])
def test_an_edit_at_a_run_s_instant_leaves_it_to_the_schedule_before(
    given: float, *, is_named: bool
) -> None:
    """To the millisecond: a schedule that recurs begins behind the instant at which it is given."""
    schedule = replace(EVERY_MINUTE, starts_at=after(0))
    timing = resumed(schedule=schedule, anchored_at=after(given), next_run_at=after(360))

    assert instants(planned(timing, [skipped(120), skipped(180)])) == [120] * is_named + [180]


@pytest.mark.parametrize("timing", [resumed(paused_at=None), resumed(status=JobStatus.PAUSED)])
def test_only_a_resumption_that_catches_up_reopens(timing: Timing) -> None:
    """A paused job, and one whose pause is over, have nothing to reopen."""
    assert plan_reopening(timing, SKIPPED, now=NOW) is None


def test_a_plan_that_reopens_all_ends_the_pause() -> None:
    """The job is where it was in every other respect, but for the number of planned runs."""
    timing = resumed()
    later = planned(timing, SKIPPED).after(timing)

    assert (later.paused_at, later.reopens_from, later.reopens) == (None, None, False)
    assert (later.next_run_at, later.status) == (timing.next_run_at, JobStatus.ACTIVE)
    assert later.runs_planned == timing.runs_planned + 5


def test_one_step_reopens_as_many_as_a_transaction_takes() -> None:
    """The next one goes on with what this one decided, whatever the time and the policy."""
    every = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
    records = [skipped(number) for number in range(1, 151)]
    timing = resumed(schedule=every, next_run_at=after(700), limit=120)
    first = planned(timing, records)
    then = first.after(timing)
    rest = plan_reopening(then, records, now=NOW + timedelta(days=2))

    assert instants(first) == list(range(31, 130))
    assert (then.reopens, then.reopens_from) == (True, after(130))
    assert rest is not None
    assert instants(rest) == list(range(130, 151))
    assert not rest.after(then).reopens


@pytest.mark.parametrize("has_last", [False, True])
def test_the_last_end_completes_a_job_without_another_instant(*, has_last: bool) -> None:
    """That of the last run that is reopened, unless the schedule's last run is still to end."""
    ahead = attempt_factory(id=attempt_id(scheduled_at=after(660)), final=True)
    timing = resumed(next_run_at=None)
    plan = planned(timing, [*SKIPPED, *([ahead] if has_last else [])])

    assert [attempt.final for attempt in plan.attempts] == [False] * 4 + [not has_last]
    assert plan.after(timing).status is JobStatus.ACTIVE


@pytest.mark.parametrize("has_last", [False, True])
def test_a_job_without_another_instant_and_nothing_to_reopen_is_completed(
    *, has_last: bool
) -> None:
    """Unless the schedule's last run is still to end."""
    ahead = attempt_factory(id=attempt_id(scheduled_at=after(660)), final=True)
    timing = resumed(SKIP, next_run_at=None)
    after_it = planned(timing, [*SKIPPED, *([ahead] if has_last else [])]).after(timing)

    assert after_it.status is (JobStatus.ACTIVE if has_last else JobStatus.COMPLETED)
    assert not after_it.reopens


def bounded(most: int, **fields: Any) -> tuple[Timing, Places]:  # noqa: ANN401
    """The job with ``max_runs``, and the places that its skipped runs hold: none."""
    schedule = replace(EVERY_MINUTE, max_runs=most)
    timing = resumed(schedule=schedule, **fields)
    places = count_places(timing, SKIPPED)
    assert places is not None
    return timing, places


def test_reopened_runs_take_their_places_again_the_oldest_first() -> None:
    """A run without a place waits for one; the decision stays."""
    timing, places = bounded(2)
    plan = planned(timing, SKIPPED, places)

    assert instants(plan) == [60, 120]
    assert plan.after(timing).reopens_from == after(180)
    assert {each.counted for each in plan.attempts} == {True}
    assert {each.counted for each in planned(resumed(), SKIPPED).attempts} == {False}


def test_without_a_place_nothing_is_written() -> None:
    """The job is looked at again when a run has ended."""
    timing, places = bounded(2)

    assert plan_reopening(timing, SKIPPED, now=NOW, places=replace(places, begun=2)) is None


def test_a_reopened_run_has_not_ended_for_the_count() -> None:
    """Counting begins before it; runs behind it that began are counted anew."""
    began = attempt_factory(
        id=attempt_id(scheduled_at=after(150)), state=RunState.SUCCEEDED, fence=1, watch_at=None
    )
    timing, places = bounded(9, runs_begun=4, counted_until=after(300))
    records = sorted([*SKIPPED[1:], began], key=lambda each: each.id.run.scheduled_at)
    plan = planned(timing, records, places)

    assert plan.counted_until == after(120) - timedelta(milliseconds=1)
    assert plan.runs_begun == 3
