"""Workers of one pool: claims that meet, heartbeats, ends, releases, pauses, faults and deaths."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType

from tests.property.orders.exploring import Step
from tests.property.orders.processes import Process
from tests.property.orders.stage import Stage
from tests.support.api import api_services
from tests.support.execution.overlapping import live_at
from tests.support.factories import JOB_ID, TENANT, after, attempt_factory, attempt_id
from tests.support.stores.records import RUNS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.memory.engine import Change
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.demands import Priority
from timegate.domain.pools.pause import PoolPause
from timegate.domain.runs.run import TERMINAL, RunState
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.domain.values.identity import Origin, RunId
from timegate.usecases.pools.claim_from_pool import HandedOut, claim_from_pool
from timegate.usecases.pools.end_held_run import complete_run, release_run
from timegate.usecases.pools.heartbeat_run import Heard, Said, heartbeat_run
from timegate.usecases.pools.look_at_pool import PoolClaim
from timegate.usecases.pools.pause_pool import pause_pool, resume_pool

POOL = "reports"
_OFFER = Offer(pool=POOL, handler="sales")
_LOST, _DONE = "lost", "done"


@dataclass(frozen=True, kw_only=True)
class Lent:
    """A run that a worker was handed."""

    run: RunId
    fence: int
    token: str = field(compare=False)
    #: Until then it is the worker's, by the last answer that it had.
    until: datetime


@dataclass(frozen=True, kw_only=True)
class PoolFacts:
    """Facts that the game remembers beside the items."""

    held: tuple[Lent, ...] = ()
    #: Runs with the fences under which they were ever handed out.
    handed: frozenset[tuple[RunId, int]] = frozenset()
    #: Runs whose end a worker was answered.
    done: frozenset[RunId] = frozenset()
    #: Runs that workers gave back or asked to.
    released: frozenset[tuple[RunId, int]] = frozenset()
    #: The pool is paused: a caller has the answer, and none asked to resume it since.
    paused: bool = False
    #: Claims that began while it was.
    in_pause: frozenset[str] = frozenset()


class PoolGame(Stage):
    """Runs that are due in a pool, and its workers."""

    facts: PoolFacts
    reads_at_once = True

    def __init__(
        self,
        *,
        runs: int = 1,
        most: int = 1,
        held: bool = False,
        may: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Begin with runs that are due; ``held``: a worker has the first. ``most``: of a claim."""
        world = World()
        world.sweep()
        action = WorkerAction(pool=POOL, handler="sales")
        world.add_job(offer=_OFFER, action=action, timeout_seconds=3600, next_run_at=None)
        for number in range(runs):
            own = attempt_id(job=JOB_ID, origin=Origin.TRIGGER, scheduled_at=after(number))
            attempt = attempt_factory(
                id=own,
                due_at=after(number),
                offer=_OFFER,
                priority=Priority.CRITICAL,
                state=RunState.QUEUED,
            )
            world.runs.insert_all([attempt])
        world.clock.advance(runs)
        self.most, facts = most, PoolFacts()
        if held:
            found = _claim(1, "before", world)
            assert isinstance(found, HandedOut)
            facts = _handed_out(facts, found)
        super().__init__(world, facts, may)
        self._judged: set[object] = set()
        self._resumes = may.get("resumes", 0)

    def begins(self) -> Iterator[Step]:
        """Name claims, all that holders do, and the operator's changes."""
        if self.has("claims"):
            yield Step("a worker claims", self._claims)
        for lent in self.facts.held:
            yield from self._of_holder(lent)
        for what, act in (("pauses", _pause), ("resumes", _resume)):
            if self.has(what):
                yield Step(f"one of the {what}", partial(self._change, what, act))
        if self.has("sweeps"):
            yield Step("the sweeper looks", self._sweep)

    def _of_holder(self, lent: Lent) -> Iterator[Step]:
        yield Step(f"{lent.fence} of {lent.run} ends", partial(self._ends, lent, "end"))
        if self.has("releases"):
            yield Step(f"{lent.fence} is released", partial(self._ends, lent, "release"))
        if self.has("beats"):
            yield Step(f"{lent.fence} heartbeats", partial(self._beats, lent))
        if self.has("deaths"):
            yield Step(f"the holder of {lent.fence} dies", partial(self._dies, lent))

    def _claims(self) -> None:
        name = f"claim {self.use('claims')}"
        if self.facts.paused:
            self.facts = replace(self.facts, in_pause=self.facts.in_pause | {name})
        self.begin(name, partial(_claim, self.most, name))

    def _ends(self, lent: Lent, how: str) -> None:
        self._drop(lent)
        if how == "release":
            self.use("releases")
            own = {(lent.run, lent.fence)}
            self.facts = replace(self.facts, released=self.facts.released | own)
        act = _end if how == "end" else _release
        self.begin(f"{how} of {lent.run} {lent.fence}", partial(act, lent))

    def _beats(self, lent: Lent) -> None:
        self._drop(lent)
        self.begin(f"beat {self.use('beats')}", partial(_beat, lent))

    def _dies(self, lent: Lent) -> None:
        self.use("deaths")
        self._drop(lent)

    def _drop(self, lent: Lent) -> None:
        held = tuple(each for each in self.facts.held if each is not lent)
        self.facts = replace(self.facts, held=held)

    def _change(self, what: str, act: Callable[[World], object]) -> None:
        if what == "resumes":
            self.facts = replace(self.facts, paused=False, in_pause=frozenset())
        self.begin(f"{what} {self.use(what)}", act)

    def _sweep(self) -> None:
        """Let the sweeper look at once: between its calls are too many states."""
        self.use("sweeps")
        self.world.sweep()
        self.note_all()

    def ended(self, process: Process) -> None:
        """Judge an answer by what was answered before."""
        result = process.result
        if isinstance(result, HandedOut):
            self._judge_handed(process.name, result)
            self.facts = _handed_out(self.facts, result)
        if isinstance(result, Lent):
            self.facts = replace(self.facts, held=(*self.facts.held, result))
        if process.name.startswith("end of ") and isinstance(result, RunId):
            assert result not in self.facts.done, f"two workers ended {result}"
            self.facts = replace(self.facts, done=self.facts.done | {result})
        was_resumed = self.left.get("resumes", 0) < self._resumes
        if process.name.startswith("pauses") and result == _DONE:
            # Otherwise the pool may have been resumed after it.
            self.facts = replace(self.facts, paused=not was_resumed)

    def _judge_handed(self, name: str, out: HandedOut) -> None:
        assert len(out.runs) <= self.most, "too many runs"
        assert not out.runs or name not in self.facts.in_pause, f"{name} got runs of a paused pool"
        now = self.world.clock.now()
        for each in out.runs:
            run, fence = each.claimed.attempt.id.run, each.claimed.lease.fence
            own = [f for r, f in self.facts.handed if r == run]
            assert fence not in own, f"{run} was handed out twice under {fence}"
            held = [h for h in self.facts.held if h.run == run and h.until > now]
            assert not held or fence < held[0].fence, f"{run} is held by {held}"
            is_late = each.claimed.lease.expires_at <= now
            assert is_late or run not in self.facts.done, f"{run} was handed out after its end"
            died = [f for f in own if (run, f) not in self.facts.released]
            assert not died or len(out.runs) == 1, f"{run} killed a worker, and is not alone"

    def noted(self, change: Change) -> None:
        """Fences only grow, an end stays, and what is queued is offered and looked at."""
        if change.table != RUNS_TABLE or "fence" not in (change.after or {}):
            return
        after_, before = attempt_from_fields(change.after or {}), None
        if change.before:
            before = attempt_from_fields(change.before)
            assert after_.fence >= before.fence, "a fence fell"
            assert before.state not in TERMINAL or before.state is after_.state
        if after_.state not in TERMINAL:
            item = change.after or {}
            assert "watch_at" in item, "no sweeper looks at it"
            offered = "offered_at" in item
            assert offered == (after_.state is not RunState.WAITING), "a pool does not offer it"

    def judge(self) -> None:
        """No holder that was answered is robbed of its lease before that is over."""
        now = self.world.clock.now()
        stored = {a.id.run: a for a in self.texts.attempts(self.world)}
        for lent in self.facts.held:
            attempt = stored[lent.run]
            if lent.until > now and (lent.run, lent.fence) not in self.facts.released:
                assert attempt.fence == lent.fence, f"{lent.run} was taken from {lent}"
        alive = [a.id.run for a in live_at(list(stored.values()), now)]
        assert len(alive) == len(set(alive))

    def judge_alone(self) -> None:
        """Let the next workers bring each run to its end, once, whatever the others did."""
        named = self.texts.of_items(self.world)
        if self.processes or self.facts.held or named in self._judged:
            return
        self._judged.add(named)
        world = self.world
        for run in self.facts.done:
            assert world.runs.attempts(TENANT, run)[-1].state is RunState.SUCCEEDED
        _resume(world)
        for number in range(20):
            if all(attempt.state in TERMINAL for attempt in world.attempts()):
                break
            world.clock.advance(61)
            world.sweep()
            world.stream()
            found = _claim(9, f"last {number}", world)
            for lent in _handed_out(PoolFacts(), found).held if found else ():
                assert _end(lent, world) == lent.run, f"{lent} is not its holder's"
        states = [(a.id, a.state, a.reason) for a in world.attempts()]
        assert all(state is RunState.SUCCEEDED for _, state, _ in states), states


