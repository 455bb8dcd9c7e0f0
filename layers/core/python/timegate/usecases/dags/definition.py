"""A caller's words about a DAG: all of it when creating, some of it when updating."""

from collections.abc import Mapping
from dataclasses import field

from timegate.domain.dags.definition import Edge, FailurePolicy, Task
from timegate.domain.dags.limits import DEFAULT_TIMEOUT_SECONDS
from timegate.domain.jobs.definition import UNSET, Unset
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.hook import Subscription
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.identity import DagId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RunPolicies:
    """Policy for failures of tasks, and retries of the run."""

    policy: FailurePolicy = FailurePolicy.FAIL_FAST
    #: Retries of the policy ``retry`` only.
    max_retries: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class DagDefinition:
    """A whole DAG, as asked for."""

    name: str
    tasks: tuple[Task, ...]
    edges: tuple[Edge, ...] = ()
    failures: RunPolicies = field(default_factory=RunPolicies)
    timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    schedule: Schedule | None = None
    notifications: tuple[Subscription, ...] = ()
    then: tuple[FollowUp, ...] = ()
    late_after_seconds: int | None = None
    absent_after_seconds: int | None = None
    finish_by: FinishBy | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DagChanges:
    """The fields to replace, each as a whole; ``None``: leave it as it is."""

    name: str | None = None
    tasks: tuple[Task, ...] | None = None
    edges: tuple[Edge, ...] | None = None
    failures: RunPolicies | None = None
    timeout_seconds: int | None = None
    description: str | None = None
    tags: Mapping[str, str] | None = None
    metadata: Mapping[str, str] | None = None
    #: ``None``: no run starts by itself any more.
    schedule: Schedule | Unset | None = UNSET
    notifications: tuple[Subscription, ...] | None = None
    then: tuple[FollowUp, ...] | None = None
    #: ``None``: no run is late.
    late_after_seconds: int | Unset | None = UNSET
    #: ``None``: no success is awaited.
    absent_after_seconds: int | Unset | None = UNSET
    #: ``None``: runs have no deadline.
    finish_by: FinishBy | Unset | None = UNSET


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRef:
    """The DAG to change."""

    tenant: TenantId
    dag_id: DagId
    #: Change this version only; ``None``: whichever is stored.
    version: int | None = None
