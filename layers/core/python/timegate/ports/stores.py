"""The two tables and the blob store, as the use cases see them."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.ledger.damaged_records import DamagedRun, GapRecord, RunRecord
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, RestrictionsInForce
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AttemptId, JobId, RunId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.runs.claims import JobKeys, LeaseClaim, RunParts
from timegate.ports.runs.held_leases import HeldLeases, RetryWritten
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.ledger.gap_parts import Cut
    from timegate.domain.ledger.ledger import Gap
    from timegate.domain.planning.catch_up import SettledCatchUp
    from timegate.domain.planning.plan import Plan

Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True, slots=True)
class Page(Generic[Row]):
    """Some rows, and where the next ones start; no cursor means there are none."""

    rows: tuple[Row, ...]
    cursor: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedPage(Page[Row]):
    """A page, and records between its rows that cannot be read: by name or id, and why."""

    damaged: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Advance:
    """A job as it was read, what is planned for it, and when that was."""

    timing: Timing
    plan: "Plan"
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Unreadable:
    """An unreadable item that an index shows: where it lies, and what is wrong."""

    pk: str
    sk: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DamagedJob:
    """A job that is there, and whose record cannot be read."""

    tenant: TenantId
    job_id: JobId
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class JobPage(Page[Job]):
    """Jobs, and those between them that cannot be read."""

    damaged: tuple[DamagedJob, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RunPage(Page[Attempt]):
    """Runs, as their last attempts, and those between them that cannot be read."""

    damaged: tuple[DamagedRun, ...] = ()


class JobStore(JobKeys, Protocol):
    """Definitions: one item per job. Throttling raises ``Throttled`` everywhere."""

    def create(self, job: Job, *, limit: int | None = None) -> Job:
        """Store a new job unless its id exists; returns what is stored, new or old.

        Raises ``QuotaExceeded`` for a new one where the tenant has ``limit`` jobs that may still
        run, or more, ``JobKeyTaken`` where another job has its key, and ``JobBarred``.
        """

    def get(self, tenant: TenantId, job_id: JobId) -> Job:
        """The job, strongly consistent; raises ``JobNotFound``, ``JobBarred``, ``JobDamaged``."""

    def list_jobs(
        self, tenant: TenantId, *, limit: int, cursor: str | None, name: str | None = None
    ) -> JobPage:
        """The tenant's jobs, newest first; raises ``InvalidInput`` for a cursor that is none.

        A damaged one takes a place of the page. ``name``: jobs that ``is_named`` by it; a page is
        then short, or empty, while there may be more.
        """

    def update(
        self,
        before: Job,
        after: Job,
        *,
        gap: "Gap | None" = None,
        cuts: "Sequence[Cut]" = (),
        limit: int | None = None,
    ) -> None:
        """Replace the definition; raises ``JobChanged`` unless it is as it was read: ``before``.

        Neither edited nor moved on by the planner: an update must not undo an advance or a
        settlement. A gap is stored with it, and gaps are cut, or nothing is written; so is the
        definition it replaces, where that says something else, as long as runs of it are on record.
        Raises ``QuotaExceeded`` where a job that has ended would run again, and ``JobKeyTaken``, as
        ``create``. A job that is cancelled gives up its key.
        """

    def cut(self, cuts: "Sequence[Cut]") -> None:
        """Put what is left of gaps in their place; twice is as good as once."""

    def definition(self, tenant: TenantId, job_id: JobId, *, version: int) -> Job:
        """The job as it was defined at a version, or as it is where that was not replaced.

        Its status and progress are those of when it was replaced. Raises ``JobNotFound``.
        """

    def settle(self, before: Timing, settlement: "SettledCatchUp") -> bool:
        """Store what was decided about missed instants, with its gaps; ``False``: not as read."""

    def gaps(
        self, tenant: TenantId, job_id: JobId, *, since: datetime, limit: int
    ) -> tuple[GapRecord, ...]:
        """The first gaps of a job that reach to ``since``, in order; a damaged one hides none."""

    def due(
        self, minute: str, shard: int, *, passing_over: Collection[TenantId] = ()
    ) -> Iterator[Timing | Unreadable]:
        """Jobs waiting in one bucket of the ``due`` index, soonest first; eventually consistent.

        Those of tenants that are ``passing_over`` by the time a page is read may be left out, but
        never of the first page: a bucket that has jobs is never found empty.

        A job waits in the minute of its next instant, or in that of its last write if that is
        later: no write puts a job where a planner has been already.
        """

    def put_off(
        self, found: Timing | Unreadable, *, minute: str, shard: int, until: datetime
    ) -> bool:
        """Let a job that cannot be planned wait at ``until``, changing nothing else of it.

        ``False``: it does not wait in this bucket any more.
        """

    def complete(
        self, tenant: TenantId, job_id: JobId, *, now: datetime, read: Timing | None = None
    ) -> bool:
        """Complete an active job with nothing left to fire: as ``read``, or of version 1."""

    def complete_all(
        self, jobs: Sequence[tuple[TenantId, JobId]], *, now: datetime, tallied: bool = True
    ) -> list[bool]:
        """Complete jobs of version 1, which a tally counts or none does; many share a call."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AttemptRef:
    """Tenant and id of a stored attempt."""

    tenant: TenantId
    id: AttemptId


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """An attempt, its job and its tenant's restrictions as they are now; ``None``: no such."""

    attempt: Attempt | None
    job: Job | None
    #: Restrictions of its tenant.
    in_force: RestrictionsInForce = NOTHING_IN_FORCE
    #: Damage of one of them that is there, and ``None`` here, because it cannot be read.
    unreadable: str | None = None
    #: The damage is the attempt's own.
    is_damaged: bool = False
    #: The key with which tokens of such an attempt are signed.
    damaged_key: str | None = None


