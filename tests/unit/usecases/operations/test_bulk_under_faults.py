"""Bulk changes while processes die, events are lost and stores refuse."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.factories import OTHER_TENANT, TENANT, job_id
from tests.support.operations.started_operations import (
    AGAIN,
    EVERYTHING,
    member,
    ref,
    start,
    statuses,
    stored,
    team_of_five,
)
from tests.support.world import World
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.operations.operation import (
    OperationKind,
    OperationStatus,
    Tally,
)
from timegate.domain.values.errors import (
    JobChanged,
    Malformed,
    Throttled,
)
from timegate.ports.operations.operation_store import OperationRef
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.operations.read_operations import cancel_operation
from timegate.usecases.operations.work_operations import work_operations

PAUSE, RESUME, CANCEL = OperationKind.PAUSE, OperationKind.RESUME, OperationKind.CANCEL


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return team_of_five(monkeypatch)


def dies_in(store: object, name: str, call: int, *, before: bool) -> None:
    """The process is gone in the n-th call of a method, before or after it took effect."""
    method: Callable[..., Any] = getattr(store, name)
    calls = 0

    def dying(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever it takes
        nonlocal calls
        calls += 1
        if calls == call and before:
            raise KeyboardInterrupt
        answer = method(*args, **kwargs)
        if calls == call:
            raise KeyboardInterrupt
        return answer

    setattr(store, name, dying)


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize(
    ("store", "method", "call"),
    [
        ("jobs", "update", 1),
        ("jobs", "update", 2),
        ("jobs", "update", 4),
        ("operations", "advance", 2),
    ],
    ids=str,
)
def test_a_step_that_died_is_repeated_and_counts_once(
    world: World, store: str, method: str, call: int, *, before: bool
) -> None:
    """Jobs know which operation changed them last."""
    operation = start(world, PAUSE)
    dies_in(getattr(world, store), method, call, before=before)
    with pytest.raises(KeyboardInterrupt):
        world.operate()
    # The stream shows the record again.
    world.read_operations -= 1
    world.operate()

    assert [member(world, n).timing.version for n in range(5)] == [2] * 5
    assert stored(world, operation).tally == Tally(matched=5, done=5)


def test_a_repeated_step_undoes_no_later_change(world: World) -> None:
    """A job that was resumed between a death and the repetition stays resumed."""
    operation = start(world, PAUSE)
    dies_in(world.operations, "advance", 1, before=True)
    with pytest.raises(KeyboardInterrupt):
        world.operate()
    changed = JobRef(tenant=TENANT, job_id=job_id("job 4"))
    resume_job(changed, api_services(world), now=world.clock.now())
    world.read_operations -= 1
    world.operate()

    assert member(world, 4).timing.status is JobStatus.ACTIVE
    assert stored(world, operation).tally == Tally(matched=5, done=5)


def test_duplicates_and_late_records_change_nothing(world: World) -> None:
    """A step is decided by one conditional write, and an ended operation makes none."""
    operation = start(world, PAUSE)
    for _ in range(9):
        work_operations([ref(operation)] * 3, world.operating)
    done = stored(world, operation)
    world.operate()

    assert done.tally == Tally(matched=5, done=5)
    assert stored(world, operation) == done
    assert work_operations(
        [OperationRef(tenant=OTHER_TENANT, id=done.operation_id)], world.operating
    ) == [True]


def test_of_two_who_make_the_same_step_one_does(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one's counts are forgotten with its write."""
    operation = start(world, PAUSE)
    slow = stored(world, operation)
    work_operations([ref(operation)], world.operating)
    with monkeypatch.context() as patch:
        patch.setattr(world.operations, "get", lambda *_: slow)
        work_operations([ref(operation)], world.operating)

    assert stored(world, operation).tally == Tally(matched=1, done=1)
    assert [event.fields["stored"] for event in world.telemetry.named("operation_stepped")] == [
        True,
        False,
    ]


