"""A process that waits for long calls takes more messages from its queue, and deletes them."""

from dataclasses import replace
from datetime import datetime, timedelta
from threading import Condition
from typing import Any

import pytest

from tests.support.factories import NOW, after, lease_factory
from tests.support.world import World
from tests.unit.usecases.execution.batches.test_suspects import Witness, added, stored
from timegate.adapters.threaded_call_runner import ThreadedCallRunner
from timegate.domain.execution.call import Answer, Call
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.usecases.execution.claims import messages_at_hand
from timegate.usecases.execution.claims.messages_at_hand import Gatherer
from timegate.usecases.services.execution_services import Claimed, Delivery, MessageSource

#: A test that would wait for ever fails instead.
PATIENCE = 20.0


class LongCalls:
    """A target whose calls last until so many are under way, and take a second of virtual time."""

    def __init__(self, world: World, until: int) -> None:
        self._world, self._until = world, until
        self._changed = Condition()
        self.most = self._now = 0
        world.target.invoke = self  # type: ignore[method-assign]

    def __call__(self, call: Call) -> Answer:
        with self._changed:
            self._now += 1
            self.most = max(self.most, self._now)
            if self._now == 1:
                self._world.clock.wait_until(self._world.clock.now() + timedelta(seconds=1))
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.most >= self._until, PATIENCE)
            self._now -= 1
        return Answer(text="ok")

    def let_go(self) -> None:
        """End the calls that wait for more."""
        with self._changed:
            self.most = self._until
            self._changed.notify_all()


