"""Offers that no worker comes for: the sweeper ends those that their job refuses."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.telling import documents, hook, run_all, telling
from tests.support.factories import EVERY_MINUTE, JOB_ID, TENANT
from tests.support.world import World
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.notification import Occasion
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
POOLED: dict[str, Any] = {
    "offer": Offer(pool="reports", handler="sales"),
    "action": WorkerAction(pool="reports", handler="sales"),
    "schedule": EVERY_MINUTE,
}


def change(world: World, how: str) -> None:
    """Change the job now."""
    services, now = api_services(world), world.clock.now()
    match how:
        case "cancel":
            cancel_job(REF, services, now=now)
        case "edit":
            hourly = Schedule(kind=ScheduleKind.CRON, cron="30 * * * *")
            update_job(REF, JobChanges(schedule=hourly), services, now=now)
        case "pause":
            pause_job(REF, services, now=now)


def swept(world: World, seconds: float) -> Attempt:
    """The run after so many seconds of looks; no worker comes."""
    until = world.clock.now().timestamp() + seconds
    while world.clock.now().timestamp() < until:
        world.clock.advance(12)
        world.look()
    (attempt,) = [each for each in world.attempts() if each.offer is not None]
    return attempt


@pytest.mark.parametrize(
    ("how", "state", "reason"),
    [
        ("cancel", RunState.CANCELLED, Reason.JOB_CANCELLED),
        ("edit", RunState.SKIPPED, Reason.SUPERSEDED),
    ],
)
def test_an_offer_that_its_job_refuses_ends(
    world: World, how: str, state: RunState, reason: Reason
) -> None:
    """A worker's claim would end it alike; the sweeper does a minute after it was due."""
    telling(world, hook(Occasion.CANCELLED), due=60, **POOLED)
    change(world, how)
    before, ended = swept(world, 108), swept(world, 24)

    assert before.state is RunState.QUEUED
    assert (ended.state, ended.reason) == (state, reason)
    assert ended.watch_at is None or ended.is_followed


def test_an_offer_that_is_refused_later_ends_within_ten_minutes(world: World) -> None:
    """The look that the sweeper takes at every offer finds that its job was cancelled since."""
    telling(world, hook(Occasion.CANCELLED), **POOLED)
    waits = swept(world, 3 * 3600)
    change(world, "cancel")
    ended = swept(world, 612)

    assert waits.state is RunState.QUEUED
    assert (ended.state, ended.reason) == (RunState.CANCELLED, Reason.JOB_CANCELLED)


def test_hooks_hear_of_the_end_and_not_that_it_is_late(world: World) -> None:
    """A cancelled run is late for no reader."""
    told = hook(Occasion.CANCELLED, Occasion.LATE)
    telling(world, told, late_after_seconds=60, **POOLED)
    change(world, "cancel")
    swept(world, 120)
    run_all(world)

    assert [each["type"] for each in documents(world)] == ["run.cancelled"]


@pytest.mark.parametrize("how", ["pause", "none"])
def test_an_offer_that_a_worker_may_begin_stays(world: World, how: str) -> None:
    """A pause ends, and a worker may come after it."""
    telling(world, hook(Occasion.CANCELLED), **POOLED)
    change(world, how)

    assert swept(world, 3600).state is RunState.QUEUED


def test_an_offer_whose_job_is_gone_ends(world: World) -> None:
    """Its job's record was erased."""
    job, _ = telling(world, hook(Occasion.CANCELLED), **POOLED)
    del world.tables.jobs[job.tenant, job.job_id]

    assert swept(world, 72).reason is Reason.SUPERSEDED


def test_a_claim_that_is_faster_wins(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look changes nothing then, and counts nothing."""
    _, attempt = telling(world, hook(Occasion.CANCELLED), **POOLED)
    change(world, "cancel")
    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "replace", lambda *_: False)
        swept(world, 72)

    assert replace(world.attempts()[0], watch_at=None) == replace(attempt, watch_at=None)
    assert world.telemetry.counts["RunsCancelled"] == 0
