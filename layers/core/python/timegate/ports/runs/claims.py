"""Claims of attempts, those that count against a quota of a day, keys, triggers, and new jobs."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

from timegate.domain.execution.day_quota import Counted, DayQuota
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.lease import Lease, Pickup
from timegate.domain.runs.run import Attempt, Collapsed
from timegate.domain.values.identity import JobId, JobKey
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.execution.triggers import KeyedRun, TriggerKey
    from timegate.domain.jobs.job import Job
    from timegate.domain.ledger.damaged_records import RunRecord
    from timegate.domain.limits.collapse import CollapseKey, CollapseWindow


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaseClaim:
    """Take the lease of an attempt as it was read; the fence is one more than it was.

    The deadline that the attempt carries is recorded with it.
    """

    attempt: Attempt
    job_version: int
    lease: Lease
    #: Mode of the job: under this the attempt is executed.
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    #: On these occasions its job wants it to be heard of.
    notify: tuple[Occasion, ...] = ()
    #: How many leases of it were taken beside no other run, with this one.
    alone: int = 0
    #: Instant of the first claim of a run that may go on in slices.
    begins_at: datetime | None = None
    #: The way to this claim; ``None``: it is not known.
    pickup: Pickup | None = None
    #: Where the watch instant moves to; ``None``: it stays.
    watch_at: datetime | None = None


class JobKeys(Protocol):
    """The part of ``JobStore`` that finds jobs by their keys; throttling raises ``Throttled``."""

    def keyed_job(self, tenant: TenantId, key: JobKey) -> JobId | None:
        """The job that has a key, strongly consistent; ``None``: no job has it."""

    def former_jobs(self, tenant: TenantId, key: JobKey, *, now: datetime) -> list[JobId]:
        """The jobs that gave a key up within the last days, strongly consistent, latest first."""


class WorkedRuns(Protocol):
    """The part of ``RunStore`` that reads far back; throttling raises ``Throttled``."""

    def worked_runs(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        start: datetime,
        end: datetime,
        most_pages: int,
    ) -> "Iterator[RunRecord]":
        """Yield runs that the schedule named, latest instant first, strongly consistent.

        Leaves out those that were skipped or cancelled, however many, and reads at most so many
        megabytes.
        """


class DayClaims(Protocol):
    """The part of ``RunStore`` that counts runs that begin; throttling raises ``Throttled``."""

    def claim_within(
        self, tenant: TenantId, quota: DayQuota, claims: Sequence[LeaseClaim]
    ) -> list[Counted]:
        """Claim runs of one tenant as ``claim_all`` does, each counted by its own claim.

        In this order, as long as there is room. A claim that is ``BEYOND`` was not written.
        """

    def is_known_full(self, tenant: TenantId, quota: DayQuota) -> bool:
        """Tell if this process has seen that no room is left; reads nothing.

        It stays so: what has begun on a day has begun.
        """

    def begun(self, tenant: TenantId, day: date) -> int:
        """Read the count of runs of a day, strongly consistent."""


class KeyedTriggers(Protocol):
    """Triggers that are known by a key; throttling raises ``Throttled``."""

    def insert_keyed(self, attempt: Attempt, key: "TriggerKey") -> bool:
        """Store a new attempt and the key that names it; ``False``: nothing, as one exists."""

    def keyed_run(
        self, tenant: TenantId, job_id: JobId, key: "TriggerKey", *, now: datetime
    ) -> "KeyedRun | None":
        """The run of a job that a key names by now, strongly consistent; ``None``: it names none.

        A key that has expired names none, whether or not the store has deleted it.
        """

    def knows_key(
        self, tenant: TenantId, job_id: JobId, key: "TriggerKey", *, now: datetime
    ) -> bool:
        """Tell if a trigger or a batch of a job used a key that is kept, strongly consistent."""

    def keep_batch(
        self, tenant: TenantId, job_id: JobId, key: "TriggerKey", *, at: datetime
    ) -> datetime | None:
        """Keep the key of a batch of triggers with an instant, and return that.

        A key that is kept has its first instant. ``None``: it was used with another request.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class CollapseWrite:
    """A trigger, and what it makes of the window of its key."""

    #: The window as it becomes.
    window: "CollapseWindow"
    #: Window as it was read; ``None``: it is a new one.
    read: "CollapseWindow | None"
    #: The run of the trigger.
    attempt: Attempt
    #: A run of the window that it takes the place of: as it was read, and as it ends.
    replaced: tuple[Attempt, Attempt] | None = None
    #: By which the request is known when it comes again.
    key: "TriggerKey | None" = None

    @property
    def joins(self) -> bool:
        """Another run stands for it."""
        return self.window.run != self.attempt.id.run


class CollapseStore(Protocol):
    """The part of ``RunStore`` that collapses triggers; throttling raises ``Throttled``."""

    def window(
        self, tenant: TenantId, job_id: JobId, key: "CollapseKey"
    ) -> "CollapseWindow | None":
        """Read the latest window of a key, strongly consistent; ``None``: it has none."""

    def window_of(
        self, tenant: TenantId, job_id: JobId, mark: Collapsed
    ) -> "CollapseWindow | None":
        """Read the window that a run's record names; ``None``: it is forgotten."""

    def collapse(self, write: CollapseWrite) -> bool:
        """Store run, window and key, and the end of the run that is replaced, or nothing.

        ``False``: another window was opened, the key names a run, or the run that is replaced
        changed or was replaced since it was read.
        """

    def join(self, window: "CollapseWindow", attempts: Sequence[Attempt]) -> list[bool]:
        """Store ended runs of a window, each unless it exists, and count each that is new."""


class JobOpenings(Protocol):
    """The part of ``RunStore`` that stores new jobs; throttling raises ``Throttled``."""

    def create_job(
        self,
        job: "Job",
        attempts: Sequence[Attempt],
        *,
        limit: int | None,
        repeatable: bool = False,
    ) -> bool:
        """Store a new job that stands past these runs, and the runs.

        ``False``: its id or its key exists, or its run does. A job without a run is never stored.
        The one run of a job that no tally counts is stored before the job; no process begins it
        until the job is there. ``repeatable``: an earlier request may have created the job.
        Raises ``QuotaExceeded`` as ``JobStore.create`` does, and ``Throttled`` where the creation
        was barred before its end.
        """

    def bar_creation(self, tenant: TenantId, job_id: JobId) -> bool:
        """Bar the creator of a job for good, as often as asked; ``False``: the job exists."""


class RunParts(DayClaims, KeyedTriggers, CollapseStore, JobOpenings, WorkedRuns, Protocol):
    """The parts of ``RunStore``."""
