"""Freezes through planner, stream, executor and sweeper, on tables in memory."""

import pytest

from tests.support.api import api_services
from tests.support.execution.restricting import (
    ALL,
    JOB,
    LATEST,
    MINUTELY,
    RULES,
    SKIP,
    a_world,
    closed,
    ending,
    freeze,
    ledger,
    live,
    put,
)
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    job_id,
)
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.runs.run import RunState
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job


@pytest.mark.parametrize(
    ("thaw", "frozen"),
    [
        pytest.param(SKIP, [(20, 59, "frozen")], id="skip"),
        pytest.param(LATEST, [(20, 58, "frozen"), (59, 59, "succeeded")], id="latest"),
        pytest.param(ALL, [(n, n, "succeeded") for n in range(20, 60)], id="all"),
        pytest.param(JOB, [(20, 57, "frozen")] + [(n, n, "succeeded") for n in (58, 59)], id="job"),
    ],
)
def test_a_freeze_holds_back_what_was_not_planned(
    thaw: ThawPolicy, frozen: list[tuple[float, float, str]]
) -> None:
    """Known before it begins; when it ends its thaw policy decides, and what runs, runs then."""
    world = a_world(catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=2))
    freeze(world, 1200, 3600, thaw)
    live(world, 3900)

    before = [(n, n, "succeeded") for n in range(1, 20)]
    after_it = [(n, n, "succeeded") for n in range(60, 64)]
    assert ledger(world)[: 19 + len(frozen) + 4] == before + frozen + after_it
    late = {a.started_at for a in world.attempts() if after(1200) <= a.id.run.scheduled_at}
    assert min(at for at in late if at is not None) == after(3600)


@pytest.mark.parametrize(
    ("thaw", "ends"),
    [
        pytest.param(SKIP, ["frozen"] * 10, id="skip"),
        pytest.param(LATEST, ["frozen"] * 10, id="latest"),
        pytest.param(ALL, ["succeeded"] * 10, id="all"),
        pytest.param(JOB, ["frozen"] * 10, id="job"),
    ],
)
def test_a_freeze_holds_back_what_was_planned_before(thaw: ThawPolicy, ends: list[str]) -> None:
    """Judged when it is due, and again when the freeze has ended: the latest came later."""
    world = a_world(catch_up=CatchUp(policy=CatchUpPolicy.LATEST))
    world.tick()
    freeze(world, 1, 3600, thaw)
    live(world, 3900)

    assert [end for *_, end in ledger(world)][:10] == ends
    starts = {a.started_at for a in world.attempts() if a.id.run.scheduled_at < after(3600)}
    assert starts - {None} <= {after(3600)}


@pytest.mark.parametrize("thaw", [SKIP, LATEST])
def test_what_a_calendar_leaves_out_is_excluded_in_a_freeze_as_well(thaw: ThawPolicy) -> None:
    """Planned before or not: it would not have run without the freeze either."""
    world = a_world(calendars=RULES)
    put(world, closed(1000, 1100))
    world.tick()
    put(world, closed(170, 1100))
    freeze(world, 1, 1200, thaw)
    live(world, 1260)
    ends = {first: end for first, _, end in ledger(world)}

    assert [ends[n] for n in (1, 2)] == ["frozen"] * 2
    assert {end for first, end in ends.items() if 3 <= first <= 18} == {"excluded"}


def test_the_latest_may_have_been_planned_before() -> None:
    """A job that is due once in a freeze runs after it."""
    hourly = Schedule(kind=ScheduleKind.RATE, every_seconds=3600)
    world = a_world(schedule=hourly, anchored_at=after(-3300), next_run_at=after(300))
    world.tick()
    freeze(world, 1, 3000, LATEST)
    live(world, 3120)

    (run,) = world.attempts()
    assert (run.state, run.started_at, run.due_at) == (
        *(RunState.SUCCEEDED, after(3000)),
        after(3000),
    )


def test_what_is_lifted_thaws_at_once() -> None:
    """The planner sees it at its next tick, the sweeper within ten minutes."""
    world = a_world()
    world.tick()
    made = freeze(world, 1, 86_400, LATEST)
    live(world, 1830)
    world.restrictions.lift_freeze(TENANT, made.freeze_id, now=after(1830))
    live(world, 2700)

    found = ledger(world)
    assert [end for first, _, end in found if first >= 31][:10] == ["succeeded"] * 10
    assert [row for row in found if row[0] <= 30][-1] == (30, 30, "succeeded")
    assert {end for first, _, end in found if first < 30} == {"frozen"}


