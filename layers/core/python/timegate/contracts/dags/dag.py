"""DAGs as they are asked for: a whole one, changes to one, and what to show of one."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from timegate.contracts.dags.dag_tasks import Key, TaskContract
from timegate.contracts.jobs.finish_by import FinishByContract
from timegate.contracts.jobs.follow_ups import FollowUps
from timegate.contracts.jobs.notifications import AbsentAfter, Hooks, LateAfter
from timegate.contracts.recurrence import ScheduleContract
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Description, Labels, Name, domain_value
from timegate.contracts.values.queries import PageQuery
from timegate.domain.dags.definition import DagStatus, Edge, EdgeCondition, FailurePolicy
from timegate.domain.dags.limits import DEFAULT_TIMEOUT_SECONDS, MAX_RETRIES, MAX_TIMEOUT_SECONDS
from timegate.domain.jobs.definition import UNSET
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dags.definition import DagChanges, DagDefinition, RunPolicies

_Timeout = Annotated[
    int,
    Field(ge=1, le=MAX_TIMEOUT_SECONDS, description="From the start of a run to its end."),
    Duration(),
]
#: How many there may be is decided with the rest of the graph.
_Tasks = Annotated[list[TaskContract], Field(description="At most 500.")]

_Schedule = Field(description="When runs of it start by themselves; null: they never do.")
_Told = Field(description="Who is told of ends of its runs.")
_Then = Field(description="Jobs that run once a run of it has ended.")
_Late = Field(
    description="A run that its job has not started so long after its instant is late; null: none."
)
_Absent = Field(
    description="So long without a successful run of its job is told of; null: none is."
)
_FinishBy = Field(description="By when a run of its job is to have ended; null: whenever it does.")


class EdgeContract(Contract):
    """One task waits for another."""

    source: Key
    target: Key
    condition: EdgeCondition = Field(
        EdgeCondition.ON_SUCCESS,
        description="on_failure: whatever is no success; on_finished: any end, skipped included.",
    )

    def to_domain(self) -> Edge:
        """Return the domain's value."""
        return Edge(
            source=TaskKey(self.source), target=TaskKey(self.target), condition=self.condition
        )


_Edges = Annotated[list[EdgeContract], Field(description="At most 2,000.")]


class FailureContract(Contract):
    """Effect of a task's failure on the rest of its run."""

    policy: Annotated[
        FailurePolicy,
        Field(description="continue: whatever can still run does; retry: then what failed, again."),
    ] = FailurePolicy.FAIL_FAST
    max_retries: Annotated[int, Field(description=f"Of retry: 1 to {MAX_RETRIES}.")] = 0

    def to_domain(self) -> RunPolicies:
        """Return the use case's argument."""
        return RunPolicies(policy=self.policy, max_retries=self.max_retries)


class NewDag(Contract):
    """A DAG to create."""

    name: Name
    tasks: _Tasks
    edges: _Edges = Field(default_factory=list)
    failure_policy: FailureContract = Field(default_factory=FailureContract)
    timeout_seconds: _Timeout = DEFAULT_TIMEOUT_SECONDS
    description: Description = ""
    tags: Labels = Field(default_factory=dict)
    metadata: Labels = Field(default_factory=dict)
    schedule: Annotated[ScheduleContract | None, _Schedule] = None
    notifications: Annotated[Hooks, _Told] = Field(default_factory=list)
    then: Annotated[FollowUps, _Then] = Field(default_factory=list)
    late_after_seconds: Annotated[LateAfter | None, _Late] = None
    absent_after_seconds: Annotated[AbsentAfter | None, _Absent] = None
    finish_by: Annotated[FinishByContract | None, _FinishBy] = None

    def to_domain(self) -> DagDefinition:
        """Return the use case's argument."""
        return DagDefinition(
            name=self.name,
            tasks=tuple(task.to_domain() for task in self.tasks),
            edges=tuple(edge.to_domain() for edge in self.edges),
            failures=self.failure_policy.to_domain(),
            timeout_seconds=self.timeout_seconds,
            description=self.description,
            tags=self.tags,
            metadata=self.metadata,
            schedule=domain_value(self.schedule),
            notifications=domain_value(self.notifications),
            then=domain_value(self.then),
            late_after_seconds=self.late_after_seconds,
            absent_after_seconds=self.absent_after_seconds,
            finish_by=domain_value(self.finish_by),
        )


def _absent() -> None:
    """Stands for a field that was not given. A factory's value stays out of the JSON schema."""


_ABSENT: Any = Field(default_factory=_absent)


class DagPatch(Contract):
    """Changes to a DAG: each field given replaces the stored one as a whole."""

    name: Name = _ABSENT
    tasks: _Tasks = _ABSENT
    edges: _Edges = _ABSENT
    failure_policy: FailureContract = _ABSENT
    timeout_seconds: _Timeout = _ABSENT
    description: Description = _ABSENT
    tags: Labels = _ABSENT
    metadata: Labels = _ABSENT
    schedule: Annotated[ScheduleContract | None, _Schedule] = _ABSENT
    notifications: Annotated[Hooks, _Told] = _ABSENT
    then: Annotated[FollowUps, _Then] = _ABSENT
    late_after_seconds: Annotated[LateAfter | None, _Late] = _ABSENT
    absent_after_seconds: Annotated[AbsentAfter | None, _Absent] = _ABSENT
    finish_by: Annotated[FinishByContract | None, _FinishBy] = _ABSENT

    def to_domain(self) -> DagChanges:
        """Return the use case's argument."""
        given = self.model_fields_set
        return DagChanges(
            name=self.name,
            tasks=tuple(task.to_domain() for task in self.tasks) if "tasks" in given else None,
            edges=tuple(edge.to_domain() for edge in self.edges) if "edges" in given else None,
            failures=self.failure_policy.to_domain() if "failure_policy" in given else None,
            timeout_seconds=self.timeout_seconds,
            description=self.description,
            tags=self.tags,
            metadata=self.metadata,
            schedule=domain_value(self.schedule) if "schedule" in given else UNSET,
            notifications=domain_value(self.notifications) if "notifications" in given else None,
            then=domain_value(self.then) if "then" in given else None,
            late_after_seconds=self.late_after_seconds if "late_after_seconds" in given else UNSET,
            absent_after_seconds=(
                self.absent_after_seconds if "absent_after_seconds" in given else UNSET
            ),
            finish_by=domain_value(self.finish_by) if "finish_by" in given else UNSET,
        )


class DagsQuery(PageQuery):
    """Filter of DAGs."""

    status: DagStatus = Field(DagStatus.ACTIVE, description="Only DAGs that stand so.")


class GraphQuery(BaseModel):
    """Version and form of a DAG's graph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "mermaid", "dot"] = Field(
        "json", description="Places and lines, or text for a program that draws."
    )
    version: int | None = Field(None, ge=1, le=999_999_999, description="Without: as it is now.")
