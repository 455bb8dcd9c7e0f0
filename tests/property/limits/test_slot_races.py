"""Slots under every interleaving: claims and ends take turns between any two calls of their stores.

Each actor is a thread, of which one goes on at a time, as Hypothesis says. A judge that reads the
items themselves watches each write. Afterwards, each waiter with a right to a free slot was called.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from threading import Semaphore, Thread, local
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.execution.overlapping import (
    Interrupted,
    claimed,
    due,
    finish,
    limited,
    stored,
)
from tests.support.execution.slot_judge import JudgedEngine
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import AttemptId
from timegate.usecases.services.execution_services import Claimed


class Actor(Thread):
    """Does one thing, and waits for its turn at each call."""

    def __init__(self, act: Callable[[], None], stage: local) -> None:
        super().__init__(daemon=True)
        self._act, self._stage = act, stage
        self._may, self._did = Semaphore(0), Semaphore(0)
        self.has_ended = False
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Act from the first turn on."""
        self._stage.actor = self
        self._may.acquire()
        try:
            with suppress(Throttled):
                self._act()
        except BaseException as failure:  # noqa: BLE001 - raised by the one that gives turns
            self.failure = failure
        self.has_ended = True
        self._did.release()

    def reached(self) -> None:
        """Let others act before it goes on."""
        self._did.release()
        self._may.acquire()

    def turn(self) -> None:
        """Let it go on to its next call, or to its end."""
        self._may.release()
        self._did.acquire()
        if self.failure is not None:
            raise self.failure


class Scene:
    """Runs of a key of which some hold slots and some wait, and others are due."""

    def __init__(self, limit: int, waiting: int) -> None:
        self.world, self.limit = World(), limit
        self.overlap = limited(OverlapPolicy.QUEUE, limit)
        self._stage = local()
        engine: Any = JudgedEngine(
            self.world.tables.engine, self.world, limit=limit, reached=self._reached
        )
        runs = self.world.runs
        self.world.runs = Interrupted(runs, self)  # type: ignore[arg-type, assignment]
        self.world.slots = DynamoSlotStore(engine, table=JOBS_TABLE, pause=lambda _: None)
        self.count = 0
        #: One worker may let them wait when another one takes them out of the line and then loses
        #: its claim: they come back by themselves.
        self.twice: set[AttemptId] = set()
        self.holders = [self._claim(self.due(-500 + n)) for n in range(limit)]
        self.waiting = [self.due(-400 + 10 * n) for n in range(waiting)]
        for each in self.waiting:
            assert self._claim(each) is None

    def due(self, at: int) -> Attempt:
        """A run of a job of its own."""
        self.count += 1
        return due(self.world, f"{self.count}", self.overlap, at=at)

    def play(self, acts: list[Callable[[], None]], seed: int, steady: int) -> None:
        """Let all act; one in ``steady`` turns is another's."""
        actors = [Actor(act, self._stage) for act in acts]
        for actor in actors:
            actor.start()
        dice, current = Random(seed), 0
        while going := [actor for actor in actors if not actor.has_ended]:
            if not dice.randrange(steady):
                current = dice.randrange(len(going))
            # A call writes the instant at which it was made, so the next write sees that it was.
            self.world.clock.advance(0.001)
            going[current % len(going)].turn()

    def reached(self) -> None:
        """A call of the runs' store; ``Interrupted`` says so."""
        self._reached()

    def claim_new(self, at: int) -> Callable[[], None]:
        """A run that is due, and was never claimed before."""
        attempt = self.due(at)
        return partial(self._claim_and_keep, attempt)

    def claim_twice(self, at: int) -> list[Callable[[], None]]:
        """One message, received by two."""
        attempt = self.due(at)
        self.twice.add(attempt.id)
        return [partial(self._claim_and_keep, attempt, owner) for owner in ("one", "other")]

    def end_one(self) -> Callable[[], None]:
        """A holder succeeds; a worker then receives the waiter that it called."""
        holder = self.holders.pop(0)

        def act() -> None:
            finish(self.world, holder)
            self._deliver()

        return act

    def free(self, number: int) -> None:
        """Let so many holders end; the waiters that they called have not been received yet."""
        for _ in range(number):
            finish(self.world, self.holders.pop(0))

    def claim_called(self) -> list[Callable[[], None]]:
        """Return a claim per called run, each by a worker of its own."""
        called = [a for a in self.world.attempts() if a.state is RunState.QUEUED]
        return [partial(self._claim_and_keep, attempt) for attempt in called]

    def cancel_one(self) -> Callable[[], None]:
        """One that waits ends, and no process tells its line."""
        attempt = self.waiting.pop(0)

        def act() -> None:
            now = stored(self.world, attempt)
            if now.state is RunState.WAITING:
                cancelled = end(now, RunState.CANCELLED, now=self.world.clock.now())
                self.world.runs.replace(now, cancelled)

        return act

    def settle(self) -> None:
        """Let workers receive the waiters that were called, until none is."""
        for _ in range(20):
            if not self._deliver():
                return

    def left_uncalled(self) -> list[Attempt]:
        """Return runs that wait although a slot is free for them."""
        now = self.world.clock.now()
        key = next(iter(self.world.tables.slots))
        assert isinstance(key, SlotKey)
        held = [h for h in self.world.tables.slots[key].holders if h.expires_at > now]
        waiting = [a for a in self.world.attempts() if a.state is RunState.WAITING]
        first = sorted(waiting, key=lambda a: a.due_at)[: self.limit - len(held)]
        return [attempt for attempt in first if attempt.id not in self.twice]

    def _deliver(self) -> int:
        called = [a for a in self.world.attempts() if a.state is RunState.QUEUED]
        for attempt in called:
            self._claim_and_keep(attempt)
        return len(called)

    def _claim(self, attempt: Attempt, owner: str | None = None) -> Claimed | None:
        return claimed(self.world, attempt, owner=owner)

    def _claim_and_keep(self, attempt: Attempt, owner: str | None = None) -> None:
        held = self._claim(attempt, owner)
        if held is not None:
            self.holders.append(held)

    def _reached(self) -> None:
        actor = getattr(self._stage, "actor", None)
        if actor is not None:
            actor.reached()


KINDS = st.sampled_from(["new early", "new late", "twice", "end", "end", "cancel"])


@given(
    limit=st.integers(1, 3),
    waiting=st.integers(0, 4),
    freed=st.integers(0, 3),
    kinds=st.lists(KINDS, min_size=1, max_size=5),
    seed=st.integers(0, 1_000_000),
    steady=st.integers(1, 4),
)
@settings(max_examples=some(600))
def test_no_interleaving_breaks_the_limit_the_order_or_a_call(
    limit: int, waiting: int, freed: int, kinds: list[str], seed: int, steady: int
) -> None:
    """The judge fails the actor that passes an earlier one, or takes one slot too many."""
    scene = Scene(limit, waiting)
    scene.free(min(freed, limit))
    acts = scene.claim_called()
    for number, kind in enumerate(kinds):
        if kind == "new early":
            acts.append(scene.claim_new(-450 + number))
        elif kind == "new late":
            acts.append(scene.claim_new(-100 + number))
        elif kind == "twice":
            acts += scene.claim_twice(-300 + number)
        elif kind == "end" and scene.holders:
            acts.append(scene.end_one())
        elif kind == "cancel" and scene.waiting:
            acts.append(scene.cancel_one())
    scene.play(acts, seed, steady)
    scene.settle()

    assert scene.left_uncalled() == []
