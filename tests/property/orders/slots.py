"""Slots and lines of a concurrency key, with all that can happen to runs that want them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType

from tests.property.orders.exploring import Step
from tests.property.orders.processes import Process
from tests.property.orders.stage import Stage
from tests.support.api import api_services
from tests.support.execution.overlapping import KEY, claimed, due, finish, limited, live_at
from tests.support.factories import TENANT
from tests.support.world import World
from timegate.adapters.dynamo.limits.slot_items import slots_pk
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.memory.engine import Change
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.errors import Conflict, LeaseLost, RunIsFinished, Throttled
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import from_compact
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.execution.supervise_run import heartbeat
from timegate.usecases.services.execution_services import Claimed

_IN_LINE = {RunState.WAITING, RunState.QUEUED}


@dataclass(frozen=True, kw_only=True)
class Held:
    """A worker that holds a run."""

    name: str
    claim: Claimed = field(compare=False)
    #: Tells its claim apart.
    owner: str = ""


@dataclass(frozen=True, kw_only=True)
class SlotFacts:
    """Facts that the game remembers beside the items."""

    held: tuple[Held, ...] = ()
    #: Attempts that were told to wait.
    told: frozenset[AttemptId] = frozenset()
    #: Attempts of which two workers received a message at once.
    twice: frozenset[AttemptId] = frozenset()


class SlotGame(Stage):
    """Runs of jobs of one key: those that hold slots, those that wait, and those that are due."""

    def __init__(
        self,
        *,
        limit: int = 1,
        holders: int = 0,
        waiting: int = 0,
        due: int = 1,
        policies: Sequence[OverlapPolicy] = (OverlapPolicy.QUEUE,),
        may: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        world = World()
        world.sweep()
        self.limit, self._policies = limit, policies
        self.pk = slots_pk(SlotKey(tenant=TENANT, name=KEY))
        self.runs: dict[str, Attempt] = {}
        held = [self._holder(world, n) for n in range(holders)]
        for number in range(waiting):
            assert claimed(world, self._due(world, f"waiter {number}", -400 + number)) is None
        told = frozenset(a.id for a in world.attempts() if a.state is RunState.WAITING)
        for number in range(due):
            self._due(world, f"run {number}", -100 + number)
        facts = SlotFacts(held=tuple(held), told=told)
        world.clock.advance(1)
        super().__init__(world, facts, may)
        self._judged_alone: set[object] = set()

    facts: SlotFacts

    def _holder(self, world: World, number: int) -> Held:
        name = f"holder {number}"
        claim = claimed(world, self._due(world, name, -500 + number), owner=name)
        assert claim is not None
        return Held(name=name, claim=claim, owner=name)

    def _due(self, world: World, name: str, at: int) -> Attempt:
        policy = self._policies[len(self.runs) % len(self._policies)]
        self.runs[name] = due(world, name, limited(policy, self.limit), at=at)
        return self.runs[name]

    def begins(self) -> Iterator[Step]:
        """Name deliveries, ends and heartbeats of holders, and what callers and operators do."""
        stored = {attempt.id: attempt for attempt in self.texts.attempts(self.world)}
        for name, run in self.runs.items():
            if stored[run.id].state is RunState.QUEUED and self.has("deliveries"):
                yield from self._deliveries(name, run)
            if self.has("cancels") and stored[run.id].state not in TERMINAL:
                yield self._step("cancels", f"cancel of {name}", partial(_cancel, run))
        for held in self.facts.held:
            yield Step(f"{held.name} ends", partial(self._end, held))
            if self.has("deaths"):
                yield Step(f"{held.name} dies with it", partial(self._die_with, held))
            if self.has("beats"):
                yield self._step("beats", f"heartbeat of {held.name}", partial(_beat, held.claim))
        if self.has("sweeps"):
            yield self._step("sweeps", "sweeper", lambda view: view.sweep())

    def _deliveries(self, name: str, run: Attempt) -> Iterator[Step]:
        for copy in ("", " again"):
            process = f"claim of {name}{copy}"
            if process not in self.processes and not (copy and not self.has("copies")):
                yield Step(f"{process} begins", partial(self._deliver, process, run, copy))
                return

    def _deliver(self, process: str, run: Attempt, copy: str) -> None:
        number = self.use("deliveries")
        if copy:
            self.use("copies")
            self.facts = replace(self.facts, twice=self.facts.twice | {run.id})
        stored = next(a for a in self.texts.attempts(self.world) if a.id == run.id)
        owner = f"{process} #{stored.fence} {number}"
        self.begin(process, partial(claim, stored, owner))

    def _end(self, held: Held) -> None:
        self._drop(held)
        self.begin(f"end of {held.name}", partial(end_claim, held.claim))

    def _die_with(self, held: Held) -> None:
        self.use("deaths")
        self._drop(held)

    def _drop(self, held: Held) -> None:
        self.facts = replace(self.facts, held=tuple(h for h in self.facts.held if h is not held))

    def ended(self, process: Process) -> None:
        """Keep what a worker claimed."""
        if isinstance(process.result, Claimed):
            claim = process.result
            held = Held(name=process.name, claim=claim, owner=claim.lease.owner)
            self.facts = replace(self.facts, held=(*self.facts.held, held))

    def noted(self, change: Change) -> None:
        """Remember who was told to wait; judge who takes a place."""
        after, before = change.after or {}, change.before or {}
        if after.get("state") == RunState.WAITING:
            told = {a.id for a in self.texts.attempts(self.world) if a.state is RunState.WAITING}
            self.facts = replace(self.facts, told=self.facts.told | told)
        if change.key.pk == self.pk and after.get("attempt") not in {None, before.get("attempt")}:
            self._judge_order(str(after["attempt"]), change.key.sk)

    def judge(self) -> None:
        """Hold slots and leases to the limit."""
        now = self.world.clock.now()
        held = self._held_at(now)
        assert len(held) <= self.limit, f"{held} hold {self.limit}"
        alive = live_at(list(self.texts.attempts(self.world)), now)
        assert len(alive) <= self.limit, f"leases of {[a.id for a in alive]}"
        for attempt in alive:
            assert attempt.lease is not None
            fence, until = held[str(attempt.id)]
            assert fence == attempt.fence
            assert until >= attempt.lease.expires_at

    def judge_alone(self) -> None:
        """Each waiter with a right to a free slot was called, and each run ends."""
        if self.processes:
            return
        attempts = list(self.texts.attempts(self.world))
        if not self.was_disturbed and all(a.state is not RunState.QUEUED for a in attempts):
            self._judge_calls(attempts)
        named = self.texts.of_items(self.world)
        if self.facts.held or named in self._judged_alone:
            return
        self._judged_alone.add(named)
        self._end_alone()

    def _judge_calls(self, attempts: Sequence[Attempt]) -> None:
        free = self.limit - len(self._held_at(self.world.clock.now()))
        waiting = sorted((a.due_at, a.id) for a in attempts if a.state is RunState.WAITING)
        uncalled = [attempt for _, attempt in waiting[:free] if attempt not in self.facts.twice]
        assert not uncalled, f"{uncalled} were not called, and {free} slots are free"

    def _judge_order(self, taker: str, place: str) -> None:
        """No attempt takes a slot that an earlier one, told to wait, has a right to."""
        now = self.world.clock.now()
        alive = {a for a in self._held_at(now) if a != taker}
        stored = {str(attempt.id): attempt for attempt in self.texts.attempts(self.world)}
        earlier = [
            attempt
            for due_at, attempt in self._line()
            if stored[attempt].id in self.facts.told
            and attempt not in alive
            and stored[attempt].state in _IN_LINE
            and stored[attempt].due_at == due_at
            and (stored[attempt].due_at, attempt) < (stored[taker].due_at, taker)
        ]
        free = self.limit - len(alive)
        assert len(earlier) < free, f"{taker} passed {earlier} for {place}, with {free} free"

    def _end_alone(self) -> None:
        world = self.world
        for number in range(40):
            if all(attempt.state in TERMINAL for attempt in world.attempts()):
                return
            world.clock.advance(100)
            world.sweep()
            world.stream()
            world.execute(world.receive(), owner=f"last {number}")
            self.judge()
        raise AssertionError([(a.id, a.state) for a in world.attempts()])

    def _held_at(self, now: datetime) -> dict[str, tuple[int, datetime]]:
        found = {}
        for item in self._items():
            if "attempt" in item:
                until = from_compact(str(item["lease_expires_at"]))
                if until > now:
                    assert str(item["attempt"]) not in found or self.facts.twice, "it has two"
                    found[str(item["attempt"])] = int(str(item["fence"])), until
        return found

    def _line(self) -> list[tuple[datetime, str]]:
        return [
            (from_compact(due_at), attempt)
            for item in self._items()
            if str(item["sk"]).startswith("wait#") and "left" not in item
            for _, due_at, attempt in [str(item["sk"]).split("#", 2)]
        ]

    def _items(self) -> list[Fields]:
        items = self.world.tables.engine._tables["jobs"]._items
        return [item for key, item in items.items() if key.pk == self.pk]

    def _step(self, what: str, name: str, act: Callable[[World], object]) -> Step:
        def take() -> None:
            self.begin(f"{name} {self.use(what)}", act)

        return Step(f"{name} begins", take)


def claim(attempt: Attempt, owner: str, view: World) -> Claimed | None:
    """Claim a run; ``None`` where the claim is refused, or throttled."""
    with suppress(Throttled):
        return claimed(view, attempt, owner=owner)
    return None


def end_claim(held: Claimed, view: World) -> None:
    """Record a success, unless the lease is lost or the store throttles."""
    with suppress(LeaseLost, Throttled):
        finish(view, held)


def _beat(claim: Claimed, view: World) -> None:
    with suppress(LeaseLost, Throttled):
        heartbeat(claim, view.execution(owner=claim.lease.owner), now=view.clock.now())


def _cancel(run: Attempt, view: World) -> None:
    with suppress(Throttled, RunIsFinished, Conflict):
        cancel_run(run.tenant, run.id.run, api_services(view), now=view.clock.now())
