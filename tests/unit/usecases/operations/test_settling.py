"""Settling one dead letter: what its run becomes, and that it happens once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_id, job_factory
from tests.support.operations.burying import dead_factory
from tests.support.world import World
from timegate.domain.jobs.definition import UNSET, Unset
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.checkpoint import Checkpoint
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import (
    InvalidInput,
    JobIsCancelled,
    JobIsPaused,
    NotDeadLettered,
    RunNotFound,
    Throttled,
)
from timegate.domain.values.identity import Origin
from timegate.domain.values.payload import MAX_INLINE_BYTES, MAX_PAYLOAD_BYTES, Payload
from timegate.usecases.operations.redrive_run import redrive_run
from timegate.usecases.operations.settle_dead_letter import SettleRequest, settle_dead_letter

BROKEN = Failure(kind=FailureKind.PERMANENT, code="http_400", type="HttpStatus", message="no")


@pytest.fixture
def world() -> World:
    """A job at its third version, and a run of it that was given up at its first."""
    world = World()
    world.add_job(version=3, priority=Priority.HIGH, payload=Payload(inline="1", size_bytes=1))
    world.tables.put_attempt(dead_factory(-5))
    return world


def wish(settled: Settled = Settled.REDRIVEN, **fields: Any) -> SettleRequest:  # noqa: ANN401
    """Return a caller's request to settle the run."""
    asked = SettleRequest(tenant=TENANT, run=dead_factory(-5).id.run, settled=settled, by="ann")
    return replace(asked, **fields)


def redrive(
    world: World,
    corrected: str | Unset | None = UNSET,
    **fields: Any,  # noqa: ANN401 - the dataclass checks them
) -> tuple[Attempt, ...]:
    """Redrive it now, as the API does."""
    now, services = world.clock.now(), api_services(world)
    return redrive_run(wish(**fields), corrected, services, now=now).attempts


def waiting(world: World) -> list[Attempt]:
    """The dead letters there are."""
    found = world.dead_letters.list_dead_letters(TENANT, DeadLetterFilter(), limit=99, cursor=None)
    return list(found.rows)


def test_a_redriven_run_is_a_new_attempt_under_the_job_s_present_version(world: World) -> None:
    """Due now, published at once, with the whole retry policy before it; its fence goes on."""
    dead, opened = redrive(world, note="target is back")

    assert (opened.id.number, opened.job_version, opened.due_at) == (2, 3, world.clock.now())
    assert (opened.priority, opened.fence, opened.tries) == (Priority.HIGH, 3, 1)
    assert world.attempts() == [dead, opened]
    assert [sent.message.attempt for sent in world.publisher.sent] == [opened.id]
    assert waiting(world) == []


def test_the_audit_says_who_when_and_what_changed(world: World) -> None:
    """On the attempt that was given up, which is otherwise as it was."""
    before = world.attempts()[0]
    dead, _ = redrive(world, "2", note="typo")

    assert replace(dead, resolution=None) == before
    assert dead.resolution is not None
    assert (dead.resolution.settled, dead.resolution.by) == (Settled.REDRIVEN, "ann")
    assert (dead.resolution.at, dead.resolution.note) == (world.clock.now(), "typo")
    assert (dead.resolution.job_version, dead.resolution.payload_corrected) == (3, True)
    (event,) = world.telemetry.named("run_redriven")
    assert (event.fields["by"], event.fields["tenant_id"]) == ("ann", TENANT)
    assert world.telemetry.counts["RunsRedriven"] == 1


def test_a_corrected_payload_is_for_this_run_alone(world: World) -> None:
    """And for its retries; the job keeps its own."""
    world.target.then(Failure(kind=FailureKind.RETRYABLE, code="http_503", type="x", message="m"))
    redrive(world, '{"fixed":true}')
    world.settle()
    world.add_job(job_id=JOB_ID)

    assert [call.payload for call in world.target.calls] == ['{"fixed":true}'] * 2
    assert world.jobs.get(TENANT, JOB_ID).payload.inline == "1"
    assert world.states() == [RunState.DEAD_LETTERED, RunState.FAILED, RunState.SUCCEEDED]


