"""Pausing, resuming and cancelling many jobs: each once, however often a step is repeated."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.api import api_services
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, job_id
from tests.support.operations.started_operations import (
    AGAIN,
    EVERYTHING,
    OPS,
    REQUEST,
    add_jobs,
    member,
    operation_factory,
    start,
    statuses,
    stored,
    team_of_five,
)
from tests.support.stores.sound import sound_gaps
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.operations.operation import (
    MAX_ERRORS,
    BulkChange,
    ItemError,
    OperationKind,
    OperationStatus,
    Tally,
    with_errors,
)
from timegate.domain.operations.operation_filter import OperationFilter
from timegate.domain.values.errors import (
    IdempotencyConflict,
    OperationIsFinished,
    OperationNotFound,
)
from timegate.domain.values.identity import OperationId
from timegate.domain.values.instants import MILLISECOND
from timegate.usecases.operations.read_operations import (
    cancel_operation,
    list_operations,
    read_operation,
)
from timegate.usecases.operations.start_operation import start_operation

PAUSE, RESUME, CANCEL = OperationKind.PAUSE, OperationKind.RESUME, OperationKind.CANCEL


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return team_of_five(monkeypatch)


def test_every_job_that_matches_is_changed(world: World) -> None:
    """Step by step, each step's write being the event of the next."""
    operation = start(world, PAUSE)
    shown = world.operate()
    done = stored(world, operation)

    assert statuses(world) == [JobStatus.PAUSED] * 5 + [JobStatus.ACTIVE]
    assert done.status is OperationStatus.SUCCEEDED
    assert done.tally == Tally(matched=5, done=5)
    # The table ends a full page before it knows that nothing follows.
    assert (done.step, done.watch_at, done.cursor) == (4, None, None)
    assert done.ended_at == done.updated_at
    assert shown == 5


def test_a_change_is_the_one_a_caller_would_make(world: World) -> None:
    """Versions, ledgers, and the runs that the next tick would miss."""
    start(world, PAUSE)
    world.operate()
    world.clock.set(after(600))
    start(world, RESUME, request=AGAIN)
    world.operate()
    resumed = member(world, 3)
    (gap,) = sound_gaps(world.jobs.gaps(TENANT, resumed.job_id, since=after(-3600), limit=9))
    runs = [a.id.run for a in world.attempts() if a.id.run.job_id == resumed.job_id]

    assert resumed.timing.version == 3
    assert (gap.reason.value, gap.count, gap.first) == ("paused", 11, NOW)
    assert runs[0].scheduled_at == after(660)


def test_resuming_may_catch_up(world: World) -> None:
    """Each job's policy settles the missed instants, and no gap is written."""
    start(world, PAUSE)
    world.operate()
    world.clock.set(after(600))
    start(world, RESUME, replace(OPS, catch_up=True), AGAIN)
    world.operate()

    assert world.jobs.gaps(TENANT, job_id("job 3"), since=after(-3600), limit=9) == ()
    assert min(a.id.run.scheduled_at for a in world.attempts()) == NOW


def test_what_is_so_already_counts_as_unchanged(world: World) -> None:
    """Also what has ended and cannot be paused any more."""
    ended = {1: JobStatus.PAUSED, 2: JobStatus.CANCELLED, 3: JobStatus.COMPLETED}
    for number, status in ended.items():
        before = member(world, number)
        world.tables.put_job(replace(before, timing=replace(before.timing, status=status)))
    operation = start(world, PAUSE)
    world.operate()

    assert stored(world, operation).tally == Tally(matched=5, done=2, unchanged=3)
    assert stored(world, operation).status is OperationStatus.SUCCEEDED
    assert [member(world, n).timing.status for n in ended] == [*ended.values()]


def test_cancelling_ends_them_for_good(world: World) -> None:
    """Everything of the tenant, if that is what is asked for; nothing of another's."""
    other = world.add_job(tenant=OTHER_TENANT, tags={"team": "ops"})
    start(world, CANCEL, EVERYTHING)
    world.operate()

    assert statuses(world) == [JobStatus.CANCELLED] * 6
    assert world.jobs.get(OTHER_TENANT, other.job_id) == other


