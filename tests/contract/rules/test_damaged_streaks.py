"""A streak whose record cannot be read: the other streaks of its tenant begin and end beside it."""

from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
)
from tests.support.ruling import looking_on, rule_factory
from tests.support.stores.contract_stores import Stores
from tests.support.stores.corrupt_record import write
from timegate.adapters.dynamo.tenants.rules.streak_items import streak_key
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import StreakCondition, When
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import JobId, job_id_from
from timegate.ports.rules import DamagedStreak
from timegate.ports.telemetry import service_events
from timegate.usecases.rules.look_at_rules import look_at_rules

DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
RULE = rule_factory(when=When(failures_in_a_row=1, recovered=True))
DAMAGED, SOUND = JOB_ID, job_id_from(b"a job beside it")


def look(stores: Stores, *, at: float) -> MemoryTelemetry:
    """Make a look; returns what it reported."""
    telemetry = MemoryTelemetry()
    looking = looking_on(stores, telemetry, MemoryClock(after(at)))
    assert look_at_rules([TENANT], looking) == [True]
    return telemetry


def add_run(stores: Stores, job_id: JobId, seconds: float, state: RunState) -> None:
    """A run that ended so long after the beginning."""
    ended = attempt_factory(
        id=attempt_id(job=job_id, scheduled_at=after(seconds)),
        state=state,
        ended_at=after(seconds),
        watch_at=None,
    )
    stores.add(ended)


def its_id(job_id: JobId) -> StreakId:
    """The id of the job's streak of failures."""
    return StreakId(rule_id=RULE.rule_id, condition=StreakCondition.FAILURES, job_id=job_id)


def state_of(stores: Stores, job_id: JobId) -> str:
    """Say how the job's streak is on record."""
    match stores.rules.streaks(TENANT, [its_id(job_id)], now=NOW).get(its_id(job_id)):
        case None:
            return "none"
        case Streak() as streak:
            return "open" if streak.is_open else "ended"
        case DamagedStreak():
            return "damaged"


def damage(stores: Stores) -> None:
    """Let one job's streak say something that no reader understands."""
    key = streak_key(TENANT, its_id(DAMAGED))
    write(stores, key, DAMAGED, "told_at", "x")


def ruled(stores: Stores) -> None:
    """Two jobs that recur, under a rule."""
    for job_id in (DAMAGED, SOUND):
        stores.jobs.create(job_factory(job_id=job_id, schedule=DAILY))
    stores.rules.put_rule(RULE, expected_version=None, now=NOW)


def damage_reported(telemetry: MemoryTelemetry) -> list[str]:
    """Return what was told of unreadable rules."""
    told = telemetry.named(service_events.RULES_UNREADABLE)
    return [str(event.fields["detail"]) for event in told]


def test_a_streak_ends_beside_one_that_cannot_be_read(stores: Stores) -> None:
    ruled(stores)
    for job_id in (DAMAGED, SOUND):
        add_run(stores, job_id, 10, RunState.FAILED)
    look(stores, at=60)
    assert (state_of(stores, DAMAGED), state_of(stores, SOUND)) == ("open", "open")
    damage(stores)
    for job_id in (DAMAGED, SOUND):
        add_run(stores, job_id, 100, RunState.SUCCEEDED)

    reported = damage_reported(look(stores, at=120))

    assert (state_of(stores, DAMAGED), state_of(stores, SOUND)) == ("damaged", "ended")
    assert reported
    assert all(DAMAGED in detail and "told_at" in detail for detail in reported)


def test_a_streak_begins_beside_one_that_cannot_be_read(stores: Stores) -> None:
    """The unreadable one is told of neither again nor anew: its record stays as it is."""
    ruled(stores)
    add_run(stores, DAMAGED, 10, RunState.FAILED)
    look(stores, at=60)
    damage(stores)
    for job_id in (DAMAGED, SOUND):
        add_run(stores, job_id, 100, RunState.FAILED)

    reported = damage_reported(look(stores, at=120))

    assert (state_of(stores, DAMAGED), state_of(stores, SOUND)) == ("damaged", "open")
    assert reported
