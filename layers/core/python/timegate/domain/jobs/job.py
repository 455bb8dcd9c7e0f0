"""The job: the durable definition of what runs, when, and how."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from timegate.domain.actions.action import Action
from timegate.domain.actions.action_targets import target_of
from timegate.domain.actions.pool import Offer
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.notification import Hook
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.limits.overlap import QUOTA_KEY, QUOTA_PART, Overlap, OverlapPolicy, SlotKey
from timegate.domain.limits.rate_limit import RateKey, RateLimit
from timegate.domain.limits.wait_queue import Line, Queueing
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.identity import JobId, OperationId, RunId, part_of
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId


class JobStatus(StrEnum):
    """Where a job stands. Only an active job materialises runs."""

    ACTIVE = "active"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    #: Nothing left to fire: the last run has ended.
    COMPLETED = "completed"


class Priority(StrEnum):
    """Each priority has its own queues, executors and concurrency."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


class ResourceClass(StrEnum):
    """How long one attempt may take: ``short`` lives within a small Lambda, ``long`` a large."""

    SHORT = "short"
    LONG = "long"


class Precision(StrEnum):
    """``subsecond``: the executor holds the message until the due millisecond."""

    SECOND = "second"
    SUBSECOND = "subsecond"


class CatchUpPolicy(StrEnum):
    """Which of the instants that passed while nothing was planned run after all."""

    SKIP = "skip"
    #: The last one.
    LATEST = "latest"
    ALL = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class CatchUp:
    """What a job does about missed instants; whatever does not run is a gap in its ledger."""

    policy: CatchUpPolicy = CatchUpPolicy.ALL
    #: Of ``all``: at most so many, the latest.
    limit: int = 1_000
    #: None that are older.
    window_seconds: int = 86_400
    #: An instant that is planned at most so late was not missed, and runs under every policy.
    grace_seconds: int = 60

    @property
    def grace(self) -> timedelta:
        """How late an instant may be planned without being missed: never beyond the window."""
        return timedelta(seconds=min(self.grace_seconds, self.window_seconds))


class CalendarMode(StrEnum):
    """What a calendar is to a job."""

    #: Instants that it covers are left out.
    EXCLUDE = "exclude"
    #: Instants that it does not cover are left out.
    ONLY = "only"


class CalendarAction(StrEnum):
    """What becomes of an instant that a calendar leaves out."""

    #: It does not run: it is recorded as excluded.
    SKIP = "skip"
    #: It runs at the first moment that is left in, unless the job fires again by then.
    DEFER = "defer"
    #: It moves to a business day: see ``Roll``.
    ROLL = "roll"


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarRule:
    """A calendar of the tenant, and what it is to a job."""

    #: Its name.
    calendar: str
    mode: CalendarMode = CalendarMode.EXCLUDE
    action: CalendarAction = CalendarAction.SKIP
    #: Only this business day of each month is left in: 1 is the first, -1 the last.
    business_day: int | None = None
    #: Of the action roll: where to.
    roll: Roll | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """What the planner must know of a job, and all it may know: a projection of the index."""

    tenant: TenantId
    job_id: JobId
    version: int
    status: JobStatus
    schedule: Schedule
    priority: Priority
    resource_class: ResourceClass
    precision: Precision
    created_at: datetime
    #: When this schedule was given: at creation, or by the update that last changed it. Delays
    #: and unanchored rates count from here.
    anchored_at: datetime
    #: The first instant not yet materialised; ``None`` when nothing waits to fire.
    next_run_at: datetime | None
    #: Scheduled runs materialised so far, over all versions; one that is reopened counts again.
    runs_planned: int = 0
    #: Of a job with ``max_runs``: how many runs began of those up to ``counted_until``.
    runs_begun: int = 0
    #: Every scheduled run up to this instant has ended; ``None``: none is known to.
    counted_until: datetime | None = None
    #: Of a job with ``max_runs``: nothing is planned until one of its runs ends. They hold all
    #: places, or the schedule names no other instant.
    full: bool = False
    catch_up: CatchUp = field(default_factory=CatchUp)
    #: A run that has not started so many seconds after its instant does not start at all.
    start_within_seconds: int | None = None
    #: What was missed up to here has been decided: instants not after it that are still to be
    #: materialised are to run.
    decided_until: datetime | None = None
    #: Of a paused job: the first instant that has no record yet.
    held_at: datetime | None = None
    #: Since when it is paused; also until runs that the pause skipped are reopened.
    paused_at: datetime | None = None
    #: Skipped runs of the pause from this instant on are to be reopened; ``None``: not decided.
    reopens_from: datetime | None = None
    #: An instant runs if every one of these lets it.
    calendars: tuple[CalendarRule, ...] = ()
    #: Where its runs are offered to workers; ``None``: they go through a queue.
    offer: Offer | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def reopens(self) -> bool:
        """It was resumed to catch up: runs that its pause skipped are still to be reopened."""
        return self.status is JobStatus.ACTIVE and self.paused_at is not None

    @property
    def queue_key(self) -> str:
        """The queue its runs go through: ``<priority>-<class>``."""
        return f"{self.priority}-{self.resource_class}"