@pytest.mark.parametrize(
    ("created_at", "status"),
    [(NOW, JobStatus.PAUSED), (NOW + MILLISECOND, JobStatus.ACTIVE)],
    ids=["with it", "after it"],
)
def test_jobs_that_come_after_the_operation_are_none_of_its_business(
    world: World, created_at: datetime, status: JobStatus
) -> None:
    """The caller means the jobs there are."""
    start(world, PAUSE)
    world.add_job(job_id=job_id("late"), created_at=created_at, tags={"team": "ops"})
    world.operate()

    assert world.jobs.get(TENANT, job_id("late")).timing.status is status


def test_it_begins_when_the_index_shows_what_was_created_just_before(world: World) -> None:
    """Two seconds after it was asked for."""
    start(world, PAUSE)
    world.operate(steps=1)

    assert world.clock.now() == after(2)


def test_errors_are_a_sample() -> None:
    """The first ones; all of them are counted."""
    errors = [ItemError(item=str(n), code="job_changed", detail="") for n in range(15)]
    twice = with_errors(with_errors(operation_factory(), errors), errors)

    assert len(twice.errors) == MAX_ERRORS
    assert twice.errors[:15] == tuple(errors)


def test_cancelling_stops_it_between_two_steps(world: World) -> None:
    """Finished steps stay done and counted; a second request changes nothing."""
    operation, services = start(world, PAUSE), api_services(world)
    world.operate(steps=2)
    asked = cancel_operation(TENANT, operation.operation_id, services)
    world.operate()
    done = stored(world, operation)
    again = cancel_operation(TENANT, operation.operation_id, services)

    assert (asked.status, asked.cancel_requested) == (OperationStatus.RUNNING, True)
    assert (done.status, done.tally) == (OperationStatus.CANCELLED, Tally(matched=3, done=3))
    assert again == done


def test_what_has_ended_cannot_be_cancelled(world: World) -> None:
    """And what does not exist cannot either."""
    operation, services = start(world, PAUSE), api_services(world)
    world.operate()

    with pytest.raises(OperationIsFinished, match="succeeded"):
        cancel_operation(TENANT, operation.operation_id, services)
    with pytest.raises(OperationNotFound):
        cancel_operation(OTHER_TENANT, operation.operation_id, services)
    with pytest.raises(OperationNotFound):
        read_operation(TENANT, OperationId("nothing"), services)


def test_the_same_request_is_the_same_operation(world: World) -> None:
    """Under its key; with another body it is a conflict; without a key it is another one."""
    first, again = start(world, PAUSE), start(world, PAUSE)
    keyless = replace(REQUEST, idempotency_key=None)
    services = api_services(world)
    others = [start_operation(keyless, PAUSE, OPS, services, now=NOW) for _ in range(2)]

    assert again == first
    assert len({first.operation_id, *(each.operation.operation_id for each in others)}) == 3
    with pytest.raises(IdempotencyConflict):
        start(world, PAUSE, request=replace(REQUEST, hash="another"))


def test_operations_are_listed_newest_first(world: World) -> None:
    """With who asked for them."""
    first = start(world, PAUSE)
    world.clock.advance(1)
    second = start(world, RESUME, request=replace(AGAIN, caller="a person"))
    page = list_operations(TENANT, OperationFilter(), api_services(world), limit=9, cursor=None)

    assert [each.operation_id for each in page.rows] == [second.operation_id, first.operation_id]
    assert [each.created_by for each in page.rows] == ["a person", "ci"]


def test_a_filter_is_all_of_its_parts() -> None:
    """Not any of them."""
    world = World()
    add_jobs(world, 2)
    kind = BulkChange(jobs=JobFilter(tags=(("team", "ops"), ("stage", "prod"))))
    operation = start(world, PAUSE, kind)
    world.operate()

    assert stored(world, operation).tally == Tally()
    assert stored(world, operation).status is OperationStatus.SUCCEEDED
