"""Damaged records: their neighbours go on, a person hears of it, and a repair is enough."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
    lease_factory,
    running,
)
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.planning.roll_ahead import NEAR
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Malformed, Throttled
from timegate.domain.values.identity import JobId
from timegate.usecases.operations.bury_message import bury_message

NEIGHBOUR = job_id("neighbour")


def planned(world: World, job: JobId) -> int:
    """Count the runs of a job."""
    return sum(attempt.id.run.job_id == job for attempt in world.attempts())


def with_neighbour(world: World, **fields: object) -> World:
    """Two minutely jobs in one bucket, the first perhaps not quite sound."""
    world.add_job(**{"schedule": MINUTELY, "anchored_at": after(-3600), **fields})
    world.add_job(job_id=NEIGHBOUR, schedule=MINUTELY, anchored_at=after(-3600))
    return world


def test_an_unreadable_job_holds_up_neither_its_neighbours_nor_its_shard() -> None:
    """It leaves its bucket, the watermark goes on, and it is counted each time it is met."""
    world = with_neighbour(World())
    world.tables.damaged.add((TENANT, JOB_ID))
    world.tick()
    world.clock.advance(420)
    tick = world.tick()

    assert (planned(world, JOB_ID), planned(world, NEIGHBOUR)) == (0, 18)
    assert tick is not None
    assert tick.watermark == after(300)
    assert world.telemetry.counts["RecordsUnreadable"] == 1
    assert world.telemetry.named("job_unreadable")[0].fields["until"] == after(1200)


def test_a_repaired_job_is_planned_from_where_it_stood() -> None:
    """No instant is lost, and none runs twice: it was put off, not moved on."""
    world = with_neighbour(World())
    world.tables.damaged.add((TENANT, JOB_ID))
    for _ in range(25):
        world.tick()
        world.clock.advance(60)
    world.tables.damaged.clear()
    for _ in range(11):
        world.tick()
        world.clock.advance(60)
    due, neighbours = (
        [each.due_at for each in world.attempts() if each.id.run.job_id == job]
        for job in (JOB_ID, NEIGHBOUR)
    )

    assert due == [after(60 * minute) for minute in range(len(due))]
    # The last tick came a minute ago; the two ripen at ticks of their own.
    ripe_until = world.clock.now() + NEAR - timedelta(minutes=1)
    assert [at for at in due if at <= ripe_until] == [at for at in neighbours if at <= ripe_until]
    assert due[-1] >= ripe_until
    assert 3 <= world.telemetry.counts["RecordsUnreadable"] <= 4


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(Schedule(kind=ScheduleKind.CRON, cron="every day"), id="no-pattern"),
        pytest.param(
            Schedule(kind=ScheduleKind.CRON, cron="* * * * *", timezone="Mars/Olympus"),
            id="no-zone",
        ),
    ],
)
def test_a_job_that_reads_well_and_cannot_be_planned_is_put_off_too(schedule: Schedule) -> None:
    """A time zone may be withdrawn years after the job was created."""
    world = with_neighbour(World(), schedule=schedule)
    world.tick()

    assert (planned(world, JOB_ID), planned(world, NEIGHBOUR)) == (0, 11)
    assert world.telemetry.counts["RecordsUnreadable"] == 1
    assert world.jobs.get(TENANT, JOB_ID).timing.next_run_at == NOW


def test_a_store_that_refuses_damages_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Throttling is no damage: the tick fails, and the next one does all of it."""
    world = with_neighbour(World())

    monkeypatch.setattr(world.runs, "plan_all", Mock(side_effect=Throttled("Too much.")))
    with pytest.raises(Throttled):
        world.tick()

    assert world.telemetry.counts["RecordsUnreadable"] == 0
    assert {at for _, at in world.tables.due.values()} == {NOW}


def lost(job: JobId) -> Attempt:
    """A run whose message vanished."""
    return attempt_factory(id=attempt_id(job=job))


