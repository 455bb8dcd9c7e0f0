"""Accounting for one instant: each verdict, on both sides of each boundary."""

from typing import Any

import pytest

from tests.support.factories import (
    EVERY_MINUTE,
    NOW,
    after,
    attempt_factory,
    freeze_factory,
    gap_factory,
    job_factory,
)
from timegate.domain.auditing.explain_instant import Evidence, Verdict, account_for
from timegate.domain.jobs.job import JobStatus
from timegate.domain.ledger.explanations import GROUNDS, Ground
from timegate.domain.ledger.ledger import Naming
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.restrictions import Restrictions

PAUSED: dict[str, Any] = {"status": JobStatus.PAUSED, "next_run_at": None, "held_at": after(-120)}
CANCELLED: dict[str, Any] = {
    "status": JobStatus.CANCELLED,
    "next_run_at": None,
    "updated_at": after(-60),
}
#: Every minute to five minutes from now; the tests' job was given it an hour ago.
ENDING = {"schedule": Schedule(kind=ScheduleKind.RATE, every_seconds=60, ends_at=after(300))}
THREE_LEFT = {
    "schedule": Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=9),
    "next_run_at": after(60),
}
FULL = {**THREE_LEFT, "full": True}
USED_UP = {**FULL, "next_run_at": None, "status": JobStatus.COMPLETED}
STOPPED = {**USED_UP, **CANCELLED}
ONCE = {"schedule": Schedule(kind=ScheduleKind.AT, at=after(60)), "next_run_at": after(60)}
CAUGHT_UP = {"next_run_at": after(-600), "decided_until": after(-300)}
CHANGED = {"created_at": after(-7200)}


@pytest.mark.parametrize(
    ("fields", "at", "ground"),
    [
        pytest.param({}, -3600, Ground.BEFORE_CREATION, id="at-creation"),
        pytest.param({}, -3599.999, Ground.NOT_NAMED, id="after-creation"),
        pytest.param(CHANGED, -7200, Ground.BEFORE_CREATION, id="created"),
        pytest.param(CHANGED, -7199.999, Ground.BEFORE_SCHEDULE, id="earlier-schedule"),
        pytest.param(CHANGED, -3600, Ground.BEFORE_SCHEDULE, id="as-it-was-changed"),
        pytest.param(CHANGED, -3540, Ground.UNRECORDED, id="first-of-the-new"),
        pytest.param({}, -60, Ground.UNRECORDED, id="passed-without-record"),
        pytest.param({}, 0, Ground.BEHIND, id="due-and-not-planned"),
        pytest.param({}, 0.001, Ground.NOT_NAMED, id="just-after"),
        pytest.param({}, 60, Ground.TO_COME, id="to-come"),
        pytest.param({"next_run_at": after(660)}, 600, Ground.UNRECORDED, id="planned-and-lost"),
        pytest.param({"next_run_at": after(660)}, 660, Ground.TO_COME, id="next"),
        pytest.param(CAUGHT_UP, -660, Ground.UNRECORDED, id="before-the-catch-up"),
        pytest.param(CAUGHT_UP, -300, Ground.CATCHING_UP, id="decided"),
        pytest.param(CAUGHT_UP, -240, Ground.BEHIND, id="not-decided"),
        pytest.param(PAUSED, -180, Ground.UNRECORDED, id="before-the-pause"),
        pytest.param(PAUSED, -120, Ground.PAUSED_SINCE, id="first-of-the-pause"),
        pytest.param(PAUSED, 0, Ground.PAUSED_SINCE, id="last-of-the-pause"),
        pytest.param(PAUSED, 60, Ground.PAUSED_NOW, id="paused-to-come"),
        pytest.param(PAUSED, 61, Ground.NOT_NAMED, id="paused-not-named"),
        pytest.param(CANCELLED, -60, Ground.UNRECORDED, id="as-it-was-cancelled"),
        pytest.param(CANCELLED, 0, Ground.CANCELLED, id="after-the-cancel"),
        pytest.param(ENDING, 300, Ground.TO_COME, id="last-of-all"),
        pytest.param(ENDING, 299.999, Ground.NOT_NAMED, id="before-the-last"),
        pytest.param(ENDING, 300.001, Ground.SCHEDULE_ENDED, id="after-the-end"),
        pytest.param(ONCE, 59.999, Ground.NOT_NAMED, id="before-the-only-one"),
        pytest.param(ONCE, 60, Ground.TO_COME, id="the-only-one"),
        pytest.param(ONCE, 60.001, Ground.SCHEDULE_ENDED, id="after-the-only-one"),
        pytest.param(USED_UP, 240, Ground.MAX_RUNS, id="used-up"),
        pytest.param(STOPPED, -60, Ground.MAX_RUNS, id="used-up-before-the-cancel"),
        pytest.param(STOPPED, 0, Ground.CANCELLED, id="used-up-after-the-cancel"),
    ],
)
def test_an_instant_without_record_is_judged_by_its_job(
    fields: dict[str, Any], at: float, ground: Ground
) -> None:
    """Its schedule first, then its status, then how far it was planned."""
    job = job_factory(**({"schedule": EVERY_MINUTE} | fields))
    account = account_for(job, after(at), Evidence(), now=NOW)

    assert account.explanation == GROUNDS[ground]
    assert account.record is None