class RunStore(RunParts, HeldLeases, Protocol):
    """Runs: one item per attempt. Throttling raises ``Throttled`` everywhere."""

    def insert_all(self, attempts: Sequence[Attempt]) -> list[bool]:
        """Store new attempts, each unless it exists; ``False`` marks the duplicates."""

    def plan_all(self, advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        """Store the planned runs and gaps of each job and move it past them: all or nothing.

        Answers with the attempts that are new: where an earlier version of the job had an instant
        planned already, that run stays. ``None``, with nothing written, where another caller edited
        the job or moved it on since it was read.
        """

    def load_all(self, refs: Sequence[AttemptRef]) -> list[Loaded]:
        """Attempts with their jobs, strongly consistent, in the order asked."""

    def claim_all(self, claims: Sequence[LeaseClaim]) -> list[bool]:
        """Lease attempts, each conditional on its state and fence being those that were read.

        Leaves the ``watch`` index alone: an ordinary run ends before a sweeper looks.
        """

    def finish_all(self, ended: Sequence[Attempt]) -> list[bool]:
        """Record terminal states, each conditional on its fence still being the stored one.

        ``False``: the lease was lost, and nothing was written.
        """

    def finish_and_retry(self, ended: Attempt, retry: Attempt) -> RetryWritten:
        """End one attempt and create the next, on the condition that no caller asked to cancel it.

        The next begins with the checkpoint that is stored then, should one have come since
        ``ended`` was read.
        """

    def replace(self, before: Attempt, after: Attempt) -> bool:
        """Write ``after`` unless the attempt changed since it was read as ``before``."""

    def attempts(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """All attempts at a run, first to last, strongly consistent.

        Raises ``RunNotFound``, and ``RunDamaged`` when one of them cannot be read.
        """

    def notices(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """The last attempt of each run that tells of this one; raises ``RunDamaged``."""

    def list_runs(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
        of_tasks: bool = False,
    ) -> RunPage:
        """The last attempt of each run named within, latest first; damaged ones take a place.
        ``of_tasks``: the id is that of a DAG run, whose tasks have the runs.
        """

    def list_notices(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
    ) -> RunPage:
        """The last attempt of each run that tells of a job or rule, as ``list_runs`` has them."""

    def history(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        start: datetime,
        end: datetime,
        limit: int,
        latest_first: bool = False,
    ) -> tuple[RunRecord, ...]:
        """The last attempt of each run that the schedule named from ``start`` to ``end``, both
        inclusive: the first ``limit``, earliest first. ``latest_first``: the last ``limit`` of
        them. Strongly consistent. One whose last attempt cannot be read hides no other.
        """

    def unwatch_all(self, ended: Sequence[Attempt]) -> None:
        """Take ended attempts out of the ``watch`` index: all that follows their ends is done.

        Changes nothing else of them, and nothing of one that is out of it already.
        """

    def overdue(
        self, minute: str, shard: int, *, until: datetime
    ) -> Iterator[AttemptRef | DagRunRef | Unreadable]:
        """Attempts and DAG runs in one bucket of the ``watch`` index, for a sweeper to look at."""

    def put_off(
        self, found: AttemptRef | Unreadable, *, minute: str, shard: int, until: datetime
    ) -> bool:
        """Have an attempt that cannot be judged looked at again at ``until``; change nothing else
        of it, and publish nothing. ``False``: it is not in this bucket.
        """
