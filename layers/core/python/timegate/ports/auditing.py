"""Cursors of the auditor, and the walk over all jobs that it alone may do."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, Self

from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.jobs.job import Job
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob
from timegate.value_classes import dataclass

#: Owner of a cursor.
Owner = tuple[TenantId, JobId]


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditWalk:
    """A leased share of the walk: ``shard`` of ``of``; ``None`` positions begin a new round."""

    shard: int
    of: int
    owner: str
    #: Where the next page of the table begins.
    table: str | None
    #: When the present round of the table began.
    round_began_at: datetime
    live: str | None
    finished: str | None
    #: The last word on this share; ``None`` before the first.
    verdict: AuditVerdict | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CursorPage:
    """Some cursors, and where the next ones begin; ``None`` after the last."""

    cursors: tuple[AuditCursor, ...]
    position: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SightedJob:
    """A job as the table shows it."""

    job: Job
    #: An index shows it to planners, or it waits for nothing.
    is_indexed: bool
    #: An index shows it to its tenant.
    is_listed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePage:
    """Some jobs, in no order, and where the next ones begin; ``None`` after the last."""

    jobs: tuple[SightedJob, ...]
    damaged: tuple[DamagedJob, ...]
    position: str | None
    #: Tenants whose rules lie among them; only the walk after a promotion asks for these.
    with_rules: tuple[TenantId, ...] = ()


class AuditCursorStore(Protocol):
    """Audit cursors: one small record per job, apart from it. Throttling raises ``Throttled``."""

    def acquire(
        self, shard: int, of: int, *, owner: str, now: datetime, until: datetime
    ) -> AuditWalk | None:
        """Lease a share of the walk to ``until``; ``None`` while another owner's lease lives."""

    def release(self, walk: AuditWalk) -> None:
        """Store how far the walk came and free it; does nothing if the lease was lost."""

    def owns(self, shard: int, of: int, job_id: JobId) -> bool:
        """Tell if the cursor of a job belongs to this share of the walk."""

    def live(self, shard: int, of: int, *, position: str | None, most: int) -> CursorPage:
        """The next cursors of this share that are not finished; strongly consistent."""

    def finished(self, shard: int, of: int, *, position: str | None, most: int) -> CursorPage:
        """The next cursors of this share that are finished."""

    def load(self, owners: Sequence[Owner]) -> dict[Owner, AuditCursor]:
        """The cursors of these jobs, as far as they have any; strongly consistent."""

    def add(self, cursors: Sequence[AuditCursor], *, now: datetime) -> None:
        """Store the first cursors of jobs, each unless another one is there."""

    def save(self, cursors: Iterable[AuditCursor], *, now: datetime) -> None:
        """Store cursors in the place of those that were read, in batches."""

    def forget(self, cursors: Iterable[AuditCursor], *, now: datetime) -> None:
        """End the cursors of jobs that were erased, finished or not."""

    def jobs(self, shard: int, of: int, *, position: str | None) -> TablePage:
        """The next jobs of a segment of the table: ``shard`` of ``of``; eventually consistent.

        Reads at most a megabyte.
        """

    def replaced(self, tenant: TenantId, job_id: JobId, *, since: int) -> tuple[Job, ...]:
        """The definitions of a job that were replaced, from version ``since`` on, in order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeoverWalk:
    """A share of the walk that a region owes its jobs after a promotion, and how far it came."""

    shard: int
    of: int
    #: The number of the look that owes it; 0 before the first.
    look: int = 0
    #: Where the next page of the table begins; ``None``: at the first.
    position: str | None = None
    is_done: bool = True
    #: Jobs that this look has checked, and those of them that lacked records.
    jobs: int = 0
    mended: int = 0

    def owing(self, look: int) -> Self:
        """Return the walk of a look: this one if it is that look's, or a new one."""
        if self.look >= look:
            return self
        return type(self)(shard=self.shard, of=self.of, look=look, is_done=False)

    def behind(self, page: TablePage, *, mended: int) -> Self:
        """Return the walk behind a page, of whose jobs so many lacked records."""
        return replace(
            self,
            position=page.position,
            is_done=page.position is None,
            jobs=self.jobs + len(page.jobs),
            mended=self.mended + mended,
        )


class TakeoverWalkStore(Protocol):
    """The walk over all jobs that follows a promotion; its records are the region's own."""

    def read(self, shard: int, of: int) -> TakeoverWalk:
        """Read how far a share came, strongly consistent."""

    def on_record(self) -> tuple[TakeoverWalk, ...]:
        """Read the last walk of each share, those of earlier numbers of shards among them."""

    def page(self, walk: TakeoverWalk) -> TablePage:
        """The next jobs of a share, and tenants with rules; eventually consistent, at most 1 MB."""

    def move(self, before: TakeoverWalk, after: TakeoverWalk) -> bool:
        """Store how far it came; ``False``: another planner goes on with a later look."""


class TickHeartbeat(Protocol):
    """An address that expects a call after each good tick."""

    def beat(self, group: int) -> str | None:
        """Call it for the group of shards that begins with ``group``; raises nothing.

        Returns why the call failed, or ``None`` after a success, and where no address is set.
        """
