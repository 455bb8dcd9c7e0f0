"""Event triggers: a pattern, the work that it starts, and perhaps a web hook of its own."""

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, NewType

from timegate.domain.jobs.demands import Priority
from timegate.domain.values.identity import DagId
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

EventTriggerName = NewType("EventTriggerName", str)
HookId = NewType("HookId", str)

#: A trigger's name is its id.
EVENT_TRIGGER_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: Triggers of one tenant: an event is compared with each of them.
MAX_EVENT_TRIGGERS = 100
#: JSON text of a pattern, and of what it sends on: all triggers of a tenant are read at once.
MAX_PATTERN_BYTES = 4096
MAX_TEMPLATE_BYTES = 4096
#: Targets that a trigger had before, and that are still asked for a repeated event.
MAX_FORMER = 5


class EventTriggerStatus(StrEnum):
    """Standing of an event trigger."""

    ACTIVE = "active"
    #: Events pass it by.
    PAUSED = "paused"


class HookScheme(StrEnum):
    """Schemes by which requests of a web hook are signed."""

    #: Standard Webhooks 1.0.0, symmetric.
    STANDARD = "standard"
    #: ``X-Hub-Signature-256``.
    GITHUB = "github"


@dataclass(frozen=True, kw_only=True, slots=True)
class StartsJob:
    """A matching event triggers this job."""

    type: ClassVar[str] = "job"

    #: An id, or ``key:`` and a key, which is looked up for each event.
    job_id: str
    #: JSON with references to ``event``, instead of the job's payload; both ``None``: the event.
    payload: str | None = None
    #: The same, merged into the job's payload.
    payload_patch: str | None = None
    priority: Priority | None = None
    #: Tags of the run, sorted by name.
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class StartsDagRun:
    """A matching event starts a run of this DAG."""

    type: ClassVar[str] = "dag_run"

    dag_id: DagId
    #: A JSON object with references to ``event``; ``None``: the event.
    parameters: str | None = None


Starts = StartsJob | StartsDagRun


@dataclass(frozen=True, kw_only=True, slots=True)
class Hook:
    """A web hook whose requests are this trigger's events."""

    scheme: HookScheme
    secret: SecretRef


@dataclass(frozen=True, kw_only=True, slots=True)
class FormerTarget:
    """The job or DAG that a trigger started before its owner gave it another."""

    starts: Starts
    left_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class EventTrigger:
    """A pattern over events of its tenant, and the work that a matching event starts."""

    tenant: TenantId
    name: EventTriggerName
    #: JSON text.
    pattern: str
    starts: Starts
    #: ``None``: the tenant's own events.
    hook: Hook | None = None
    #: The end of the hook's path: random, and kept as long as there is a hook.
    hook_id: HookId | None = None
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    status: EventTriggerStatus = EventTriggerStatus.ACTIVE
    #: 1, and one more with every change; kept over a deletion. The store counts.
    version: int = 0
    created_at: datetime
    updated_at: datetime
    #: The latest first: an event that began work at one of these is repeated there.
    former: tuple[FormerTarget, ...] = ()

    @property
    def is_active(self) -> bool:
        """Tell if events reach it."""
        return self.status is EventTriggerStatus.ACTIVE


@dataclass(frozen=True, kw_only=True, slots=True)
class HookPlace:
    """The trigger that an address of a web hook belongs to, and what a signature is checked by."""

    tenant: TenantId
    name: EventTriggerName
    hook: Hook


def former_after(before: EventTrigger, after: EventTrigger) -> tuple[FormerTarget, ...]:
    """Return the former targets of a trigger that another definition replaces."""
    left, present = _target(before.starts), _target(after.starts)
    others = tuple(each for each in before.former if each.starts not in {left, present})
    if left == present:
        return others
    return (FormerTarget(starts=left, left_at=after.updated_at), *others)[:MAX_FORMER]


def _target(starts: Starts) -> Starts:
    """Return the job or DAG alone, without the data that it is sent."""
    if isinstance(starts, StartsJob):
        return StartsJob(job_id=starts.job_id)
    return StartsDagRun(dag_id=starts.dag_id)
