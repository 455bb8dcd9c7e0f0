"""The job: the durable definition of what runs, when, and how."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.definition import (
    DEFINED,
    PLANNED,
    PlanDefinition,
    WorkDefinition,
    defaults,
)
from timegate.domain.jobs.demands import ListRuns
from timegate.domain.jobs.slices import FOLLOWING, LongRun
from timegate.domain.limits.overlap import NO_KEYS, QUOTA_KEY, RunKeys, SlotKey, quota_overlap
from timegate.domain.limits.rate_limit import RateKey
from timegate.domain.limits.wait_queue import Queueing, WaitQueue
from timegate.domain.values.errors import Conflict
from timegate.domain.values.identity import AttemptId, JobId, OperationId, RunId
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Version of a job that was never changed, paused or resumed.
FIRST_VERSION = 1


class JobKeyTaken(Conflict):
    """Another job of the tenant has the key; choose another, or change that job's."""

    code = "job_key_taken"

    def __init__(self, key: str, holder: str) -> None:
        super().__init__(f"Job {holder} has the key {key}: choose another, or change its key.")


class JobStatus(StrEnum):
    """The life of a job. Only an active job materialises runs."""

    ACTIVE = "active"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    #: Nothing left to fire: the last run has ended.
    COMPLETED = "completed"


@dataclass(frozen=True, kw_only=True, slots=True)
class FailurePause:
    """The last pause that Timegate decided on, after failed runs in a row."""

    at: datetime
    #: The attempt whose end decided.
    attempt: AttemptId
    #: So many runs had failed in a row.
    failures: int
    #: The version as which a caller resumed the job; ``None``: it is paused.
    resumed_as: int | None = None
    #: A run succeeded since then: failures count anew.
    passed: bool = False

    @property
    def on_trial(self) -> bool:
        """Tell if the job was resumed, and the next run that ends decides about it."""
        return self.resumed_as is not None and not self.passed

    @property
    def cause(self) -> str:
        """Name the cause in words: "after 3 failed runs in a row"."""
        return f"after {self.failures} failed run{'s in a row' if self.failures > 1 else ''}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Announcement:
    """Runs that a process stores before all else that it decides, and the next instant then."""

    instants: tuple[datetime, ...]
    #: When each is due; nothing where that is its instant.
    due: tuple[datetime, ...] = ()
    following: datetime

    @property
    def runs(self) -> tuple[tuple[datetime, datetime], ...]:
        """Pair each instant with the moment at which its run is due."""
        return tuple(zip(self.instants, self.due or self.instants, strict=True))


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing(PlanDefinition):
    """The planner's view of a job: a projection of the index, and nothing else."""

    tenant: TenantId
    job_id: JobId
    version: int
    status: JobStatus
    created_at: datetime
    #: When this schedule was given, by an update or creation: delays and rates count from here.
    anchored_at: datetime
    #: The first instant not yet materialised; ``None`` when nothing waits to fire. Callers see it
    #: as ``next_unplanned_at``, and ``next_run`` as the next run.
    next_run_at: datetime | None
    #: Scheduled runs materialised so far, over all versions; one that is reopened counts again.
    runs_planned: int = 0
    #: Runs begun of those up to ``counted_until``, for a job with ``max_runs``.
    runs_begun: int = 0
    #: Every scheduled run up to this instant is counted; ``None``: none is known to be.
    counted_until: datetime | None = None
    #: Runs that are not: those up to there that had not ended, and the first one after it.
    uncounted: tuple[datetime, ...] = ()
    #: Nothing is planned until one of its runs ends, for a job with ``max_runs``.
    full: bool = False
    #: Instants missed up to here are decided: those that are not stored yet are to run.
    decided_until: datetime | None = None
    #: First instant without a record, for a paused job.
    held_at: datetime | None = None
    #: Since when it is paused; also until runs that the pause skipped are reopened.
    paused_at: datetime | None = None
    #: Skipped runs of the pause from this instant on are to be reopened; ``None``: not decided.
    reopens_from: datetime | None = None
    #: Runs of instants up to here may be planned, which calendars rolled to earlier days.
    rolled_until: datetime | None = None
    #: ``None``: failures have never paused it.
    failure_pause: FailurePause | None = None
    #: Runs that are being stored, from the next instant on; ``None``: none are.
    announced: Announcement | None = None
    #: It was stored with its one run, far from its tenant's quota, and does not count against it.
    untallied: bool = False
    #: The job that a task names, of which this is the part that governs it; ``None``: none does.
    named_job: JobId | None = None
    #: Where its runs are offered to workers; ``None``: they go through a queue.
    offer: Offer | None = None

    @property
    def lists_runs(self) -> bool:
        """Tell if its tenant's listing shows runs of it in every state."""
        return self.list_runs is ListRuns.ALL

    @property
    def paused_itself(self) -> bool:
        """Tell if failures paused it, and no caller has resumed it."""
        pause = self.failure_pause
        return self.status is JobStatus.PAUSED and pause is not None and pause.resumed_as is None

    @property
    def on_trial(self) -> bool:
        """Tell if failures paused it, a caller resumed it, and no run succeeded since."""
        return self.failure_pause is not None and self.failure_pause.on_trial

    @property
    def reopens(self) -> bool:
        """It was resumed to catch up: runs that its pause skipped are still to be reopened."""
        return self.status is JobStatus.ACTIVE and self.paused_at is not None

    @property
    def queue_key(self) -> str:
        """The queue its runs go through: ``<priority>-<class>``."""
        return f"{self.priority}-{self.resource_class}"