@pytest.mark.parametrize(
    ("corrected", "sent"),
    [(UNSET, "1"), (None, None), ("0", "0")],
    ids=["not corrected", "removed", "replaced"],
)
def test_what_the_target_is_given(
    world: World, corrected: str | Unset | None, sent: str | None
) -> None:
    """No payload is another correction than none."""
    redrive(world, corrected)
    world.settle()

    assert [call.payload for call in world.target.calls] == [sent]


@pytest.mark.parametrize(
    ("size", "inline"), [(MAX_INLINE_BYTES, True), (MAX_INLINE_BYTES + 1, False)], ids=str
)
def test_a_large_correction_is_kept_by_reference(world: World, size: int, *, inline: bool) -> None:
    """A record is billed whole with each write."""
    text = f'"{"x" * (size - 2)}"'
    _, opened = redrive(world, text)
    world.settle()

    assert opened.payload is not None
    assert (opened.payload.inline is not None, opened.payload.size_bytes) == (inline, size)
    assert [call.payload for call in world.target.calls] == [text]


def test_a_correction_that_no_run_may_have_changes_nothing(world: World) -> None:
    """It is refused before anything is written."""
    with pytest.raises(InvalidInput):
        redrive(world, f'"{"x" * MAX_PAYLOAD_BYTES}"')

    assert len(world.attempts()) == len(waiting(world)) == 1
    assert world.blobs.blobs == {}


def test_a_correction_stays_with_the_run(world: World) -> None:
    """A second redrive goes on with it, unless it brings another one."""
    world.target.then(BROKEN, BROKEN)
    world.jobs.update(
        world.jobs.get(TENANT, JOB_ID), job_factory(version=4, payload=Payload(inline="9"))
    )
    redrive(world, "2")
    world.settle()
    again = replace(world.attempts()[-1], state=RunState.DEAD_LETTERED)
    world.tables.put_attempt(again)
    redrive(world)
    world.settle()

    assert [call.payload for call in world.target.calls] == ["2", "2"]


@pytest.mark.parametrize(
    ("status", "origin", "error"),
    [
        (JobStatus.CANCELLED, Origin.SCHEDULE, JobIsCancelled),
        (JobStatus.CANCELLED, Origin.TRIGGER, JobIsCancelled),
        (JobStatus.PAUSED, Origin.SCHEDULE, JobIsPaused),
        (JobStatus.PAUSED, Origin.TRIGGER, None),
        (JobStatus.COMPLETED, Origin.SCHEDULE, None),
    ],
    ids=str,
)
def test_what_its_job_would_not_run_is_not_redriven(
    status: JobStatus, origin: Origin, error: type[Exception] | None
) -> None:
    """It would end before it began; the dead letter waits until the job is resumed."""
    world = World()
    world.add_job(status=status, next_run_at=None)
    dead = dead_factory(id=attempt_id(origin=origin))
    world.tables.put_attempt(dead)
    asked = wish(run=dead.id.run)
    if error is None:
        redrive_run(asked, UNSET, api_services(world), now=world.clock.now())
        world.settle()
    else:
        with pytest.raises(error):
            redrive_run(asked, UNSET, api_services(world), now=world.clock.now())

    assert world.states()[-1] is (RunState.SUCCEEDED if error is None else RunState.DEAD_LETTERED)
    assert len(waiting(world)) == (0 if error is None else 1)


def test_a_discarded_one_is_not_run_again(world: World) -> None:
    """Also when its job is cancelled; its record says who let it rest."""
    world.tables.put_job(job_factory(status=JobStatus.CANCELLED))
    (dead,) = settle_dead_letter(
        wish(Settled.DISCARDED, note="obsolete"), api_services(world), now=after(1)
    )
    world.settle()

    assert dead.resolution is not None
    assert (dead.resolution.settled, dead.resolution.note) == (Settled.DISCARDED, "obsolete")
    assert (waiting(world), world.target.calls) == ([], [])
    assert world.telemetry.counts["DeadLettersDiscarded"] == 1


