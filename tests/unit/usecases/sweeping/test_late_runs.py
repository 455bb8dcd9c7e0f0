"""Late starts: hooks are told of runs that still wait, once and with the cause."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.support.auditing.asking import BUSY, CONDITION
from tests.support.execution.overlapping import Interrupted, Script, claimed, crash
from tests.support.execution.pacing import SIX_A_MINUTE
from tests.support.execution.restricting import ALL, freeze
from tests.support.execution.telling import documents, hook, notices, run_all, telling
from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.execution.restriction_check import PutOff, put_off
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.limits.overlap import Overlap, OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots
from timegate.domain.runs.finish import Lateness
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import QueueDepth
from timegate.ports.pools import WorkerSeen

OFFER = Offer(pool="reports", handler="sales")


class Loaded:
    """Queues that all have one load."""

    def __init__(self, load: QueueDepth) -> None:
        self._load = load

    def load(self, queue_key: str) -> QueueDepth:
        """Return it, whatever the queue."""
        return self._load


def late(world: World, seconds: int = 300, **fields: Any) -> tuple[Job, Attempt]:  # noqa: ANN401
    """A run whose job has late starts told to one hook."""
    return telling(world, hook(Occasion.LATE), late_after_seconds=seconds, **fields)


def swept(world: World, until: float, *, every: float = 12) -> None:
    """Let looks of the sweeper pass until then; no worker comes."""
    while world.clock.now() < after(until):
        world.clock.advance(every)
        world.look()


def causes(world: World) -> list[str]:
    """Deliver what was stored, and return the causes that the hook was sent."""
    run_all(world)
    return [each["run"]["explanation"] for each in documents(world)]


@pytest.mark.parametrize(("ms", "is_told"), [(300_000, False), (300_001, True)])
def test_a_waiting_run_is_late_after_its_jobs_time(world: World, ms: int, *, is_told: bool) -> None:
    """To the millisecond: the first look puts the next one there."""
    late(world)
    swept(world, 288)
    world.clock.set(after(ms / 1000))
    world.look()

    assert len(notices(world)) == int(is_told)


def test_a_run_without_a_worker_is_told_of_with_its_queues_state(world: World) -> None:
    """The document says that it has not begun, since when, and why."""
    late(world)
    swept(world, 312)
    (notice,) = notices(world)
    run_all(world)
    (document,) = documents(world)

    assert notice.created_at == after(312)
    assert (document["type"], document["at"]) == ("run.late", "2026-11-21T07:05:12.000Z")
    assert (document["run"]["started_at"], document["run"]["lateness_ms"]) == (None, 312_000)
    assert document["run"]["explanation"].startswith("It is queued, and ")


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (QueueDepth.READY, "other messages of its queue wait for a worker as well."),
        (QueueDepth.IN_FLIGHT, "is with a worker that has not settled it."),
        (QueueDepth.IDLE, "its queue is empty: the sweeper publishes it again."),
    ],
)
def test_the_cause_follows_the_queues_load(world: World, load: QueueDepth, words: str) -> None:
    """A backlog, a silent worker and a lost message are told apart."""
    late(world)
    world.backlog = Loaded(load)  # type: ignore[assignment]
    swept(world, 312)

    assert [each.endswith(words) for each in causes(world)] == [True]


@pytest.mark.parametrize(
    ("handlers", "words"),
    [
        (None, "and no worker asked that pool for runs in the last 5 minutes."),
        (("other",), "and none of the pool's workers does sales (1 seen)."),
        ((), "; workers that do sales asked lately (1 seen)."),
    ],
)
def test_a_pool_without_workers_is_the_cause(
    world: World, handlers: tuple[str, ...] | None, words: str
) -> None:
    """The notice comes at its instant, although offers are looked at every ten minutes."""
    late(world, offer=OFFER, action=WorkerAction(pool="reports", handler="sales"))
    if handlers is not None:
        seen = WorkerSeen(worker="w", seen_at=after(200), handlers=handlers)
        world.pools.greet(TENANT, "reports", seen)
    swept(world, 312)
    (notice,) = notices(world)

    assert notice.created_at == after(312)
    assert [each.endswith(words) for each in causes(world)] == [True]


def frozen(world: World, seconds: float = 3600) -> None:
    """A freeze of an hour begins before the run."""
    _, attempt = late(world)
    freeze(world, -60, seconds, ALL)
    assert claimed(world, attempt) is None


def frozen_shortly(world: World) -> None:
    """The freeze ends so soon that the run is in its queue."""
    frozen(world, 500)


def conditional(world: World) -> None:
    """A condition answers "not now", and is asked again after twenty minutes."""
    late(world, before=replace(CONDITION, every_seconds=1200, give_up_after_seconds=3600))
    world.target.then(BUSY)
    world.stream()
    world.execute(world.receive())


def overlapped(world: World) -> None:
    """Another run holds the only slot."""
    _, attempt = late(world, overlap=Overlap(policy=OverlapPolicy.QUEUE))
    key = SlotKey(tenant=TENANT, name=attempt.id.run.job_id)
    hold = SlotHold(attempt=attempt_id(scheduled_at=after(-60)), owner="another", fence=1)
    held = Slots(holders=(Holder(hold=hold, since=NOW, expires_at=after(900)),))
    world.slots.change(key, lambda _: (held, None), now=NOW)
    assert claimed(world, attempt) is None


def paced(world: World) -> None:
    """The rate limit's next turn is ten minutes away."""
    late(world, rate_limit=SIX_A_MINUTE)
    others = [attempt_factory(id=attempt_id(scheduled_at=after(-n))) for n in range(1, 61)]
    world.runs.insert_all([replace(each, due_at=each.id.run.scheduled_at) for each in others])
    world.stream()
    world.execute(world.receive())