#: What changes in a timing without anybody defining the job anew.
_PROGRESS = (
    *("version", "status", "next_run_at", "runs_planned", "runs_begun", "counted_until", "full"),
    *("anchored_at", "decided_until", "held_at", "paused_at", "reopens_from"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A job as stored: its timing, and what its runs do."""

    timing: Timing
    name: str
    action: Action
    payload: Payload
    timeout_seconds: int
    retry: RetryPolicy
    updated_at: datetime
    #: Fingerprint of the creating request: the same key with another one is a conflict.
    request_hash: str
    description: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    overlap: Overlap = field(default_factory=Overlap)
    #: The bulk operation that changed it last: one that is repeated knows what it did.
    last_operation: OperationId | None = None
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    #: Its runs may go on in slices; ``None``: each ends with its target's answer.
    long_run: LongRun | None = None
    #: Who is told of its runs.
    notifications: tuple[Hook, ...] = ()
    #: A run that starts so many seconds after it was due is late.
    late_after_seconds: int | None = None
    #: By when a run of it is to have ended.
    finish_by: FinishBy | None = None
    #: What runs once a run of it has ended.
    then: tuple[FollowUp, ...] = ()
    #: How often its target may be called; ``None``: as often as runs are due.
    rate_limit: RateLimit | None = None
    #: Who is asked before a run of it begins.
    before: Condition | None = None
    #: So many runs of its tenant may work at once: no part of the definition, and known only to
    #: those who load it with a run. ``None``: any number.
    tenant_runs: int | None = None
    #: And so many may begin on a day.
    tenant_day_runs: int | None = None

    @property
    def tenant(self) -> TenantId:
        """Whose job it is."""
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
        """Whether both say the same of what runs, when, and how: only time has passed."""
        timing = other.timing
        progress = {name: getattr(timing, name) for name in _PROGRESS}
        as_other = replace(
            self,
            timing=replace(self.timing, **progress),
            updated_at=other.updated_at,
            last_operation=other.last_operation,
        )
        return as_other == other

    @property
    def slot_key(self) -> SlotKey | None:
        """Whose slots its runs take; ``None`` when they need none."""
        if self.overlap.policy is OverlapPolicy.ALLOW:
            return None
        return SlotKey(tenant=self.tenant, name=self.overlap.concurrency_key or self.job_id)

    def under_quota(self, run: RunId) -> "Job | None":
        """As its tenant's quota of concurrent runs governs a run of it; ``None`` without one.

        A large quota is kept in parts, and the run takes a slot of one of them: records stay small,
        and writers do not meet at one of them.
        """
        if self.tenant_runs is None or self.waits_in is Line.QUOTA:
            return None
        parts = max(1, -(-self.tenant_runs // QUOTA_PART))
        part = part_of(str(run), parts)
        share, rest = divmod(self.tenant_runs, parts)
        overlap = Overlap(
            policy=OverlapPolicy.QUEUE,
            max_concurrent=share + (part < rest),
            concurrency_key=f"{QUOTA_KEY}{part}",
        )
        return replace(self, overlap=overlap)

    @property
    def waits_in(self) -> Line:
        """Whose slots its runs wait for, if they need any."""
        key = self.overlap.concurrency_key
        if key is None:
            return Line.JOB
        return Line.QUOTA if key.startswith(QUOTA_KEY) else Line.KEY

    def queueing(self, fence: int) -> Queueing:
        """What a run of it waits for that was claimed so often."""
        line = self.waits_in
        slots = self.overlap.max_concurrent
        if line is Line.QUOTA and self.tenant_runs is not None:
            # Its record has a part of them.
            slots = self.tenant_runs
        key = self.overlap.concurrency_key if line is Line.KEY else None
        return Queueing(line=line, slots=slots, fence=fence, key=key)

    @property
    def rate_key(self) -> RateKey | None:
        """With whose calls its own are counted; ``None``: nobody counts them."""
        target = target_of(self.action)
        if self.rate_limit is None or target is None:
            return None
        return RateKey(tenant=self.tenant, name=self.rate_limit.key or target)
