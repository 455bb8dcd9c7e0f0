"""One-shots whose run is stored before their job: creators die, are slow, and meet others."""

from collections.abc import Callable, Iterator
from operator import attrgetter

import pytest

from tests.support.api import api_services
from tests.support.factories import NOW, TENANT, after
from tests.support.stores.records import JOBS_TABLE, Records
from tests.support.world import World
from timegate.adapters.dynamo.tables.writes import Insert, Write, WriteResult
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.jobs.job import JobStatus
from timegate.domain.ledger.explanations import explain_run
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.errors import IdempotencyConflict, JobBarred, Throttled
from timegate.domain.values.identity import JobId, job_id_for_key
from timegate.domain.values.tenant import TenantId
from timegate.usecases.jobs.create_job import Created, CreateJobRequest, create_job

KEY = "k1"
#: The id that the key names first.
FIRST = job_id_for_key(TENANT, KEY)
AT_ONCE = Schedule(kind=ScheduleKind.IMMEDIATE)
SOON = Schedule(kind=ScheduleKind.AT, at=after(100))


class Died(Exception):
    """The process ended here."""


class BetweenTheTwo(MemoryEngine):
    """An engine on which something may happen after a run, and before its job."""

    def __init__(self) -> None:
        super().__init__()
        self.happens: list[Callable[[], object]] = []

    def write(self, write: Write) -> WriteResult:
        """Write one item."""
        is_job = isinstance(write, Insert) and write.table == JOBS_TABLE
        if is_job and self.happens:
            self.happens.pop()()
        return super().write(write)


@pytest.fixture
def world() -> World:
    """Everything, over such an engine."""
    return World(tables=Records(BetweenTheTwo()))


def between(world: World, happens: Callable[[], object]) -> None:
    """Let this happen once between the next run and its job."""
    engine = world.tables.engine
    assert isinstance(engine, BetweenTheTwo)
    engine.happens.append(happens)


def die() -> None:
    raise Died


def create(
    world: World,
    schedule: Schedule = AT_ONCE,
    *,
    body: str = "h1",
    seconds: float = 0,
) -> Created:
    """Create a one-shot so many seconds after ``NOW``; the key's body is recognised."""
    world.clock.set(after(seconds))
    now = world.clock.now()
    stamp = Stamp(subject="ci", operation="createJob", request_id="r", at=now, source_ip="::1")
    definition = JobDefinition(
        name="report",
        schedule=schedule,
        action=WebhookAction(url="https://hooks.example.com/report"),
    )
    request = CreateJobRequest(tenant=TENANT, hash=body, idempotency_key=KEY)
    with world.tables.trail.on_behalf_of(stamp):
        return create_job(request, definition, api_services(world), now=now)


def die_between(world: World, schedule: Schedule = AT_ONCE) -> Attempt:
    """A creator stores its run, and dies; the run."""
    between(world, die)
    with pytest.raises(Died):
        create(world, schedule)
    (orphan,) = world.attempts()
    return orphan


def ends(world: World) -> Iterator[tuple[RunState, Reason | None]]:
    """State and reason of each attempt, by instant."""
    for each in sorted(world.attempts(), key=lambda one: one.id.run.scheduled_at):
        yield each.state, each.reason


ORPHAN = (RunState.SKIPPED, Reason.SUPERSEDED)
DONE = (RunState.SUCCEEDED, None)


def test_a_run_does_not_begin_before_its_job_is_there(world: World) -> None:
    """Its message is dropped; the run waits for the sweeper."""
    die_between(world, SOON)
    world.clock.set(after(100))
    world.settle()

    assert world.states() == [RunState.QUEUED]
    assert world.target.calls == []


@pytest.mark.parametrize(
    ("schedule", "looked_at"), [(AT_ONCE, 10), (SOON, 160)], ids=["at-once", "soon"]
)
def test_the_sweeper_ends_a_run_whose_creator_died(
    world: World, schedule: Schedule, looked_at: float
) -> None:
    """It bars the creator before, and nothing follows the end."""
    die_between(world, schedule)
    world.clock.set(after(looked_at))
    world.sweep()
    world.settle()

    assert [*ends(world)] == [ORPHAN]
    assert world.attempts()[0].watch_at is None
    assert world.target.calls == []
    with pytest.raises(JobBarred):
        world.jobs.get(TENANT, FIRST)


def test_a_sweeper_that_dies_after_it_barred_ends_the_run_at_its_next_look(world: World) -> None:
    """A creator may be barred twice."""
    die_between(world)
    assert world.runs.bar_creation(TENANT, FIRST)
    world.clock.set(after(70))
    world.sweep()

    assert [*ends(world)] == [ORPHAN]


