"""DAG runs whose ends are followed by executors, outcomes, sweeper and operators at once."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import Any

from tests.property.dag_runs.dag_oracle import come_to, wants
from tests.property.dags.dag_strategies import Fate
from tests.property.orders.exploring import Step
from tests.property.orders.stage import Stage
from tests.support.dag_runs.dag_world import DagWorld, MemoryExecutions
from tests.support.world import World
from timegate.adapters.dynamo.tables.keys import DAG_RUN_SK
from timegate.adapters.memory.engine import Change
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_errors import (
    DagRunIsFinished,
    DagRunIsUnfinished,
    NothingToRepeat,
)
from timegate.domain.dag_runs.run_identity import DagRunRef, task_run_mark
from timegate.domain.dags.definition import Dag, FailurePolicy
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Conflict, Throttled
from timegate.domain.values.identity import AttemptId, TaskKey
from timegate.usecases.dag_runs.dag_run_services import DagWorks, InPlace
from timegate.usecases.dag_runs.interventions.steer_dag_run import cancel_dag_run, retry_dag_run
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs
from timegate.usecases.dag_runs.tasks.end_in_place import end_in_place
from timegate.usecases.dag_runs.tasks.end_task import end_tasks

_REFUSALS = (Throttled, Conflict, DagRunIsFinished, DagRunIsUnfinished, NothingToRepeat)


@dataclass(frozen=True, kw_only=True)
class DagFacts:
    """Facts that the game remembers beside the items."""

    #: Ends that outcomes has not read, and those that it has, which may come again.
    unread: frozenset[AttemptId] = frozenset()
    read: frozenset[AttemptId] = frozenset()
    #: Ends that their executors have not followed yet.
    own: frozenset[AttemptId] = frozenset()
    #: The stream shows a change of the DAG run that outcomes follows.
    follow: bool = False
    #: A caller stopped the DAG run.
    steered: bool = False


class DagGame(Stage):
    """One DAG run, from its opening to its end."""

    facts: DagFacts

    def __init__(
        self,
        own: Dag,
        ends: Mapping[str, RunState] = MappingProxyType({}),
        may: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.dag = own
        self.fate = Fate(ends={(TaskKey(key), 1): state for key, state in ends.items()})
        self.dag_world = DagWorld()
        self.run = self.dag_world.start(own)
        # A change is told apart from the one before it by its instant.
        self.dag_world.world.clock.advance(1)
        super().__init__(self.dag_world.world, DagFacts(), may)
        self._judged: set[object] = set()

    def begins(self) -> Iterator[Step]:
        """Name ends of runs, and what reads of them."""
        stored = {attempt.id: attempt for attempt in self.texts.attempts(self.world)}
        for attempt in stored.values():
            if attempt.is_task and not attempt.ends_run:
                yield Step(f"run of {_key(attempt)} ends", partial(self._end, attempt))
        yield from self._readers(stored)
        for what, act in self._ACTS.items():
            if self.has(what):
                yield Step(f"one of the {what} begins", partial(self._begin, what, act))

    def _readers(self, stored: Mapping[AttemptId, Attempt]) -> Iterator[Step]:
        facts = self.facts
        for each in sorted(facts.own) if self.has("lines") else ():
            name = f"executor of {_key(stored[each])}"
            yield Step(f"{name} follows", partial(self._follow, name, stored[each]))
            yield Step(f"{name} does not follow", partial(self._drop, each))
        for each in sorted(facts.unread | facts.read):
            name = f"outcomes of {_key(stored[each])}"
            if name not in self.processes and (each in facts.unread or self.has("copies")):
                yield Step(f"{name} reads", partial(self._hear, name, stored[each]))
        if facts.follow and "outcomes" not in self.processes:
            yield Step("outcomes reads the DAG run", self._look_as_told)

    def _end(self, attempt: Attempt) -> None:
        state = self.fate.of(_key(attempt), 1 if _round(attempt) == 1 else 2)
        if attempt.cancel_requested:
            state = RunState.CANCELLED
        ended = self.dag_world.finish(attempt, state, result=f'"{_key(attempt)}"')
        self.note_all()
        if state is RunState.SUCCEEDED and self.has("lines"):
            self.facts = replace(self.facts, own=self.facts.own | {ended.id})

    def _drop(self, each: AttemptId) -> None:
        self.facts = replace(self.facts, own=self.facts.own - {each})

    def _follow(self, name: str, ended: Attempt) -> None:
        self._drop(ended.id)
        self.use("lines")
        self.begin(name, partial(_quietly, partial(self._in_place, ended)))

    def _in_place(self, ended: Attempt, view: World) -> None:
        works = replace(self._works(view), in_place=InPlace(admits=lambda _: True))
        end_in_place(ended, works)

    def _hear(self, name: str, ended: Attempt) -> None:
        facts = self.facts
        if ended.id not in facts.unread:
            self.use("copies")
        facts = self.facts
        unread, read = facts.unread - {ended.id}, facts.read | {ended.id}
        self.facts = replace(facts, unread=unread, read=read)
        self.begin(name, partial(_quietly, lambda view: end_tasks([ended], self._works(view))))

    def _look_as_told(self) -> None:
        self.facts = replace(self.facts, follow=False)
        self.begin("outcomes", partial(_quietly, self._look))

    def _look(self, view: World) -> None:
        ref = DagRunRef(tenant=self.run.tenant, id=self.run.dag_run_id)
        look_at_dag_runs([ref], self._works(view))

    def _cancel(self, view: World) -> object:
        return cancel_dag_run(*self._steered(view), now=view.clock.now())

    def _retry(self, view: World) -> object:
        return retry_dag_run(*self._steered(view), now=view.clock.now())

    _ACTS = MappingProxyType({"looks": _look, "cancels": _cancel, "retries": _retry})

    def _steered(self, view: World) -> Any:  # noqa: ANN401 - the arguments of a use case
        works = self._works(view)
        names = ("dags", "dag_runs", "jobs", "runs", "blobs", "telemetry")
        services = SimpleNamespace(**{name: getattr(works, name) for name in names})
        return self.run.tenant, self.run.dag_run_id, services

    def _begin(self, what: str, act: Callable[["DagGame", World], object]) -> None:
        number = self.use(what)
        if what != "looks":
            self.facts = replace(self.facts, steered=True)
        self.begin(f"{what} {number}", partial(_quietly, partial(act, self)))

    def _works(self, view: World) -> DagWorks:
        return replace(
            self.dag_world.works,
            dag_runs=view.dag_runs,
            events=view.events,
            runs=view.runs,
            slots=view.slots,
            jobs=view.jobs,
            executions=MemoryExecutions(),
            clock=view.clock,
            telemetry=view.telemetry,
            scheduling=view.scheduling,
        )

    def noted(self, change: Change) -> None:
        """Take note of ends, and of changes of the DAG run that outcomes follows."""
        after = change.after or {}
        if change.key.sk == DAG_RUN_SK and after.get("follow"):
            self.facts = replace(self.facts, follow=True)
        ended = {a.id for a in self.texts.attempts(self.world) if a.is_task and a.ends_run}
        new = ended - self.facts.unread - self.facts.read
        if new:
            self.facts = replace(self.facts, unread=self.facts.unread | new)

    def judge(self) -> None:
        """No run begins before its edges hold, and an ended DAG run leaves none under way."""
        tasks = self.dag_world.tasks(self.run)
        states = {key: task.state.value for key, task in tasks.items() if task.has_ended}
        for attempt in self.texts.attempts(self.world):
            if (
                attempt.is_task
                and not attempt.ends_run
                and _round(attempt) == tasks[_key(attempt)].round
            ):
                assert wants(self.dag, _key(attempt), states) is True, f"{_key(attempt)} too early"
        run = self._stored()
        if run.has_ended:
            assert len(states) == len(self.dag.tasks), f"ended with {states}"
            assert len(run.ended) == len(self.dag.tasks)

    def judge_alone(self) -> None:
        """Left to the sweeper, the DAG run comes to what the whole graph says."""
        if self.processes:
            return
        quiet = not self.facts.unread and not self.facts.follow
        waits = [a for a in self.texts.attempts(self.world) if a.is_task and not a.ends_run]
        if quiet and not waits and not self.was_disturbed and not self._stored().has_ended:
            raise AssertionError("all was read, and the DAG run has not ended")
        named = self.texts.of_items(self.world), self.facts.steered
        if named in self._judged:
            return
        self._judged.add(named)
        self._end_alone()

    def _end_alone(self) -> None:
        world = self.dag_world
        world.read_runs = world.read_attempts = 0
        for _ in range(12):
            for attempt in world.waiting():
                state = self.fate.of(_key(attempt), 1 if _round(attempt) == 1 else 2)
                stopped = attempt.cancel_requested
                world.finish(attempt, RunState.CANCELLED if stopped else state)
            world.look(self.run)
            self.judge()
            after = self._stored()
            if after.has_ended and after.watch_at is None:
                break
        assert after.has_ended
        assert after.watch_at is None
        states = {TaskKey(key): state for key, state in world.states(self.run).items()}
        assert len(states) == len(self.dag.tasks)
        assert not world.waiting()
        if self.dag.failure_policy is FailurePolicy.CONTINUE and not self.facts.steered:
            assert (after.status.value, states) == come_to(self.dag, self.fate)

    def _stored(self) -> DagRun:
        return self.dag_world.dag_runs.get(self.run.tenant, self.run.dag_run_id)


def _key(attempt: Attempt) -> TaskKey:
    mark = task_run_mark(attempt.id.run)
    assert mark is not None
    return mark.key


def _round(attempt: Attempt) -> int:
    mark = task_run_mark(attempt.id.run)
    assert mark is not None
    return mark.round


def _quietly(act: Callable[[World], object], view: World) -> None:
    with suppress(*_REFUSALS):
        act(view)
