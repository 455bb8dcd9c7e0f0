"""A process that gathers dies before or after any of its calls: each run is executed all the same.

Its threads go on until their next call, and none of those has an effect.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import pytest

from tests.support.execution.overlapping import Crash
from tests.support.factories import after
from tests.support.world import VISIBILITY, World
from tests.unit.usecases.execution.batches.test_gathering import LongCalls
from tests.unit.usecases.execution.batches.test_suspects import added
from timegate.adapters.threaded_call_runner import ThreadedCallRunner
from timegate.domain.execution.call import Answer, Call
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import JobId
from timegate.ports.clock import Clock
from timegate.usecases.execution.claims import messages_at_hand
from timegate.usecases.execution.execute_batch import execute_batch
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Delivery, Execution, MessageSource

#: One that Lambda hands over, and those that the process gathers.
RUNS = 4
STEP = timedelta(seconds=5)
#: More than the process has.
ENOUGH = 10_000


class Queue:
    """Messages that show themselves again unless they are deleted."""

    def __init__(self, clock: Clock, messages: Sequence[Delivery]) -> None:
        self._clock = clock
        self._changed = Lock()
        self._messages = {each.receipt: each for each in messages}
        self._hidden: dict[str, datetime] = {}

    def __bool__(self) -> bool:
        """Tell if any message is left."""
        return bool(self._messages)

    def receive(self, limit: int, hidden_seconds: int) -> list[Delivery]:
        """Hand over visible messages, and hide them."""
        with self._changed:
            now = self._clock.now()
            visible = [r for r in self._messages if self._hidden.get(r, now) <= now][:limit]
            self._hide(visible, now + timedelta(seconds=hidden_seconds))
            return [self._messages[receipt] for receipt in visible]

    def hide(self, receipts: Sequence[str], *, seconds: int) -> None:
        """Hide received messages anew."""
        with self._changed:
            self._hide(receipts, self._clock.now() + timedelta(seconds=seconds))

    def acknowledge(self, receipts: Sequence[str]) -> None:
        """Delete messages."""
        with self._changed:
            for receipt in receipts:
                self._messages.pop(receipt, None)

    def _hide(self, receipts: Sequence[str], until: datetime) -> None:
        self._hidden |= dict.fromkeys(receipts, until)


class Process:
    """Counts the moments before and after its calls, and is dead from one of them on."""

    def __init__(self, moment: int, dies: Callable[[], None]) -> None:
        self._moment, self._dies = moment, dies
        self._changed = Lock()
        self.moments = 0

    def reached(self) -> None:
        """One moment further; raises ``Crash`` in each thread of a dead process."""
        with self._changed:
            self.moments += 1
            dead = self.moments > self._moment
        if dead:
            self._dies()
            raise Crash

    def calls(self, service: object) -> Any:  # noqa: ANN401 - it stands for any service
        """Return the service as this process calls it."""
        return _Called(service, self)


class _Called:
    def __init__(self, service: object, process: Process) -> None:
        self._service, self._process = service, process

    def __getattr__(self, name: str) -> Callable[..., object]:
        method = getattr(self._service, name)

        def call(*args: object, **kwargs: object) -> object:
            self._process.reached()
            answer = method(*args, **kwargs)
            self._process.reached()
            return answer

        return call


class Story:
    """Runs that are due together, the process that takes one and gathers the rest, and its end."""

    def __init__(self, moment: int) -> None:
        self.world = world = World()
        self.queue = Queue(world.clock, [added(world, f"run {n}") for n in range(RUNS)])
        #: Fences of the calls of each job, in their order.
        self.called: dict[JobId, list[int]] = defaultdict(list)
        self._target = LongCalls(world, until=RUNS)
        world.target.invoke = self._call  # type: ignore[method-assign]
        self.process = Process(moment, self._target.let_go)
        with suppress(Crash):
            self._work(limit=1, execution=self._dying())

    def recover(self) -> timedelta:
        """Let other executors receive whatever shows itself; return the time that all took."""
        began_at = self.world.clock.now()
        while self.queue and self.world.clock.now() - began_at < 2 * VISIBILITY:
            self.world.clock.advance(STEP.total_seconds())
            self._work(limit=10, execution=self._execution(owner=f"{self.world.clock.now()}"))
        return self.world.clock.now() - began_at

    def _work(self, *, limit: int, execution: Execution) -> None:
        """Lambda hands messages over, and deletes those that are settled."""
        received = self.queue.receive(limit, round(VISIBILITY.total_seconds()))
        completions = Completions(execution.runs, execution.telemetry)
        again = execute_batch(received, execution, completions)
        self.queue.acknowledge([each.receipt for each in received if each.id not in again])

    def _execution(self, **changes: Any) -> Execution:  # noqa: ANN401 - as the world takes them
        return replace(self.world.execution(**changes), inbox=self.queue)

    def _dying(self) -> Execution:
        queue = self.process.calls(self.queue)
        source = MessageSource(receive=queue.receive, most_runs=RUNS, until=after(60))
        runner = ThreadedCallRunner(self.world.target, self.world.clock)
        runs = self.process.calls(self.world.runs)
        own = self._execution(owner="the process", source=source)
        return replace(own, runs=runs, inbox=queue, call_runner=runner)

    def _call(self, call: Call) -> Answer:
        self.called[call.attempt.run.job_id].append(call.fence)
        return self._target(call)


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks are paced by virtual time, which only calls move."""
    for name in ("LONG_CALL", "LOOK_PAUSE"):
        monkeypatch.setattr(messages_at_hand, name, timedelta(milliseconds=1))


def test_a_process_that_lives_gathers_and_calls_each_run_once() -> None:
    """No message is left, and none had to come again."""
    story = Story(ENOUGH)

    assert list(story.called.values()) == [[1]] * RUNS
    assert set(story.world.states()) == {RunState.SUCCEEDED}
    assert not story.queue


def test_a_death_at_any_moment_costs_each_run_one_more_call_at_most() -> None:
    """Each message shows itself again by itself, once the leases of the dead have ended."""
    moments = Story(ENOUGH).process.moments
    assert moments >= 12
    for moment in range(moments):
        story = Story(moment)
        took = story.recover()

        assert set(story.world.states()) == {RunState.SUCCEEDED}, moment
        assert len(story.called) == RUNS, moment
        assert all(fences in ([1], [2], [1, 2]) for fences in story.called.values()), moment
        assert took <= VISIBILITY + STEP, moment
