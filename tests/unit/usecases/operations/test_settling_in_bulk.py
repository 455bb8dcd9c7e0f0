"""Settling many dead letters: each once, each counted once, at any death meanwhile."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, TENANT, after, attempt_id, job_id
from tests.support.operations.burying import dead_factory, resolution_factory
from tests.support.operations.started_operations import REQUEST, ref, stored
from tests.support.world import World
from tests.unit.usecases.operations.test_bulk_under_faults import dies_in
from tests.unit.usecases.operations.test_settling import waiting
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.operations.operation import (
    Operation,
    OperationKind,
    OperationStatus,
    Settlement,
    Tally,
)
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Malformed, Throttled
from timegate.domain.values.identity import RunId
from timegate.domain.values.payload import Payload
from timegate.usecases.operations.bulk import settle_in_bulk
from timegate.usecases.operations.read_operations import cancel_operation
from timegate.usecases.operations.start_operation import start_operation
from timegate.usecases.operations.work_operations import work_operations

REDRIVE, DISCARD = OperationKind.REDRIVE, OperationKind.DISCARD
EVERYTHING = Settlement(letters=DeadLetterFilter())
OTHER = job_id("other")
BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Five dead letters of a job and one of another; two a step."""
    monkeypatch.setattr(settle_in_bulk, "LETTERS_PER_STEP", 2)
    world = World()
    world.add_job(next_run_at=None)
    world.add_job(job_id=OTHER, next_run_at=None)
    for number in range(5):
        world.tables.put_attempt(dead_factory(-60 - number))
    world.tables.put_attempt(dead_factory(-50, job=OTHER))
    return world


def start(world: World, kind: OperationKind = REDRIVE, task: Settlement = EVERYTHING) -> Operation:
    """An operation, as the API starts it."""
    services = api_services(world)
    return start_operation(REQUEST, kind, task, services, now=world.clock.now()).operation


def attempts_per_run(world: World) -> dict[RunId, int]:
    """Return each run's number of attempts."""
    return {attempt.id.run: attempt.id.number for attempt in world.attempts()}


@pytest.mark.parametrize(
    ("task", "count"),
    [
        (EVERYTHING, 6),
        (Settlement(letters=DeadLetterFilter(job_id=OTHER)), 1),
        (Settlement(letters=DeadLetterFilter(start=after(-62), end=after(-60))), 3),
        (Settlement(letters=DeadLetterFilter(), runs=(dead_factory(-60).id.run,)), 1),
        (Settlement(letters=DeadLetterFilter(error_code="http_400")), 0),
    ],
    ids=["all", "of a job", "of a time", "by name", "none"],
)
def test_those_that_match_are_redriven(world: World, task: Settlement, count: int) -> None:
    """Each is tried once more; the others wait."""
    operation = start(world, task=task)
    world.settle()

    assert stored(world, operation).status is OperationStatus.SUCCEEDED
    assert stored(world, operation).tally == Tally(matched=count, done=count)
    assert world.states().count(RunState.SUCCEEDED) == count
    assert len(waiting(world)) == 6 - count


def test_those_that_match_are_discarded(world: World) -> None:
    """With who asked for it, and why."""
    operation = start(world, DISCARD, replace(EVERYTHING, note="obsolete"))
    world.settle()
    settled = [each.resolution for each in world.attempts() if each.resolution is not None]

    assert stored(world, operation).tally == Tally(matched=6, done=6)
    assert {(each.settled, each.by, each.note, each.operation) for each in settled} == {
        (Settled.DISCARDED, "ci", "obsolete", operation.operation_id)
    }
    assert (waiting(world), world.target.calls) == ([], [])


def test_a_correction_goes_to_each(world: World) -> None:
    """And to no other tenant's runs."""
    task = Settlement(letters=DeadLetterFilter(job_id=JOB_ID), payload=Payload(inline="7"))
    start(world, task=task)
    world.settle()

    assert [call.payload for call in world.target.calls] == ["7"] * 5


def test_the_stream_publishes_what_is_redriven(world: World) -> None:
    """The operator sends nothing itself, so nothing is sent twice."""
    start(world)
    world.operate()

    assert world.publisher.sent == []
    world.stream()
    assert len(world.publisher.sent) == 6


def test_progress_is_shown(world: World) -> None:
    """The next two runs are already chosen."""
    operation = start(world)
    world.operate(steps=2)
    under_way = stored(world, operation)

    assert (under_way.tally, len(under_way.chosen)) == (Tally(matched=2, done=2), 2)


def test_what_dies_again_is_another_dead_letter(world: World) -> None:
    """It would be redriven for ever: only those are meant that were there when it was asked for."""
    world.target.then(*[BROKEN] * 99)
    operation = start(world)
    world.clock.advance(3)
    for _ in range(20):
        world.settle()
        world.clock.advance(1000)
        world.sweep()

    assert stored(world, operation).tally == Tally(matched=6, done=6)
    assert len(waiting(world)) == 6
    assert set(attempts_per_run(world).values()) == {4}


def test_what_is_given_up_later_is_not_meant(world: World) -> None:
    """The caller has not seen it; what was given up at that very moment is."""
    world.tables.put_attempt(dead_factory(0, job=OTHER))
    operation, later = start(world), dead_factory(0.001)
    world.clock.advance(10)
    world.tables.put_attempt(later)
    world.settle()

    assert stored(world, operation).tally == Tally(matched=7, done=7)
    assert waiting(world) == [later]


