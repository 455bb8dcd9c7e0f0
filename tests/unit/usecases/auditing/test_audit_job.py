"""One check of the auditor: where it begins, and what it may count."""

from dataclasses import replace
from datetime import timedelta

from tests.support.auditing.audited import SAMPLES, live_audited, world_with
from tests.support.auditing.auditors import RETENTION
from tests.support.execution.executing import MINUTELY
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState

DAILY = Schedule(kind=ScheduleKind.CRON, cron="0 7 * * *")


def test_what_has_expired_is_no_loss() -> None:
    """Nothing is said about instants whose records are not kept any more."""
    world = World()
    old = NOW - 2 * RETENTION
    world.add_job(schedule=DAILY, anchored_at=old, created_at=old, next_run_at=after(86_400))
    found = world.audit()

    assert (found.instants, found.unaccounted) == (RETENTION.days - 1, RETENTION.days - 1)


def test_a_bounded_job_whose_first_records_have_expired_is_not_counted() -> None:
    """Expired runs leave fewer than ``max_runs`` on record, which is no finding."""
    world = World()
    old = NOW - 2 * RETENTION
    world.add_job(
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=86_400, max_runs=40),
        anchored_at=old,
        created_at=old,
        updated_at=NOW,
        next_run_at=None,
        runs_begun=40,
        full=True,
        status=JobStatus.COMPLETED,
    )
    world.runs.insert_all(
        [
            attempt_factory(due_at=old + timedelta(days=n), state=RunState.SUCCEEDED)
            for n in range(41)
        ]
    )

    assert world.audit().unaccounted == 0


def test_a_revived_job_is_checked_again() -> None:
    """Its cursor was finished; an edit gave it another schedule."""
    world = world_with(SAMPLES[ScheduleKind.DELAY])
    live_audited(world, 600)
    assert world.tables.audit_finished.keys() == {(TENANT, JOB_ID)}
    job = world.tables.jobs[TENANT, JOB_ID]
    now = world.clock.now()
    timing = replace(
        job.timing,
        schedule=MINUTELY,
        anchored_at=now,
        version=job.timing.version + 1,
        status=JobStatus.ACTIVE,
        next_run_at=now + timedelta(minutes=1),
    )
    world.jobs.update(job, replace(job, timing=timing, updated_at=now))
    live_audited(world, 2400)

    assert world.tables.audit_live[TENANT, JOB_ID].version == timing.version
    assert world.telemetry.counts["InstantsAudited"] > 10
    assert world.telemetry.named("audit_finding") == []