@pytest.mark.parametrize(
    ("fields", "free", "at", "ground"),
    [
        pytest.param(THREE_LEFT, 3, 180, Ground.TO_COME, id="last-allowed"),
        pytest.param(THREE_LEFT, 3, 240, Ground.MAX_RUNS, id="one-too-many"),
        pytest.param(FULL, 0, 60, Ground.MAX_RUNS, id="full"),
        pytest.param(FULL, 1, 60, Ground.TO_COME, id="a-place-was-given-back"),
    ],
)
def test_places_bound_the_instants_to_come(
    fields: dict[str, Any], free: int, at: float, ground: Ground
) -> None:
    """Free places bound the coming instants; places that runs hold do not."""
    evidence = Evidence(places_free=free)
    account = account_for(job_factory(**fields), after(at), evidence, now=NOW)

    assert account.explanation == GROUNDS[ground]


@pytest.mark.parametrize(("at", "ground"), [(60, Ground.FROZEN_SINCE), (120, Ground.FROZEN_THEN)])
def test_a_frozen_instant_waits_or_is_to_wait(at: float, ground: Ground) -> None:
    """The explanation of one that has passed says that it waits."""
    frozen = Restrictions(freezes=(freeze_factory(),))
    job = job_factory(next_run_at=NOW)
    account = account_for(job, after(at), Evidence(), now=after(60), restrictions=frozen)

    assert account.explanation == GROUNDS[ground]


def test_a_hole_before_the_last_run_is_no_end() -> None:
    """The instant after it is on record: max_runs were not used up by then."""
    followed = Evidence(is_followed=True)
    completed = account_for(job_factory(**USED_UP), after(240), followed, now=NOW)
    cancelled = account_for(job_factory(**STOPPED), after(-60), followed, now=NOW)

    assert completed.verdict is Verdict.UNRECORDED
    assert cancelled.verdict is Verdict.UNRECORDED


def test_a_run_on_record_is_the_answer() -> None:
    """A later change of the job does not alter a recorded run."""
    run = attempt_factory(due_at=after(-7200))
    account = account_for(job_factory(**CANCELLED), after(-7200), Evidence(run=run), now=NOW)

    assert (account.verdict, account.record) == (Verdict.RUN, run)


@pytest.mark.parametrize(
    ("fields", "at", "verdict"),
    [
        pytest.param({}, -3060.001, Verdict.NOT_NAMED, id="inside-not-named"),
        pytest.param({}, -3120, Verdict.GAP, id="inside"),
        pytest.param({}, -3540, Verdict.GAP, id="first"),
        pytest.param({}, -3060, Verdict.GAP, id="last"),
        pytest.param({}, -3000, Verdict.UNRECORDED, id="behind"),
        pytest.param({}, -3600, Verdict.BEFORE_JOB, id="before"),
        pytest.param({"anchored_at": after(-60)}, -3100.5, Verdict.GAP, id="of-a-lost-schedule"),
    ],
)
def test_a_gap_answers_for_its_instants(
    fields: dict[str, Any], at: float, verdict: Verdict
) -> None:
    """And for no other between its ends, as long as the schedule is known."""
    gap = gap_factory(first=after(-3540), last=after(-3060))
    account = account_for(job_factory(**fields), after(at), Evidence(gap=gap), now=NOW)

    assert account.verdict is verdict
    assert (account.record == gap) is (verdict is Verdict.GAP)


@pytest.mark.parametrize(
    ("at", "verdict"),
    [
        pytest.param(-3540, Verdict.GAP, id="one of its instants"),
        pytest.param(-3500, Verdict.BEFORE_JOB, id="none of them"),
    ],
)
def test_a_gap_answers_by_what_named_it(at: float, verdict: Verdict) -> None:
    """Also when the job has another schedule by now."""
    naming = Naming(schedule=EVERY_MINUTE, anchored_at=after(-3600))
    gap = gap_factory(first=after(-3540), last=after(-3060), naming=naming)
    job = job_factory(anchored_at=after(-60))

    assert account_for(job, after(at), Evidence(gap=gap), now=NOW).verdict is verdict