@pytest.mark.parametrize("settled", Settled, ids=str)
def test_a_settled_one_is_settled_once(world: World, settled: Settled) -> None:
    """Two redrives are one attempt; the second learns what the first did."""
    redrive(world)
    with pytest.raises(NotDeadLettered, match="queued"):
        settle_dead_letter(wish(settled), api_services(world), now=world.clock.now())
    world.settle()

    assert world.states() == [RunState.DEAD_LETTERED, RunState.SUCCEEDED]


def test_a_discarded_one_says_so(world: World) -> None:
    """To a caller that would redrive it."""
    settle_dead_letter(wish(Settled.DISCARDED), api_services(world), now=after(1))

    with pytest.raises(NotDeadLettered, match="discarded"):
        redrive(world, "2")


@pytest.mark.parametrize("fresh", [False, True], ids=["goes on", "begins anew"])
def test_a_redriven_run_goes_on_at_its_checkpoint(world: World, *, fresh: bool) -> None:
    """Unless it is to begin anew: what it had done may be what was wrong."""
    checkpoint = Checkpoint(sequence=4, inline="4", size_bytes=1, written_at=NOW, fence=3)
    world.tables.put_attempt(replace(world.attempts()[0], checkpoint=checkpoint))
    dead, opened = redrive(world, fresh=fresh)

    assert opened.checkpoint == (None if fresh else checkpoint)
    assert dead.resolution is not None
    assert dead.resolution.fresh is fresh


def test_what_is_not_there_is_not_settled(world: World) -> None:
    """Nor what another tenant has."""
    with pytest.raises(RunNotFound):
        redrive(world, run=attempt_id(scheduled_at=after(99)).run)


def test_a_final_run_that_is_settled_completes_nothing(world: World) -> None:
    """Its end was followed up; its record is written once more, and is no other end."""
    final = dead_factory(-7, final=True)
    world.tables.put_attempt(final)
    world.stream()
    world.tables.put_job(job_factory(version=9, next_run_at=None))
    settle_dead_letter(wish(Settled.DISCARDED, run=final.id.run), api_services(world), now=after(1))
    world.stream()

    assert world.jobs.get(TENANT, JOB_ID).timing.status is JobStatus.ACTIVE


CALLS = [("runs", "attempts"), ("jobs", "get"), ("blobs", "put"), ("dead_letters", "settle")]


@pytest.mark.parametrize("fault", ["before", "after", "throttled", "unknown"])
@pytest.mark.parametrize(("store", "method"), [*CALLS, ("publisher", "publish_all")], ids=str)
def test_a_process_may_die_in_any_call(world: World, store: str, method: str, fault: str) -> None:
    """A repetition finds it done, or does it: one attempt, and no dead letter is left."""
    fails_once(getattr(world, store), method, fault)
    try:
        redrive(world, "2" * 2000)
        began = True
    except (KeyboardInterrupt, Throttled):
        began = False
    attempts, letters = len(world.attempts()), len(waiting(world))

    # Both or neither, whatever the caller has seen.
    assert (attempts, letters) in {(1, 1), (2, 0)}
    if letters:
        redrive(world, "2" * 2000)
    elif not began:
        with pytest.raises(NotDeadLettered):
            redrive(world)
    # The sweeper publishes the runs that were not published.
    world.clock.advance(600)
    world.sweep()
    world.settle()
    assert world.states() == [RunState.DEAD_LETTERED, RunState.SUCCEEDED]
    assert {call.payload for call in world.target.calls} == {"2" * 2000}
    assert waiting(world) == []


def fails_once(store: object, name: str, fault: str) -> None:
    """The first call dies before or after it took effect, or is refused or unanswered."""
    method: Callable[..., Any] = getattr(store, name)
    calls = 0

    def failing(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever it takes
        nonlocal calls
        calls += 1
        if calls > 1:
            return method(*args, **kwargs)
        if fault in {"after", "unknown"}:
            method(*args, **kwargs)
        raise KeyboardInterrupt if fault in {"before", "after"} else Throttled

    setattr(store, name, failing)