def test_a_job_that_is_frozen_costs_a_write_a_look_ahead() -> None:
    """It stays where every tick looks, and is moved on when its bucket is about to pass."""
    world = a_world()
    freeze(world, 0, 86_400, SKIP)
    live(world, 3600)

    assert len(world.telemetry.named("job_parked")) <= 7
    assert ledger(world) == []
    assert world.tables.jobs[TENANT, JOB_ID].timing.next_run_at == after(60)


def test_a_trigger_is_frozen_too() -> None:
    """It runs when the freeze has ended; with skip it does not run at all."""
    for thaw, end in ((LATEST, "succeeded"), (SKIP, "frozen")):
        world = a_world(schedule=Schedule(kind=ScheduleKind.AT, at=after(86_400)))
        freeze(world, -1, 1800, thaw)
        trigger_job(Triggering(tenant=TENANT, job_id=JOB_ID), api_services(world), now=NOW)
        live(world, 1900)
        (run,) = world.attempts()

        assert ending(run) == end


@pytest.mark.parametrize(
    ("kind", "value", "is_frozen"),
    [
        pytest.param(FreezeKind.TAG, "team=ops", True, id="its-tag"),
        pytest.param(FreezeKind.TAG, "team=dev", False, id="another-tag"),
        pytest.param(FreezeKind.JOB, JOB_ID, True, id="it"),
        pytest.param(FreezeKind.JOB, job_id("other"), False, id="another-job"),
    ],
)
def test_a_freeze_stops_whom_it_names(kind: FreezeKind, value: str, is_frozen: bool) -> None:
    """And no other job of the tenant."""
    world = a_world(tags={"team": "ops"})
    freeze(world, 0, 3600, SKIP, scope=FreezeScope(kind=kind, value=value))
    live(world, 240)

    assert (world.attempts() == []) is is_frozen


def test_a_pause_within_a_freeze_is_a_pause() -> None:
    """Instants during the pause are recorded as paused; the freeze changes no stored pause."""
    world = a_world()
    services, ref = api_services(world), JobRef(tenant=TENANT, job_id=JOB_ID)
    freeze(world, 0, 1200, LATEST)
    live(world, 300)
    pause_job(ref, services, now=after(300))
    live(world, 1800)
    assert world.tables.jobs[TENANT, JOB_ID].timing.status is JobStatus.PAUSED
    resume_job(ref, services, now=after(1800))
    live(world, 2000)

    found = ledger(world)
    assert found[0] == (1, 30, "paused")
    assert found[1] == (31, 31, "succeeded")


def test_a_resumption_within_a_freeze_waits_for_itsending() -> None:
    """From now on, and frozen."""
    world = a_world()
    services, ref = api_services(world), JobRef(tenant=TENANT, job_id=JOB_ID)
    pause_job(ref, services, now=after(30))
    freeze(world, 0, 1200, SKIP)
    live(world, 300)
    resume_job(ref, services, now=after(330))
    live(world, 1320)

    assert ledger(world)[:3] == [(1, 5, "paused"), (6, 19, "frozen"), (20, 20, "succeeded")]


def test_a_job_that_is_cancelled_while_frozen_is_cancelled() -> None:
    """Instants held back by then never thaw, under any policy."""
    world = a_world()
    world.tick()
    freeze(world, 61, 3600, ALL)
    live(world, 900)
    cancel_job(JobRef(tenant=TENANT, job_id=JOB_ID), api_services(world), now=after(900))
    live(world, 4000)

    found = ledger(world)
    assert found[0] == (1, 1, "succeeded")
    assert {end for *_, end in found[1:]} == {"job_cancelled"}


def test_a_frozen_run_holds_up_no_other() -> None:
    """A job that shares its slots goes on."""
    overlap = Overlap(policy=OverlapPolicy.QUEUE, concurrency_key="line")
    world = a_world(overlap=overlap, tags={"team": "ops"})
    other = job_id("other")
    world.add_job(
        job_id=other,
        schedule=MINUTELY,
        anchored_at=NOW,
        next_run_at=after(60),
        overlap=overlap,
    )
    world.tick()
    freeze(world, 1, 3600, ALL, scope=FreezeScope(kind=FreezeKind.TAG, value="team"))
    live(world, 600)

    ends = [a.state for a in world.attempts() if a.id.run.job_id == other]
    assert ends[:8] == [RunState.SUCCEEDED] * 8


def test_an_old_message_does_not_begin_a_run_that_was_put_off() -> None:
    """It was published for another moment; the run has another message."""
    world = a_world()
    world.tick()
    world.stream()
    world.clock.set(after(60))
    first = world.receive()[0]
    freeze(world, 30, 400, ALL)
    world.execute([first])
    world.restrictions.lift_freeze(
        TENANT, world.tables.in_force[TENANT].freezes[0].freeze_id, now=after(60)
    )
    world.execute([first])

    run = world.attempts()[0]
    assert (run.state, run.due_at) == (RunState.QUEUED, after(400))