@pytest.mark.parametrize("what", ["attempt", "job"])
def test_an_unreadable_run_is_left_until_it_is_repaired(what: str) -> None:
    """Its neighbour is published; it is looked at every ten minutes, and then published too."""
    world = with_neighbour(World())
    damaged = lost(JOB_ID)
    world.runs.insert_all([damaged, lost(NEIGHBOUR)])
    world.read_images = len(world.tables.images)
    world.tables.damaged.add((TENANT, damaged.id if what == "attempt" else JOB_ID))
    for at in (90, 150, 210):
        world.clock.set(after(at))
        world.sweep()
    world.stream()
    before = [each.message.attempt.run.job_id for each in world.publisher.sent]
    counted = world.telemetry.counts["RecordsUnreadable"]
    world.tables.damaged.clear()
    for at in (689, 690):
        world.clock.set(after(at))
        world.sweep()
    world.stream()

    assert set(before) == {NEIGHBOUR}
    assert counted == 1
    assert JOB_ID in [each.message.attempt.run.job_id for each in world.publisher.sent]


def test_a_run_is_not_judged_without_its_jobs_retry_policy() -> None:
    """It outlived its timeout while its job was unreadable: what follows is that job's decision."""
    world = with_neighbour(World())
    lease = lease_factory(expires_at=after(500), deadline_at=after(30))
    world.runs.insert_all([replace(running(lease=lease), watch_at=after(40))])
    world.tables.damaged.add((TENANT, JOB_ID))
    world.clock.set(after(60))
    world.sweep()
    state = world.states()[0]
    world.tables.damaged.clear()
    world.clock.set(after(660))
    world.sweep()

    assert state is RunState.RUNNING
    assert world.states() == [RunState.QUEUED]


@pytest.mark.parametrize("what", ["attempt", "job", "schedule"])
def test_an_executor_executes_around_an_unreadable_run(what: str) -> None:
    """Its message comes back, and so ends among the dead letters; its neighbour succeeds."""
    schedule = (
        Schedule(kind=ScheduleKind.CRON, cron="every day") if what == "schedule" else MINUTELY
    )
    world = with_neighbour(World(), schedule=schedule, version=2)
    attempts = [lost(JOB_ID), lost(NEIGHBOUR)]
    world.runs.insert_all(attempts)
    if what != "schedule":
        world.tables.damaged.add((TENANT, attempts[0].id if what == "attempt" else JOB_ID))
    messages = [delivery(RunMessage.of(each), n) for n, each in enumerate(attempts)]
    again = world.execute(messages)

    assert again == {"message-0"}
    assert sorted(world.states()) == [RunState.QUEUED, RunState.SUCCEEDED]
    assert world.telemetry.counts["RecordsUnreadable"] == 1
    assert [hidden.receipt for hidden in world.inbox.hidden] == ["receipt-0"]
    (told,) = world.telemetry.named("run_unreadable")
    # A record that cannot be read tells no trace.
    assert told.fields.get("trace_id") == (None if what == "attempt" else attempts[0].trace_id)


def test_a_message_of_an_unreadable_run_is_malformed() -> None:
    """Its dead-letter queue hands it to an operator."""
    world = with_neighbour(World())
    attempt = lost(JOB_ID)
    world.runs.insert_all([attempt])
    world.tables.damaged.add((TENANT, attempt.id))

    with pytest.raises(Malformed):
        bury_message(RunMessage.of(attempt), world.runs, world.telemetry, now=NOW)


def test_a_caught_up_run_whose_message_is_lost_is_found() -> None:
    """Due an hour ago, stored now: the sweeper has long passed the minute in which it was due."""
    world = World()
    world.tick()
    world.sweep()
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=after(60))
    world.clock.advance(3600)
    world.sweep()
    world.publisher.refusing.add("normal-short")
    world.tick()
    world.stream()
    world.publisher.refusing.clear()
    sent = len(world.publisher.sent)
    for _ in range(3):
        world.clock.advance(60)
        world.sweep()
        world.stream()
    found = {each.message.attempt for each in world.publisher.sent}

    assert sent == 0
    assert found >= {each.id for each in world.attempts() if each.due_at <= after(3600)}
