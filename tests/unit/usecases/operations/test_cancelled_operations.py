"""Cancelled operations count all that they did, also in a step that died."""

import pytest

from tests.support.api import api_services
from tests.support.factories import EVERY_MINUTE, TENANT, after, job_id
from tests.support.operations.burying import dead_factory
from tests.support.operations.started_operations import (
    REQUEST,
    add_jobs,
    start,
    start_filling,
    stored,
)
from tests.support.world import World
from tests.unit.usecases.operations.test_bulk_under_faults import dies_in
from tests.unit.usecases.operations.test_settling import waiting
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.operations.operation import (
    Operation,
    OperationKind,
    OperationStatus,
    Settlement,
    Tally,
)
from timegate.usecases.operations.read_operations import cancel_operation
from timegate.usecases.operations.start_operation import start_operation


def test_what_a_step_did_before_it_died_counts_in_a_cancelled_operation() -> None:
    """Two jobs are paused, and a caller cancels before the step is repeated."""
    world = World()
    add_jobs(world, 2)
    operation = start(world, OperationKind.PAUSE)
    dies_in(world.operations, "advance", 1, before=True)
    with pytest.raises(KeyboardInterrupt):
        world.operate()
    cancel_operation(TENANT, operation.operation_id, api_services(world))
    world.operate()
    done = stored(world, operation)

    assert world.jobs.get(TENANT, job_id("job 0")).timing.status is JobStatus.PAUSED
    assert (done.status, done.tally) == (OperationStatus.CANCELLED, Tally(matched=2, done=2))


@pytest.mark.parametrize("ahead", [True, False], ids=["before its write", "after its write"])
def test_a_backfill_that_is_cancelled_during_a_step_begins_nothing(*, ahead: bool) -> None:
    """The caller was answered; the next step drops what this one chose."""
    world = World()
    world.add_job(schedule=EVERY_MINUTE, anchored_at=after(-3600), next_run_at=after(60))
    operation = start_filling(world)
    advance = world.operations.advance

    def cancelled(read: Operation, made: Operation) -> bool:
        world.operations.advance = advance  # type: ignore[method-assign]
        won = False if ahead else advance(read, made)
        cancel_operation(TENANT, operation.operation_id, api_services(world))
        return advance(read, made) if ahead else won

    world.operations.advance = cancelled  # type: ignore[assignment, method-assign]
    world.operate()
    done = stored(world, operation)

    assert world.attempts() == []
    assert (done.status, done.tally.done, done.opened) == (OperationStatus.CANCELLED, 0, ())


@pytest.mark.parametrize(("call", "settled"), [(1, 0), (2, 2)])
def test_what_a_step_settled_before_it_died_counts_in_a_cancelled_operation(
    call: int, settled: int
) -> None:
    """The first step chooses, the second one settles; a caller cancels before it is repeated."""
    world = World()
    world.add_job(next_run_at=None)
    for number in range(2):
        world.tables.put_attempt(dead_factory(-60 - number))
    everything = Settlement(letters=DeadLetterFilter())
    services = api_services(world)
    operation = start_operation(
        REQUEST, OperationKind.DISCARD, everything, services, now=world.clock.now()
    ).operation
    dies_in(world.operations, "advance", call, before=True)
    with pytest.raises(KeyboardInterrupt):
        world.operate()
    cancel_operation(TENANT, operation.operation_id, api_services(world))
    world.read_operations -= 1
    world.operate()
    done = stored(world, operation)

    assert len(waiting(world)) == 2 - settled
    assert (done.status, done.tally) == (
        OperationStatus.CANCELLED,
        Tally(matched=settled, done=settled),
    )