def test_a_throttle_is_reported_and_the_neighbour_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream brings the record again; another operation of the batch has made its step."""
    operation, other = start(world, PAUSE), start(world, CANCEL, EVERYTHING, AGAIN)
    listed = world.jobs.list_jobs

    def throttled(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the store's
        monkeypatch.setattr(world.jobs, "list_jobs", listed)
        raise Throttled

    monkeypatch.setattr(world.jobs, "list_jobs", throttled)
    done = work_operations([ref(operation), ref(other), ref(operation)], world.operating)

    assert done == [False, True, False]
    assert (stored(world, operation).step, stored(world, other).step) == (0, 1)


def test_a_job_that_keeps_changing_is_an_error_and_stops_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operation ends as failed and says which, and why."""
    update = world.jobs.update

    def contended(before: Job, after_: Job, **more: Any) -> None:  # noqa: ANN401 - as the store's
        if before.job_id == job_id("job 2"):
            raise JobChanged(before.job_id)
        update(before, after_, **more)

    monkeypatch.setattr(world.jobs, "update", contended)
    operation = start(world, PAUSE)
    world.operate()
    done = stored(world, operation)

    assert (done.status, done.tally) == (OperationStatus.FAILED, Tally(matched=5, done=4, failed=1))
    assert [(error.item, error.code) for error in done.errors] == [(job_id("job 2"), "job_changed")]


def test_a_cancel_that_comes_during_a_step_is_not_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step counts what it did, and is the last."""
    operation, services = start(world, PAUSE), api_services(world)
    listed = world.jobs.list_jobs

    def meanwhile(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the store's
        cancel_operation(TENANT, operation.operation_id, services)
        return listed(*args, **kwargs)

    monkeypatch.setattr(world.jobs, "list_jobs", meanwhile)
    world.operate()
    done = stored(world, operation)

    assert (done.status, done.tally) == (OperationStatus.CANCELLED, Tally(matched=1, done=1))
    assert statuses(world).count(JobStatus.PAUSED) == 1


@pytest.mark.parametrize(
    ("seconds", "shown", "stalled"),
    [(119.9, 0, 0), (120, 1, 0), (300, 1, 0), (300.1, 1, 1)],
    ids=["before", "two minutes", "five minutes", "later"],
)
def test_one_that_stands_still_is_picked_up_by_the_sweeper(
    world: World, seconds: float, shown: int, stalled: int
) -> None:
    """Its event was lost: the sweeper's touch is another one. Five minutes are worth an alarm."""
    operation = start(world, PAUSE)
    world.read_operations = 1
    world.clock.advance(seconds)
    world.sweep()

    assert world.operate(steps=1) == shown
    assert world.telemetry.counts["OperationsStalled"] == stalled
    world.operate()
    assert stored(world, operation).is_running is (shown == 0)


def test_an_unreadable_record_holds_up_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the operator nor the sweeper, who tells people of it each time."""
    operation = start(world, PAUSE)

    def damaged(*_: Any, **__: Any) -> Any:  # noqa: ANN401 - as the store's
        message = "the item is no operation"
        raise Malformed(message)

    monkeypatch.setattr(world.operations, "get", damaged)
    monkeypatch.setattr(world.operations, "touch", damaged)
    done = work_operations([ref(operation)], world.operating)
    world.clock.advance(120)
    swept = world.sweep()

    assert done == [True]
    assert swept is not None
    assert world.telemetry.counts["OperationsStalled"] == 1
    assert len(world.telemetry.named("operation_unreadable")) == 2


def test_a_touch_is_repeated_until_an_operator_makes_a_step(world: World) -> None:
    """Every two minutes, and not in between; an ended operation is left alone."""
    operation = start(world, PAUSE)
    for _ in range(10):
        world.clock.advance(60)
        world.sweep()
    touches = len(world.telemetry.named("operation_overdue"))
    world.operate()
    world.clock.advance(6000)
    world.sweep()

    assert touches == 5
    assert len(world.telemetry.named("operation_overdue")) == touches
    assert stored(world, operation).status is OperationStatus.SUCCEEDED
