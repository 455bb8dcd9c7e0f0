"""An event and the task that waits for it meet in every order of their steps, and after crashes."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.event_waits import PARAMETERS, api_of, paid, payment
from tests.support.dag_runs.waiting import look
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.stores.stores_on import Stores, stores_on
from tests.unit.domain.dags.definitions import ACME, dag, task
from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.dag_runs.progress import DagRun, TaskReason
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dags.waits import Expiry
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs
from timegate.usecases.dag_runs.tasks.end_task import end_tasks
from timegate.usecases.events.deliver_events import deliver_events

CALLS = ("get", "get_all", "query", "write", "write_each", "transact", "put_all")
SECONDS = 600


class Died(Exception):
    """The process died before this call."""


@dataclass
class Turns:
    """Lets one of several threads make one call at a time, in the order of a plan."""

    plan: list[int]
    #: Which of them dies, before which of its calls.
    crash: tuple[int, int] | None = None
    active: set[int] = field(default_factory=set)
    made: dict[int, int] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def take(self, actor: int) -> None:
        """Wait for a turn; raises ``Died`` at the crash."""
        with self.changed:
            self.changed.wait_for(lambda: self._next() == actor)
            if self.plan:
                self.plan.pop(0)
            self.made[actor] = self.made.get(actor, 0) + 1
            self.changed.notify_all()
            if self.crash == (actor, self.made[actor]):
                raise Died

    def leave(self, actor: int) -> None:
        """It makes no more calls."""
        with self.changed:
            self.active.discard(actor)
            self.changed.notify_all()

    def _next(self) -> int:
        while self.plan and self.plan[0] not in self.active:
            self.plan.pop(0)
        return self.plan[0] if self.plan else min(self.active)


@dataclass
class Stepped:
    """An engine whose calls wait for their turns."""

    engine: Any
    turns: Turns
    actor: int

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the engine has it
        call = getattr(self.engine, name)
        if name not in CALLS:
            return call

        def stepped(*args: object, **kwargs: object) -> object:
            self.turns.take(self.actor)
            return call(*args, **kwargs)

        return stepped


def stores_of(dag_world: DagWorld, turns: Turns, actor: int) -> Stores:
    """The stores of one of them."""
    world = dag_world.world
    engine: Any = Stepped(world.tables.engine, turns, actor)
    return stores_on(engine, jobs=JOBS_TABLE, runs=RUNS_TABLE, shards=lambda: ONE_SHARD)


def begun(dag_world: DagWorld) -> tuple[DagRun, Attempt]:
    """A DAG run, and the end of the task before the one that waits."""
    wait = payment(SECONDS, on_expiry=Expiry.SKIP)
    own = dag((task("a"), wait, task("b")), "a -> wait", "wait -> b")
    run = dag_world.start(own, parameters=PARAMETERS)
    (first,) = dag_world.waiting()
    return run, dag_world.finish(first, RunState.SUCCEEDED)


def together(turns: Turns, *acts: Callable[[], object]) -> list[bool]:
    """Let all act at once; tell of each if it came to its end."""
    turns.active = set(range(len(acts)))
    done = [False] * len(acts)

    def run(actor: int) -> None:
        try:
            acts[actor]()
            done[actor] = True
        except Died:
            pass
        finally:
            turns.leave(actor)

    threads = [threading.Thread(target=run, args=(actor,)) for actor in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


PLANS = st.lists(st.integers(0, 1), max_size=40)
CRASHES = st.none() | st.tuples(st.integers(0, 1), st.integers(1, 25))


@given(plan=PLANS, crash=CRASHES)
@example(plan=[0] * 40, crash=None)
@example(plan=[1] * 40, crash=None)
def test_an_event_is_never_lost_for_its_task(
    plan: list[int], crash: tuple[int, int] | None
) -> None:
    """While the task begins to wait, before, or after; whichever of the two dies on the way."""
    dag_world = DagWorld()
    run, ended = begun(dag_world)
    turns = Turns(plan, crash)
    waits, sends = (stores_of(dag_world, turns, actor) for actor in (0, 1))
    works = replace(dag_world.works, dag_runs=waits.dag_runs, events=waits.events)
    services = api_of(dag_world, dag_runs=sends.dag_runs, events=sends.events)
    now = dag_world.world.clock.now()
    done = together(
        turns,
        lambda: end_tasks([ended], works),
        lambda: deliver_events(ACME, [paid()], services, now=now),
    )
    if not done[1]:
        # The sender was not answered, and repeats it.
        dag_world.world.clock.advance(5)
        deliver_events(ACME, [paid()], api_of(dag_world), now=dag_world.world.clock.now())
    if all(done):
        # No sweeper has to look: it is found at once.
        assert dag_world.states(run)["wait"] == "succeeded"
    dag_world.follow()
    look(dag_world, run, 120)
    after = dag_world.tasks(run)[TaskKey("wait")]

    assert (after.state, after.reason, after.result) == (
        "succeeded",
        TaskReason.RECEIVED,
        '{"amount":1}',
    )
    assert dag_world.play(run, lambda *_: RunState.SUCCEEDED).status == "succeeded"


@given(plan=PLANS, crash=CRASHES)
def test_an_event_and_the_expiry_decide_a_task_once(
    plan: list[int], crash: tuple[int, int] | None
) -> None:
    """The event came in time; the look that ends the wait may find it, or be sooner."""
    dag_world = DagWorld()
    run, ended = begun(dag_world)
    dag_world.hear(ended)
    until = dag_world.tasks(run)[TaskKey("wait")].waits_until
    assert until is not None
    turns = Turns(plan, crash)
    looks, sends = (stores_of(dag_world, turns, actor) for actor in (0, 1))
    clock = MemoryClock(until)
    works = replace(dag_world.works, dag_runs=looks.dag_runs, events=looks.events, clock=clock)
    services = api_of(dag_world, dag_runs=sends.dag_runs, events=sends.events)
    seen: list[str] = []

    def send() -> None:
        deliver_events(ACME, [paid()], services, now=dag_world.world.clock.now())
        seen.append(dag_world.states(run)["wait"])

    ref = DagRunRef(tenant=ACME, id=run.dag_run_id)
    together(turns, lambda: look_at_dag_runs([ref], works), send)
    dag_world.follow()
    look(dag_world, run, SECONDS + 120)
    after = dag_world.tasks(run)[TaskKey("wait")]

    decided = {"succeeded": TaskReason.RECEIVED, "skipped": TaskReason.EXPIRED}
    assert after.reason == decided[after.state]
    # The state that the sender received stays.
    assert set(seen) <= {after.state}
    assert (after.event is not None) == (after.state == "succeeded")