def test_a_cancelled_job_is_an_error_and_stops_no_other(world: World) -> None:
    """The operation ends as failed, and says which and why."""
    job = world.jobs.get(TENANT, OTHER)
    world.tables.put_job(replace(job, timing=replace(job.timing, status=JobStatus.CANCELLED)))
    operation = start(world)
    world.settle()
    done = stored(world, operation)

    assert (done.status, done.tally) == (OperationStatus.FAILED, Tally(matched=6, done=5, failed=1))
    assert [(error.item.split(".")[0], error.code) for error in done.errors] == [
        (OTHER, "job_cancelled")
    ]
    assert len(waiting(world)) == 1


def test_an_unknown_run_is_an_error(world: World) -> None:
    """Named by a caller, or forgotten meanwhile."""
    unknown = attempt_id(scheduled_at=after(999)).run
    operation = start(world, task=Settlement(letters=DeadLetterFilter(), runs=(unknown,)))
    world.settle()

    assert [error.code for error in stored(world, operation).errors] == ["run_not_found"]


def test_a_damaged_record_is_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds up no other run."""
    attempts = world.runs.attempts

    def damaged(tenant: Any, run: RunId) -> Any:  # noqa: ANN401 - as the store's
        if run.job_id == OTHER:
            message = "the item is no attempt"
            raise Malformed(message)
        return attempts(tenant, run)

    monkeypatch.setattr(world.runs, "attempts", damaged)
    operation = start(world)
    world.settle()

    assert stored(world, operation).tally == Tally(matched=6, done=5, failed=1)


def test_a_dead_letter_that_another_settled_is_left_alone(world: World) -> None:
    """It was chosen, and is no dead letter any more when its turn comes."""
    operation, other = start(world), dead_factory(-50, job=OTHER)
    world.operate(steps=1)
    discarded = replace(other, resolution=resolution_factory(by="another"))
    world.dead_letters.settle(other, discarded, opened=None)
    world.settle()

    assert stored(world, operation).tally == Tally(matched=6, done=5, unchanged=1)


def test_a_cancelled_operation_settles_no_more(world: World) -> None:
    """Its settled runs stay settled."""
    operation = start(world)
    world.operate(steps=2)
    cancel_operation(TENANT, operation.operation_id, api_services(world))
    world.settle()
    done = stored(world, operation)

    assert (done.status, done.tally) == (OperationStatus.CANCELLED, Tally(matched=2, done=2))
    assert len(waiting(world)) == 4


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("call", [1, 2, 3, 6])
@pytest.mark.parametrize(
    ("store", "method"),
    [
        ("dead_letters", "settle"),
        ("dead_letters", "list_dead_letters"),
        ("runs", "attempts"),
        ("jobs", "get"),
        ("operations", "advance"),
    ],
    ids=str,
)
def test_a_step_that_died_is_repeated_and_counts_once(
    world: World, store: str, method: str, call: int, *, before: bool
) -> None:
    """A process that dies at any call leaves one more attempt per run and exact counts."""
    operation = start(world)
    dies_in(getattr(world, store), method, call, before=before)
    for _ in range(3):
        try:
            world.operate()
        except KeyboardInterrupt:
            # The stream shows the record again.
            world.read_operations -= 1
    world.settle()

    assert stored(world, operation).tally == Tally(matched=6, done=6)
    assert set(attempts_per_run(world).values()) == {2}
    assert waiting(world) == []


def test_a_repeated_step_does_not_redrive_what_died_again(world: World) -> None:
    """Between the death of a step and its repetition its runs may have run, and died."""
    world.target.then(*[BROKEN] * 3)
    operation = start(world, task=Settlement(letters=DeadLetterFilter(job_id=OTHER)))
    dies_in(world.operations, "advance", 2, before=True)
    with pytest.raises(KeyboardInterrupt):
        world.operate()
    for _ in range(4):
        world.stream()
        world.execute(world.receive())
        world.clock.advance(1000)
        world.sweep()
    again = [letter.id.number for letter in waiting(world) if letter.id.run.job_id == OTHER]
    world.read_operations = 0
    world.settle()

    assert again == [4]
    assert stored(world, operation).tally == Tally(matched=1, done=1)
    assert len(world.target.calls) == 3


def test_of_two_who_make_the_same_step_both_count_alike(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one whose write is refused, and the one whose every redrive came too late."""
    operation = start(world)
    world.operate(steps=1)
    slow = stored(world, operation)
    work_operations([ref(operation)], world.operating)
    with monkeypatch.context() as patch:
        patch.setattr(world.operations, "get", lambda *_: slow)
        patch.setattr(world.operations, "advance", lambda *_: False)
        work_operations([ref(operation)], world.operating)
    done = [event.fields["done"] for event in world.telemetry.named("operation_stepped")]

    assert done == [0, 2, 2]
    assert set(attempts_per_run(world).values()) == {1, 2}


def test_a_throttle_is_reported(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream brings the record again."""
    operation = start(world)
    world.operate(steps=1)
    with monkeypatch.context() as patch:
        patch.setattr(world.dead_letters, "settle", Mock(side_effect=Throttled))

        assert work_operations([ref(operation)], world.operating) == [False]
    world.settle()
    assert stored(world, operation).tally == Tally(matched=6, done=6)
