"""A job of each kind, and a world in which the auditor looks on."""

from tests.support.execution.restricting import live
from tests.support.factories import JOB_ID, NOW, TENANT, after, timing_factory
from tests.support.world import World
from timegate.domain.auditing.audit import OVERDUE_AFTER, SETTLED_AFTER
from timegate.domain.auditing.audit_cursor import CHECK_EVERY
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.recurrence.schedule import ONCE as ONCE_KINDS
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.runs.run import Attempt

#: Between two ticks of the auditor.
TICK_SECONDS = 300
#: The promise of docs/concepts/ledger.md for a job that the auditor knows.
REPORTED_WITHIN = (CHECK_EVERY + SETTLED_AFTER).total_seconds() + TICK_SECONDS
#: And for one that no planner comes to.
OVERDUE_WITHIN = OVERDUE_AFTER.total_seconds() + CHECK_EVERY.total_seconds() + TICK_SECONDS
#: One schedule of each kind, with an instant within the first two minutes.
SAMPLES = {
    ScheduleKind.IMMEDIATE: Schedule(kind=ScheduleKind.IMMEDIATE),
    ScheduleKind.AT: Schedule(kind=ScheduleKind.AT, at=after(120)),
    ScheduleKind.DELAY: Schedule(kind=ScheduleKind.DELAY, delay_seconds=90),
    ScheduleKind.CRON: Schedule(kind=ScheduleKind.CRON, cron="* * * * *"),
    ScheduleKind.RATE: Schedule(kind=ScheduleKind.RATE, every_seconds=60),
    ScheduleKind.RRULE: as_written(
        Schedule(kind=ScheduleKind.RRULE, rrule="FREQ=MINUTELY", starts_at=after(60))
    ),
    ScheduleKind.MANUAL: Schedule(kind=ScheduleKind.MANUAL),
    ScheduleKind.UNION: Schedule(
        kind=ScheduleKind.UNION,
        any_of=(
            Schedule(kind=ScheduleKind.CRON, cron="*/2 * * * *"),
            Schedule(kind=ScheduleKind.RATE, every_seconds=90),
        ),
    ),
}
ONCE = [SAMPLES[kind] for kind in SAMPLES if kind in ONCE_KINDS]
RECURRING = [schedule for schedule in SAMPLES.values() if schedule.is_recurring]
#: They fire once in the time of a test.
RARE = [
    Schedule(kind=ScheduleKind.CRON, cron="2 7 21 11 *"),
    Schedule(kind=ScheduleKind.RATE, every_seconds=90 * 86_400, starts_at=after(120)),
]


def world_with(schedule: Schedule, **fields: object) -> World:
    """A world with one job, created now; a planner was there before it."""
    world = World()
    world.tick()
    given = {"created_at": NOW, "anchored_at": NOW, "schedule": schedule}
    first = opening_fire(timing_factory(**given), now=NOW)
    world.add_job(**given, **fields, updated_at=NOW, next_run_at=first)
    return world


def live_audited(world: World, until: float) -> None:
    """Go on to ``until``, in seconds after ``NOW``; the auditor looks every five minutes."""
    while world.clock.now() < after(until):
        now = (world.clock.now() - NOW).total_seconds()
        live(world, min(now + TICK_SECONDS, until))
        world.audit(owner=f"auditor-{now}")


def codes(world: World) -> list[str]:
    """The codes of all findings so far, each once, in order of appearance."""
    events = world.telemetry.named("audit_finding")
    return list(dict.fromkeys(str(event.fields["code"]) for event in events))


def runs(world: World) -> list[Attempt]:
    """The job's runs, in order."""
    return world.attempts()


def lose_gap(world: World, gap: Gap) -> None:
    """Delete the record of a gap."""
    world.tables.drop_gap(gap)


def lose_job(world: World) -> None:
    """Delete the job's item, and with it its places in all indexes."""
    del world.tables.jobs[TENANT, JOB_ID]


def lose_index(world: World) -> None:
    """Delete what shows the job to planners."""
    world.tables.hide_job(TENANT, JOB_ID)