#: Fields of a timing that change without a new definition of the job.
_PROGRESS = (
    *("version", "status", "next_run_at", "runs_planned", "runs_begun", "counted_until", "full"),
    *("anchored_at", "decided_until", "held_at", "paused_at", "reopens_from", "rolled_until"),
    *("failure_pause", "untallied", "uncounted"),
)
#: Those of a job beside its timing.
_STATE = ("updated_at", "last_operation", "pause_reason", "resumed_at")


@dataclass(frozen=True, kw_only=True, slots=True)
class Job(WorkDefinition):
    """A job as stored: its definition, a part of which is in its timing, and its state."""

    timing: Timing
    #: Where the payload of its definition is.
    payload: Payload
    updated_at: datetime
    #: Fingerprint of the creating request: the same key with another one is a conflict.
    request_hash: str
    #: The bulk operation that changed it last: one that is repeated knows what it did.
    last_operation: OperationId | None = None
    #: In the words of the caller who paused it.
    pause_reason: str | None = None
    #: A caller who had paused it let it go on then, or it was imported: it is awaited from then on.
    resumed_at: datetime | None = None
    #: The audit trail's entry of its creation, as stored; ``None``: it lies with the others.
    creation: str | None = None
    #: So many runs of its tenant may work at once; known to those who load it with a run alone.
    tenant_runs: int | None = None
    #: And so many may begin on a day.
    tenant_day_runs: int | None = None
    #: Rules of its tenant are told of runs that have not begun after these, as it selects them.
    told_late_after: tuple[int, ...] = ()
    #: Keys of the run with which it is loaded.
    run_keys: RunKeys = NO_KEYS

    @property
    def tenant(self) -> TenantId:
        """The tenant that owns it."""
        return self.timing.tenant

    @property
    def job_id(self) -> JobId:
        """Its computed id."""
        return self.timing.job_id

    @property
    def tags(self) -> Mapping[str, str]:
        """Its tags, which its timing carries: a freeze may name them."""
        return self.timing.tags

    def defines_as(self, other: "Job") -> bool:
        """Tell whether both say the same about runs, instants and manner: only time has passed."""
        progress = {name: getattr(other.timing, name) for name in _PROGRESS}
        state = {name: getattr(other, name) for name in _STATE}
        return replace(self, timing=replace(self.timing, **progress), **state) == other

    def defined(self, name: str) -> Any:  # noqa: ANN401 - the field has its type
        """Read a field of its definition by name; its payload is stored apart."""
        return getattr(self.timing if name in PLANNED else self, name)

    def redefined(self, given: Mapping[str, Any]) -> "Job":
        """Replace fields of its definition by name; its payload is stored apart."""
        plan = {name: value for name, value in given.items() if name in PLANNED}
        work = {name: value for name, value in given.items() if name not in PLANNED}
        offer = work.get("action", self.action).offer
        return replace(self, timing=replace(self.timing, **plan, offer=offer), **work)

    def reduced(self, kept: AbstractSet[str], given: Mapping[str, Any]) -> "Job":
        """Keep the named fields of its definition and those ``given``; others get their default.

        Raises ``TypeError`` if this leaves a field without a value.
        """
        lost = DEFINED - kept - given.keys()
        values = defaults()
        if not lost <= values.keys():
            message = f"There is no default of {min(lost - values.keys())}."
            raise TypeError(message)
        reset = {name: values[name] for name in lost}
        reset |= {"payload": Payload()} if "payload" in lost else {}
        return self.redefined({**reset, **given})

    @property
    def slices_allowed(self) -> LongRun | None:
        """Return the allowance for slices; ``None``: each run ends with its target's answer."""
        return FOLLOWING if self.action.is_followed else self.long_run

    @property
    def slot_key(self) -> SlotKey | None:
        """Return the key of the slots that its runs take; ``None`` when they need none."""
        if not self.overlap.has_slots:
            return None
        base = self.overlap.concurrency_key or self.job_id
        return SlotKey(tenant=self.tenant, name=self.run_keys.slots_within(base))

    def under_quota(self, run: RunId) -> "Job | None":
        """Return the job as its tenant's quota of concurrent runs governs it; ``None``: none."""
        if self.tenant_runs is None or self.waits_in is WaitQueue.QUOTA:
            return None
        return replace(self, overlap=quota_overlap(self.tenant_runs, str(run)), run_keys=NO_KEYS)

    @property
    def waits_in(self) -> WaitQueue:
        """Return the key of the slots that its runs wait for, if they need any."""
        key = self.overlap.concurrency_key or ""
        if key.startswith(QUOTA_KEY):
            return WaitQueue.QUOTA
        return WaitQueue.KEY if key or self.run_keys.slots is not None else WaitQueue.JOB

    def queueing(self, fence: int) -> Queueing:
        """Return the wait of a run that was claimed so often."""
        line = self.waits_in
        slots = self.overlap.max_concurrent
        if line is WaitQueue.QUOTA and self.tenant_runs is not None:
            # Its record has a part of them.
            slots = self.tenant_runs
        key = self.slot_key if line is WaitQueue.KEY else None
        name = key.name if key is not None else None
        return Queueing(line=line, slots=slots, fence=fence, key=name)

    @property
    def rate_key(self) -> RateKey | None:
        """With whose calls its own are counted; ``None``: they are not counted."""
        target = self.action.target
        if self.rate_limit is None or target is None:
            return None
        name = self.run_keys.calls_within(self.rate_limit.key or target)
        return RateKey(tenant=self.tenant, name=name)

    @property
    def key_pointers(self) -> frozenset[str]:
        """Return the pointers at which keys of its runs are read in their payloads."""
        limit = self.rate_limit
        given = (self.overlap.key_from, limit.key_from if limit is not None else None)
        return frozenset(each for each in given if each is not None)
