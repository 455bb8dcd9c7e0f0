"""The definition of a DAG: its tasks, what each waits for, and what becomes of failures."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from math import ceil
from typing import ClassVar

from timegate.domain.dags.limits import DEFAULT_TIMEOUT_SECONDS, MAX_FAN_OUT_WIDTH
from timegate.domain.dags.waits import WaitTask
from timegate.domain.jobs.definition import RunDefinition
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.hook import Subscription, occasions_heard
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.identity import DagId, JobId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Fields of a DAG that a job of its own carries out: one of them is enough to have one.
SAID_OF_OWN_JOB = (
    *("schedule", "late_after_seconds", "absent_after_seconds", "finish_by"),
    *("notifications", "then"),
)


class EdgeCondition(StrEnum):
    """Ends of a task that satisfy an edge."""

    ON_SUCCESS = "on_success"
    #: It failed, timed out, was dead-lettered or cancelled.
    ON_FAILURE = "on_failure"
    #: It ended, however: a task that was skipped has ended as well.
    ON_FINISHED = "on_finished"


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Edge:
    """One task waits for another; between two tasks there is at most one edge."""

    source: TaskKey
    target: TaskKey
    condition: EdgeCondition = EdgeCondition.ON_SUCCESS


class TriggerKind(StrEnum):
    """Numbers of incoming edges that must be satisfied."""

    ALL = "all"
    ANY = "any"
    AT_LEAST = "at_least"


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerRule:
    """Rule by which a task runs; once too few edges can still be satisfied, it is skipped."""

    kind: TriggerKind = TriggerKind.ALL
    #: Number of ``at_least`` only.
    count: int | None = None

    def needed(self, edges: int) -> int:
        """Return how many of so many edges must be satisfied; a task without edges runs at once."""
        match self.kind:
            case TriggerKind.ALL:
                return edges
            case TriggerKind.ANY:
                return min(1, edges)
            case TriggerKind.AT_LEAST:
                return self.count or 0


class FailurePolicy(StrEnum):
    """Consequences of a task's failure for the rest of its run."""

    #: Nothing new starts, and what is under way is cancelled.
    FAIL_FAST = "fail_fast"
    #: Each task that can still run does.
    CONTINUE = "continue"
    #: First like ``continue``; then failed tasks are tried again, and all that waited for them.
    RETRY = "retry"


class JoinKind(StrEnum):
    """Numbers of members that must succeed for the task of a fan-out to succeed."""

    ALL = "all"
    AT_LEAST = "at_least"
    SHARE = "share"


@dataclass(frozen=True, kw_only=True, slots=True)
class Join:
    """Rule by which a fan-out succeeds."""

    kind: JoinKind = JoinKind.ALL
    #: Number of ``at_least`` only. A shorter list fails the task before any member starts.
    count: int | None = None
    #: Share of ``share`` only: above 0, at most 1; rounded up to whole members.
    share: float | None = None

    def needed(self, width: int) -> int:
        """Return how many members of so many must succeed."""
        match self.kind:
            case JoinKind.ALL:
                return width
            case JoinKind.AT_LEAST:
                return self.count or 0
            case JoinKind.SHARE:
                # The number as written: the float 0.07 is a little more than 7 of 100.
                return ceil(Fraction(str(self.share or 0)) * width)


@dataclass(frozen=True, kw_only=True, slots=True)
class FanOut:
    """One member of a task per element of a list that is known only in the run."""

    #: JMESPath over the run's data; it must find a list.
    over: str
    join: Join = field(default_factory=Join)
    #: A longer list fails the task before any member starts.
    max_width: int = MAX_FAN_OUT_WIDTH


@dataclass(frozen=True, kw_only=True, slots=True)
class JobTask:
    """A task that runs a job of the tenant, as that is defined when the DAG run begins."""

    tag: ClassVar[str] = "job"
    job_id: JobId


@dataclass(frozen=True, kw_only=True, slots=True)
class InlineTask(RunDefinition):
    """A task that says itself what runs, in the words of a job.

    With an overlap other than ``allow`` it names a concurrency key: a task has no slots of its own.
    """

    tag: ClassVar[str] = "inline"
    #: JSON text, sent as it is; ``None``: none, or what the task's ``input`` makes.
    payload: str | None = None
    resource_class: ResourceClass = ResourceClass.SHORT


TaskSpec = JobTask | InlineTask | WaitTask


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """A node of the graph."""

    key: TaskKey
    spec: TaskSpec
    #: For people; empty: its key.
    name: str = ""
    trigger_rule: TriggerRule = field(default_factory=TriggerRule)
    fan_out: FanOut | None = None
    #: JSON text in which ``{"$ref": "<JMESPath>"}`` stands for what it finds in the run's data:
    #: the payload of the task's runs. ``None``: its spec's own.
    input: str | None = None
    #: In the place of its job's; ``None``: that, or normal.
    priority: Priority | None = None


class DagStatus(StrEnum):
    """States of a DAG: a deleted one starts no runs."""

    ACTIVE = "active"
    #: It can be read, and what runs goes on; nothing new starts.
    DELETED = "deleted"


@dataclass(frozen=True, kw_only=True, slots=True)
class Dag:
    """One version of a DAG. ``tasks`` and ``edges`` are in the order in which they were given."""

    tenant: TenantId
    dag_id: DagId
    version: int
    name: str
    tasks: tuple[Task, ...]
    edges: tuple[Edge, ...]
    created_at: datetime
    #: When this version was made, or the DAG deleted.
    updated_at: datetime
    #: Fingerprint of the creating request: the same key with another one is a conflict.
    request_hash: str
    status: DagStatus = DagStatus.ACTIVE
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    failure_policy: FailurePolicy = FailurePolicy.FAIL_FAST
    #: Bound of the policy ``retry`` only.
    max_retries: int = 0
    #: From the start of a run to its end.
    timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS
    #: When runs of it start by themselves; ``None``: they never do.
    schedule: Schedule | None = None
    #: Channels that are told of ends of its runs.
    notifications: tuple[Subscription, ...] = ()
    #: Jobs that run once a run of it has ended.
    then: tuple[FollowUp, ...] = ()
    #: A run that its own job has not started so many seconds after its instant is late.
    late_after_seconds: int | None = None
    #: So many seconds without a success of a run that its own job started are told of.
    absent_after_seconds: int | None = None
    #: By when a run that its own job starts is to have ended.
    finish_by: FinishBy | None = None
    #: This version or one before it had one of these: it has a job of its own.
    has_job: bool = False

    @property
    def wants_job(self) -> bool:
        """It says something that its own job does."""
        said = (getattr(self, name) for name in SAID_OF_OWN_JOB)
        return any(each is not None and each != () for each in said)

    @property
    def is_heard(self) -> bool:
        """Something follows ends of its runs."""
        return bool(occasions_heard(self.notifications) or self.then)