@pytest.mark.parametrize(
    ("hold", "words"),
    [
        (frozen_shortly, "It was due during a freeze, and waits for that to end."),
        (frozen, "It was due during a freeze, and waits for that to end."),
        (conditional, "Its job's condition said not now, and is asked again when this is due."),
        (overlapped, "It was due, and waits for the slot of its job."),
        (paced, "It was due, and waits for its turn under a rate limit"),
    ],
)
def test_a_run_that_is_held_back_is_told_of_with_the_cause(
    world: World, hold: Callable[[World], None], words: str
) -> None:
    """Lateness counts from when it was due, not from where it was put off to."""
    hold(world)
    swept(world, 312)
    told = [each for each in notices(world) if "20261121T070000" in str(each.id.run)]

    assert [each.created_at for each in told] == [after(312)]
    assert [words in (each.notice or "") for each in told] == [True]


@pytest.mark.parametrize(("reason", "is_kept"), [(Reason.FROZEN, True), (Reason.EXCLUDED, False)])
def test_a_calendar_moves_the_instant_from_which_a_run_is_late(
    reason: Reason, *, is_kept: bool
) -> None:
    """The moment to which a calendar moves a run is the right one; a freeze keeps its own."""
    lateness = Lateness(since=NOW, look_at=after(300))
    wanted = PutOff(due_at=after(7200), reason=reason)
    later = put_off(attempt_factory(lateness=lateness), wanted, now=NOW)

    assert later.lateness == (lateness if is_kept else None)
    assert (later.watch_at == after(300)) is is_kept


def test_a_run_is_told_of_once(world: World) -> None:
    """Neither later looks nor the worker that begins it tell again, or try to."""
    late(world)
    swept(world, 312)
    inserted: list[int] = []
    insert_all = world.runs.insert_all

    def counted(attempts: Sequence[Attempt]) -> list[bool]:
        inserted.append(len(attempts))
        return insert_all(attempts)

    world.runs.insert_all = counted  # type: ignore[method-assign]
    swept(world, 3600, every=60)
    run_all(world)

    assert inserted == []
    assert len(notices(world)) == 1
    assert [each.state for each in world.attempts()] == [RunState.SUCCEEDED] * 2


def test_a_worker_that_begins_late_meets_the_sweepers_notice(world: World) -> None:
    """The sweeper died before its mark: both make the same notice, and the first insert wins."""
    _, attempt = late(world)
    swept(world, 300)
    world.clock.advance(12)
    replace_attempt = world.runs.replace
    world.runs.replace = lambda *_: False  # type: ignore[method-assign]
    world.look()
    world.runs.replace = replace_attempt  # type: ignore[method-assign]
    run_all(world)

    assert len(notices(world)) == 1
    assert len(documents(world)) == 1
    assert world.tables.attempts[TENANT, attempt.id].state is RunState.SUCCEEDED


def test_a_retry_is_not_late(world: World) -> None:
    """Its run began in time."""
    _, attempt = late(world)
    retry = replace(attempt, id=replace(attempt.id, number=2), fence=1, fenced_from=1)
    world.lose(attempt)
    world.runs.insert_all([retry])
    swept(world, 400)

    assert notices(world) == []


def test_a_run_of_a_job_without_a_hook_for_lateness_carries_nothing(world: World) -> None:
    """The record of a run that waits is as before, and its looks are where they were."""
    telling(world, hook(Occasion.FAILED), late_after_seconds=300)
    swept(world, 312)
    (attempt,) = world.attempts()

    assert attempt.lateness is None


def test_a_run_in_time_carries_and_costs_nothing(world: World) -> None:
    """Its writes and reads are those of a run without hooks."""
    costs = []
    for hooks in ((), (hook(Occasion.LATE),)):
        one = World()
        telling(one, *hooks, late_after_seconds=300 if hooks else None)
        script = Script(10_000, crash)
        one.runs = Interrupted(one.runs, script)  # type: ignore[assignment]
        one.stream()
        one.settle()
        swept(one, 120)
        costs.append(script.moments)
        assert [each.lateness for each in one.attempts()] == [None]

    assert costs[0] == costs[1]
