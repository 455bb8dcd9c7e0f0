"""Services of the functions that move DAG runs on."""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Self

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.reopening import IndexedDag, stands
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.dags.edges import Graph
from timegate.domain.dags.waits import WaitTask
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import TaskKey
from timegate.ports.blobs import BlobStore
from timegate.ports.clock import Clock
from timegate.ports.dag_runs import DagDefinitions, DagRunStore, Executions
from timegate.ports.events import EventStore
from timegate.ports.limits.slots import SlotStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.usecases.services.planner_services import Scheduling

#: How long a DAG run may stand still before the sweeper has it looked at.
LOOK_AFTER = timedelta(minutes=2)
#: One that is being opened or put back should be done soon.
LOOK_SOON = timedelta(minutes=1)


def next_look(run: DagRun, now: datetime) -> datetime:
    """At its deadline if that is near; never in the past, where the sweeper does not look again."""
    return max(min(now + LOOK_AFTER, run.deadline_at), now)


def change_task(
    before: TaskProgress, after: TaskProgress, dag_runs: DagRunStore
) -> TaskProgress | None:
    """Store another state of a task; as it is then, or ``None`` where another actor changed it.

    A client that gets no answer sends a write again, which meets the first one: a task that is as
    it was to become has changed by this. Raises ``Throttled``.
    """
    stored = dag_runs.change_task(before, after)
    if stored is not None:
        return stored
    found = dag_runs.task(before.tenant, before.dag_run_id, before.key)
    return found if found is not None and _marks(found) == _marks(after) else None


def _marks(task: TaskProgress) -> tuple[object, ...]:
    """Return what one change makes of a task, and no other change at another millisecond."""
    members = task.members
    return (
        *(task.round, task.state, task.reason, task.result),
        *(task.started_at, task.ended_at, task.waits_until, task.event, task.intervention),
        members is not None and members.is_complete,
    )


def change_run(before: DagRun, after: DagRun, dag_runs: DagRunStore) -> bool:
    """Store another status of a DAG run; ``False`` where another actor changed it.

    A DAG run that is as it was to become has changed by this, as ``change_task`` has it. Raises
    ``Throttled``.
    """
    if dag_runs.change(before, after):
        return True
    found = dag_runs.get(before.tenant, before.dag_run_id)
    return found == replace(
        after,
        revision=before.revision + 1,
        # Tasks that end, and executions that ask, change no status.
        ended=found.ended,
        failed=found.failed,
        tokens=found.tokens,
        # A look marks the record, and tells of nothing else.
        follow=found.follow,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class InPlace:
    """The executor that ended a task, and executes the next one without a message."""

    #: Tells if it executes runs of this job.
    admits: Callable[[Job], bool]
    #: The runs that it is to claim.
    started: list[Attempt] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class DagWorks:
    """Stores, and the executions that stand for DAG runs."""

    dag_runs: DagRunStore
    dags: DagDefinitions
    #: Events of tenants, for which tasks may wait.
    events: EventStore
    runs: RunStore
    #: Slots that jobs' runs hold which wait for DAG runs.
    slots: SlotStore
    jobs: JobStore
    blobs: BlobStore
    executions: Executions
    clock: Clock
    telemetry: Telemetry
    #: Publishes the runs of tasks that start; ``None``: the relay alone does.
    scheduling: "Scheduling | None" = None
    #: Executes the run of a task that starts; ``None``: it goes through a queue.
    in_place: InPlace | None = None
    #: Up to then the stage's other region may have begun runs; ``None``: it has no other.
    lost_until: Callable[[], datetime | None] = lambda: None
    #: A look takes up no further task from then on; ``None``: it does all that there is to do.
    until: datetime | None = None

    @property
    def is_over(self) -> bool:
        """Tell if the time of a look has passed."""
        return self.until is not None and self.clock.now() >= self.until

    def takes(self, governor: Job) -> bool:
        """Tell if this process publishes or executes a task's run; else the relay publishes."""
        if self.in_place is not None:
            return self.in_place.admits(governor)
        return self.scheduling is not None


@dataclass(frozen=True, kw_only=True)
class Course:
    """A DAG run as it was read, with the definition that it keeps to."""

    run: DagRun
    dag: Dag

    @classmethod
    def of(cls, run: DagRun, works: DagWorks) -> Self:
        """Read the definition; it never changes."""
        return cls(run=run, dag=works.dags.version(run.tenant, run.dag_id, run.dag_version))

    def at(self, run: DagRun) -> "Course":
        """The same, with the DAG run as it is now."""
        return replace(self, run=run)

    @cached_property
    def graph(self) -> Graph:
        """Return the graph of tasks: each waits for those before it."""
        return Graph.of(self.dag.tasks, self.dag.edges)

    @cached_property
    def places(self) -> Mapping[TaskKey, int]:
        """The places of tasks in the definition: so they are named in sets."""
        return {task.key: place for place, task in enumerate(self.dag.tasks)}

    @cached_property
    def layout(self) -> IndexedDag:
        """All that stays as it is."""
        return IndexedDag(dag=self.dag, graph=self.graph, places=self.places)

    @property
    def has_waits(self) -> bool:
        """Some of its tasks wait, and make no run."""
        return any(isinstance(task.spec, WaitTask) for task in self.dag.tasks)

    def stands(self, task: TaskProgress) -> bool:
        """Tell if a task's outcome counts: it is not about to be put back."""
        return stands(self.run, self.places[task.key], task)

    def task(self, key: TaskKey) -> Task:
        """A task's definition."""
        return self.dag.tasks[self.places[key]]