def test_a_creator_that_is_slow_is_told_to_repeat(world: World) -> None:
    """Its repetition creates the job under another id of the same key, and that one runs."""

    def sweep_late() -> None:
        world.clock.set(after(30))
        world.sweep()

    between(world, sweep_late)
    with pytest.raises(Throttled):
        create(world)
    again = create(world, seconds=31)
    world.settle()

    assert again.job.job_id == job_id_for_key(TENANT, KEY, 1)
    assert create(world, seconds=32) == Created(
        job=world.jobs.get(TENANT, again.job.job_id), replayed=True
    )
    assert [*ends(world)] == [ORPHAN, DONE]
    assert len(world.target.calls) == 1


def test_a_sweeper_that_comes_too_late_to_bar_leaves_the_run_to_its_job(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is there when it bars. Its next look publishes the run."""
    die_between(world)
    bar = world.runs.bar_creation

    def bar_late(tenant: TenantId, job_id: JobId) -> bool:
        world.add_job(job_id=job_id)
        return bar(tenant, job_id)

    world.clock.set(after(10))
    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "bar_creation", bar_late)
        world.sweep()
    before = world.states()
    world.sweep()
    world.settle()

    assert (before, world.states()) == ([RunState.QUEUED], [RunState.SUCCEEDED])


def test_a_repetition_stores_a_run_of_its_own(world: World) -> None:
    """It has the key's first id; the run of the creator that died never begins."""
    die_between(world)
    again = create(world, seconds=1)
    world.settle()
    world.clock.set(after(70))
    world.sweep()
    world.settle()

    assert (again.job.job_id, again.replayed) == (FIRST, False)
    assert [*ends(world)] == [ORPHAN, DONE]
    assert len(world.target.calls) == 1
    assert world.jobs.get(TENANT, FIRST).timing.status is JobStatus.COMPLETED


def test_a_repetition_that_meets_its_own_instant_takes_another_id(world: World) -> None:
    """The run of the creator that died is in the way. That creator is barred: it may be slow."""
    die_between(world, SOON)
    again = create(world, SOON, seconds=1)
    world.clock.set(after(160))
    world.settle()
    world.sweep()

    assert again.job.job_id == job_id_for_key(TENANT, KEY, 1)
    assert sorted(ends(world)) == sorted([ORPHAN, DONE])
    assert len(world.target.calls) == 1


def test_of_two_requests_at_once_one_stores_the_job(world: World) -> None:
    """The other one's run is none of the job's: it never begins, and completes nothing."""
    between(world, lambda: create(world, seconds=1))
    lost = create(world)
    world.clock.set(after(70))
    world.sweep()
    world.stream()
    at = attrgetter("created_at")
    stray, own = sorted(world.attempts(), key=at)
    received = world.receive()
    world.execute([each for each in received if each.message.attempt == stray.id])
    world.stream()
    before = world.jobs.get(TENANT, FIRST).timing.status
    world.execute([each for each in received if each.message.attempt == own.id])

    assert (lost.replayed, lost.job.timing.created_at) == (True, after(1))
    assert before is JobStatus.ACTIVE
    assert [*ends(world)] == [ORPHAN, DONE]
    assert [call.attempt for call in world.target.calls] == [own.id]
    assert "the job's creation was repeated" in explain_run(min(world.attempts(), key=at))


def test_another_body_under_the_key_is_a_conflict(world: World) -> None:
    """Also where both requests have stored a run."""
    between(world, lambda: create(world, seconds=1))

    with pytest.raises(IdempotencyConflict):
        create(world, body="another")


def test_of_two_bodies_in_one_millisecond_one_runs(world: World) -> None:
    """They name two instants; the job's own schedule tells which is its own."""
    five, six = (Schedule(kind=ScheduleKind.DELAY, delay_seconds=each) for each in (5, 6))
    between(world, lambda: create(world, six))
    with pytest.raises(IdempotencyConflict):
        create(world, five, body="another")
    world.clock.set(after(6))
    world.settle()

    assert [*ends(world)] == [ORPHAN, DONE]
    assert len(world.target.calls) == 1


@pytest.mark.parametrize("state", [RunState.CANCELLED, RunState.DEAD_LETTERED])
def test_whatever_ends_the_run_bars_its_creator(world: World, state: RunState) -> None:
    """A job whose run has ended before it would stay active for ever."""
    orphan = die_between(world)
    assert world.runs.replace(orphan, end(orphan, state, now=NOW, reason=Reason.CANCEL_REQUESTED))
    world.stream()

    with pytest.raises(JobBarred):
        world.jobs.get(TENANT, FIRST)
    assert world.attempts()[0].watch_at is None


def test_a_run_that_was_ended_between_the_two_completes_its_job(world: World) -> None:
    """Its creator came before outcomes."""

    def cancel() -> None:
        (run,) = world.attempts()
        ended = end(run, RunState.CANCELLED, now=NOW, reason=Reason.CANCEL_REQUESTED)
        assert world.runs.replace(run, ended)

    between(world, cancel)
    create(world)
    world.stream()

    assert world.jobs.get(TENANT, FIRST).timing.status is JobStatus.COMPLETED