def _handed_out(facts: PoolFacts, out: HandedOut) -> PoolFacts:
    lent = []
    for each in out.runs:
        lease, run = each.claimed.lease, each.claimed.attempt.id.run
        lent.append(Lent(run=run, fence=lease.fence, token=each.token, until=lease.expires_at))
    handed = facts.handed | {(each.run, each.fence) for each in lent}
    return replace(facts, held=(*facts.held, *lent), handed=handed)


def _claim(most: int, name: str, view: World) -> HandedOut | None:
    # A process that is begun anew draws the same.
    random.seed(name)
    wanted = PoolClaim(tenant=TENANT, pool=POOL, worker=name, max_runs=most)
    with suppress(Throttled):
        return claim_from_pool(wanted, view.working)
    return None


def _end(lent: Lent, view: World) -> RunId | str:
    try:
        complete_run(TENANT, lent.run, lent.token, Answer(text="ok"), view.working)
    except (LeaseLost, Throttled):
        return _LOST
    return lent.run


def _release(lent: Lent, view: World) -> None:
    with suppress(LeaseLost, Throttled):
        release_run(TENANT, lent.run, lent.token, view.working)


def _beat(lent: Lent, view: World) -> Lent | None:
    try:
        heard: Heard = heartbeat_run(TENANT, lent.run, lent.token, Said(), view.working)
    except LeaseLost:
        return None
    except Throttled:
        return lent
    return replace(lent, until=heard.lease_expires_at)


def _pause(view: World) -> str | None:
    now = view.clock.now()
    with suppress(Throttled):
        pause_pool(TENANT, PoolPause(pool=POOL, since=now, by="ops"), api_services(view), now=now)
        return _DONE
    return None


def _resume(view: World) -> None:
    with suppress(Throttled):
        resume_pool(TENANT, POOL, api_services(view), by="ops", now=view.clock.now())