class Waiting:
    """Messages that wait in the queue."""

    def __init__(self, messages: list[Delivery]) -> None:
        self.messages = messages
        self.asked: list[tuple[int, int]] = []

    def receive(self, limit: int, hidden_seconds: int) -> list[Delivery]:
        """Hand over the first ones."""
        self.asked.append((limit, hidden_seconds))
        received, self.messages = self.messages[:limit], self.messages[limit:]
        return received


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Gatherer]:
    """Gatherers that were closed, each time that they were."""
    found: list[Gatherer] = []
    close = Gatherer.close

    def noted(self: Gatherer) -> None:
        found.append(self)
        close(self)

    monkeypatch.setattr(Gatherer, "close", noted)
    return found


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks are paced by virtual time, which only calls move."""
    for name in ("LONG_CALL", "LOOK_PAUSE"):
        monkeypatch.setattr(messages_at_hand, name, timedelta(milliseconds=1))


def execute(
    world: World,
    messages: list[Delivery],
    queue: Waiting,
    *,
    most_runs: int = 30,
    until: datetime | None = None,
) -> set[str]:
    """One invocation on threads of its own."""
    source = MessageSource(receive=queue.receive, most_runs=most_runs, until=until or after(60))
    world.call_runner = ThreadedCallRunner(world.target, world.clock)  # type: ignore[assignment]
    return world.execute(messages, source=source)


def one_source(queue: Waiting) -> MessageSource:
    """For a process that may have four runs."""
    return MessageSource(receive=queue.receive, most_runs=4, until=after(60))


@pytest.mark.usefixtures("brisk")
def test_calls_that_last_share_their_process_with_others() -> None:
    """The process has no more than it may; each message is deleted once its run has ended."""
    world = World()
    delivered, *waiting = [added(world, f"run {n}") for n in range(26)]
    queue, target = Waiting(waiting), LongCalls(world, until=24)
    again = execute(world, [delivered], queue, most_runs=24)
    ended = [each for each in waiting if stored(world, each).state is RunState.SUCCEEDED]

    assert again == set()
    assert target.most == 24
    assert [limit for limit, _ in queue.asked[:3]] == [10, 10, 3]
    assert len(ended) >= 23
    assert set(world.inbox.acknowledged) == {each.receipt for each in ended}
    assert stored(world, delivered).state is RunState.SUCCEEDED


def test_a_call_that_is_not_long_shares_its_process_with_none() -> None:
    """Others would wait for the processor; one that waits for its instant is no call."""
    world = World()
    delivered, waiting = added(world, "delivered"), added(world, "waiting")
    queue = Waiting([waiting])
    source = MessageSource(receive=queue.receive, most_runs=2, until=after(60))
    gatherer = Gatherer(world.execution(source=source))
    attempt = replace(stored(world, delivered), due_at=after(1))
    job = world.jobs.get(attempt.tenant, attempt.id.run.job_id)
    claimed = Claimed(delivery=delivered, attempt=attempt, job=job, lease=lease_factory())
    looks = []
    gatherer.begin([delivered])
    with gatherer.calling(claimed):
        for seconds in (1, 1.999, 2.25):
            world.clock.wait_until(after(seconds))
            looks.append(gatherer.look())

    assert [bool(each) for each in looks] == [False, False, True]
    assert queue.asked == [(1, round(world.execution().receiving_now().visibility.total_seconds()))]


def test_a_task_in_a_line_has_its_place_in_the_process_though_it_has_no_message() -> None:
    """Nor is a message of its run taken, which its owner would claim from itself."""
    world = World()
    own, beside, other = (added(world, name) for name in ("own", "beside", "other"))
    queue = Waiting([replace(own, receipt="of another"), other])
    gatherer = Gatherer(world.execution(source=one_source(queue)))
    lines = []
    for each in (own, beside):
        attempt = stored(world, each)
        job = world.jobs.get(attempt.tenant, attempt.id.run.job_id)
        bare = replace(each, id="", receipt="")
        lines.append(Claimed(delivery=bare, attempt=attempt, job=job, lease=lease_factory()))
    with gatherer.calling(lines[0]), gatherer.calling(lines[1]):
        world.clock.wait_until(after(2.25))
        gathered = gatherer.look()

    assert [limit for limit, _ in queue.asked] == [2]
    assert gathered is not None
    assert list(gathered.deliveries) == [other]


def test_a_gatherer_that_is_closed_has_no_look_to_come() -> None:
    """The process waits for its runs alone."""
    world = World()
    source = MessageSource(receive=Waiting([]).receive, most_runs=2, until=after(60))
    gatherer = Gatherer(world.execution(source=source))
    before = gatherer.seconds_to_look()
    gatherer.close()

    assert (before, gatherer.seconds_to_look(), gatherer.look()) == (1.0, None, None)


@pytest.mark.usefixtures("brisk")
def test_nothing_is_gathered_when_a_run_might_not_have_its_whole_time() -> None:
    """The invocation ends before it would."""
    world = World()
    delivered, waiting = added(world, "delivered"), added(world, "waiting")
    queue = Waiting([waiting])
    LongCalls(world, until=1)
    execute(world, [delivered], queue, until=NOW)

    assert queue.asked == []


@pytest.mark.usefixtures("brisk")
def test_a_gathered_suspect_is_executed_alone_and_ends_the_gathering(
    closed: list[Gatherer],
) -> None:
    """It is claimed when all others have ended, and nothing is received beside it."""
    world = World()
    delivered, beside = added(world, "delivered"), added(world, "beside")
    suspect, later = added(world, "suspect", deaths=1), added(world, "later")
    queue, target = Waiting([beside, suspect]), LongCalls(world, until=2)
    again = execute(world, [delivered], queue, most_runs=3)
    queue.messages.append(later)

    assert again == set()
    assert len(closed) == 1
    assert (stored(world, suspect).state, stored(world, suspect).alone) == (RunState.SUCCEEDED, 1)
    assert set(world.inbox.acknowledged) == {beside.receipt, suspect.receipt}
    assert target.most == 2
    assert stored(world, later).state is RunState.QUEUED


@pytest.mark.usefixtures("brisk")
def test_a_suspect_that_came_by_itself_stays_alone(closed: list[Gatherer]) -> None:
    """Its death would be blamed on it."""
    world = World()
    suspect, waiting = added(world, "suspect", deaths=1), added(world, "waiting")
    queue = Waiting([waiting])
    LongCalls(world, until=1)
    execute(world, [suspect], queue)

    assert queue.asked == []
    assert len(closed) == 1
    assert stored(world, suspect).state is RunState.SUCCEEDED


@pytest.mark.usefixtures("brisk")
def test_a_gathered_message_that_cannot_be_claimed_stays_in_its_queue(
    closed: list[Gatherer],
) -> None:
    """Lambda knows nothing of it, so the answer to Lambda does not name it; no more is gathered."""
    world = World()
    delivered, *waiting = [added(world, f"run {n}") for n in range(3)]
    queue, target = Waiting(waiting), LongCalls(world, until=1)
    claim_all = world.runs.claim_all

    def throttled(claims: Any) -> list[bool]:  # noqa: ANN401 - the store's own
        if target.most:
            target.let_go()
            raise Throttled("the table is busy")
        return claim_all(claims)

    target._until = 2
    world.runs.claim_all = throttled  # type: ignore[method-assign]
    again = execute(world, [delivered], queue)

    assert again == set()
    assert world.inbox.acknowledged == []
    assert {each.receipt for each in world.inbox.hidden} == {each.receipt for each in waiting}
    assert len(queue.asked) == 1
    assert len(closed) == 1


@pytest.mark.usefixtures("brisk")
def test_a_second_message_of_a_run_under_way_is_left_hidden() -> None:
    """Its claim would have the same owner; it is delivered again after the lease, and dropped."""
    world = World()
    delivered, beside = added(world, "delivered"), added(world, "beside")
    queue, target = Waiting([replace(delivered, receipt="again"), beside]), LongCalls(world, 2)
    again = execute(world, [delivered], queue, most_runs=3)

    assert again == set()
    assert target.most == 2
    assert world.inbox.acknowledged == [beside.receipt]
    assert stored(world, delivered).fence == 1


def test_a_hundred_runs_of_a_dead_process_come_back_in_tens() -> None:
    """Each is executed beside no other, and none waits for more than nine."""
    world = World()
    messages = [added(world, f"run {n}", deaths=1) for n in range(100)]
    witness = Witness(world)
    again = [world.execute(messages[start : start + 10]) for start in range(0, 100, 10)]

    assert again == [set()] * 10
    assert set(world.states()) == {RunState.SUCCEEDED}
    assert not any(witness.beside.values())
