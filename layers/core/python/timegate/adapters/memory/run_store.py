"""What happened, in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import compress

from timegate.adapters.memory import history
from timegate.adapters.memory.conditions import (
    claimable_as_read,
    claimed_by_us,
    ended_by_us,
    holds_lease,
    job_as_read,
    read_marks,
    with_end,
    with_lease,
)
from timegate.adapters.memory.followed_ends import FollowedEnds
from timegate.adapters.memory.held_leases import HeldLeases
from timegate.adapters.memory.tables import in_milliseconds
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.execution.day_quota import Counted, DayQuota
from timegate.domain.ledger.damaged_records import DamagedRun, RunDamaged, RunRecord
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.audit_trail import ResourceKind, told_of_attempt
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.instants import minute_of
from timegate.domain.values.tenant import TenantId
from timegate.ports.claims import Claim
from timegate.ports.stores import (
    Advance,
    AttemptRef,
    Loaded,
    RetryWritten,
    RunPage,
    Unreadable,
)


class MemoryRunStore(HeldLeases, FollowedEnds):
    """The twin of ``DynamoRunStore``."""

    def insert_all(self, attempts: Sequence[Attempt]) -> list[bool]:
        """Store new attempts, each unless it exists; ``False`` marks the duplicates."""
        done = [self._insert(attempt) for attempt in attempts]
        for attempt in compress(attempts, done):
            if attempt.id.run.origin is Origin.TRIGGER and attempt.operation is None:
                self._told(None, attempt)
        return done

    def _told(self, before: Attempt | None, after: Attempt) -> None:
        self._tables.told(
            after.tenant,
            (ResourceKind.RUN, str(after.id.run)),
            before=told_of_attempt(before),
            after=told_of_attempt(after),
        )

    def plan_all(self, advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        """Store the planned runs of each job and move it past them; ``None``: too late."""
        return [self._plan(advance) for advance in advances]

    def load_all(self, refs: Sequence[AttemptRef]) -> list[Loaded]:
        """Attempts with their jobs, in the order asked."""
        with self._tables.lock:
            return [self._loaded(ref) for ref in refs]

    def claim_all(self, claims: Sequence[Claim]) -> list[bool]:
        """Lease attempts, each conditional on nobody having leased or renewed it since."""
        seen: set[tuple[TenantId, AttemptId]] = set()
        return [self._claim(claim, seen) for claim in claims]

    def claim_within(
        self, tenant: TenantId, quota: DayQuota, claims: Sequence[Claim]
    ) -> list[Counted]:
        """As ``claim_all``, each counted by its own claim, as long as there is room."""
        seen: set[tuple[TenantId, AttemptId]] = set()
        return [self._count(tenant, quota, claim, seen) for claim in claims]

    def is_known_full(self, tenant: TenantId, quota: DayQuota) -> bool:
        """Here everything is known."""
        return self.begun(tenant, quota.day) >= quota.limit

    def begun(self, tenant: TenantId, day: date) -> int:
        """How many runs were counted on a day."""
        return self._tables.begun[tenant, day]

    def finish_all(self, ended: Sequence[Attempt]) -> list[bool]:
        """Record terminal states, each conditional on its lease still being the stored one."""
        return [self._finish(attempt) for attempt in ended]

    def finish_and_retry(self, ended: Attempt, retry: Attempt) -> RetryWritten:
        """End one attempt and create the next, unless somebody asked to cancel it."""
        with self._tables.lock:
            stored = self._stored(ended)
            exists = self._stored(retry) is not None
            if stored is not None and exists and ended_by_us(stored, ended):
                return RetryWritten.DONE
            if exists or stored is None or not holds_lease(stored, ended):
                return RetryWritten.LEASE_LOST
            if stored.cancel_requested:
                return RetryWritten.CALLED_OFF
            self._tables.put_attempt(with_end(stored, ended), shards=self._shards())
            begins = replace(retry, checkpoint=stored.checkpoint)
            self._tables.put_attempt(begins, shards=self._shards())
            return RetryWritten.DONE

    def replace(self, before: Attempt, after: Attempt) -> bool:
        """Write ``after`` unless the attempt changed since it was read as ``before``."""
        with self._tables.lock:
            stored = self._stored(before)
            if stored == in_milliseconds(after):
                return True
            if stored is None or read_marks(stored) != read_marks(before):
                return False
            self._tables.put_attempt(after, shards=self._shards())
            self._told(before, after)
            return True

    def attempts(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """All attempts at a run, first to last; raises ``RunNotFound``."""
        with self._tables.lock:
            stored = list(self._tables.attempts.values())
        return self._sound(history.of_run(stored, tenant, run))

    def notices(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """The last attempt of each run that tells of this one."""
        with self._tables.lock:
            stored = list(self._tables.attempts.values())
        return self._sound(history.telling_of(stored, tenant, run))

    def list_runs(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
    ) -> RunPage:
        """The last attempt of each run of a job that is named within, latest instant first."""
        with self._tables.lock:
            stored = list(self._tables.attempts.values())
        page = history.page(stored, tenant, job_id, within=within, limit=limit, cursor=cursor)
        read = [self._readable(attempt) for attempt in page.rows]
        return RunPage(
            rows=tuple(each for each in read if isinstance(each, Attempt)),
            damaged=tuple(each for each in read if isinstance(each, DamagedRun)),
            cursor=page.cursor,
        )

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
        """The last attempt of each run that the schedule named in a range, in order."""
        with self._tables.lock:
            stored = list(self._tables.attempts.values())
        found = history.between(stored, tenant, job_id, start=start, end=end)
        found = (found[::-1] if latest_first else found)[:limit]
        return tuple(self._readable(attempt) for attempt in found)

    def overdue(
        self, minute: str, shard: int, *, until: datetime
    ) -> Iterator[AttemptRef | DagRunRef | Unreadable]:
        """Attempts and DAG runs in one bucket of the ``watch`` index that someone must look at."""
        with self._tables.lock:
            watched = [
                self._tables.attempts[key] for key in self._tables.watched.get((minute, shard), ())
            ]
        found = [
            (attempt.watch_at, attempt.id, AttemptRef(tenant=attempt.tenant, id=attempt.id))
            for attempt in watched
            if attempt.watch_at is not None and attempt.watch_at <= until
        ]
        refs = [ref for _, _, ref in sorted(found, key=lambda row: row[:2])]
        return iter([*refs, *self._tables.overdue_dag_runs((minute, shard), until)])

    def put_off(
        self, found: AttemptRef | Unreadable, *, minute: str, shard: int, until: datetime
    ) -> bool:
        """Have an attempt that cannot be judged looked at at ``until``; ``False``: elsewhere."""
        with self._tables.lock:
            # Here every key can be read.
            key = (found.tenant, found.id) if isinstance(found, AttemptRef) else None
            if key is None or self._tables.watch.get(key) != (minute, shard):
                return False
            later = replace(self._tables.attempts[key], watch_at=until, direct=True)
            self._tables.put_attempt(later)
            self._tables.show(key, (minute_of(until), shard))
            return True

    def _loaded(self, ref: AttemptRef) -> Loaded:
        damaged = self._tables.damaged
        attempt, job = (ref.tenant, ref.id), (ref.tenant, ref.id.run.job_id)
        governor = self._tables.governor(ref.tenant, ref.id.run) if job not in damaged else None
        settings = self._tables.tenants.get(ref.tenant)
        if governor is not None and settings is not None:
            governor = replace(
                governor,
                tenant_runs=settings.quotas.concurrent_runs,
                tenant_day_runs=settings.quotas.runs_per_day,
            )
        return Loaded(
            attempt=self._tables.attempts.get(attempt) if attempt not in damaged else None,
            job=governor,
            in_force=self._tables.in_force.get(ref.tenant, NOTHING_IN_FORCE),
            unreadable="damaged" if damaged & {attempt, job} else None,
        )

    def _readable(self, attempt: Attempt) -> RunRecord:
        if (attempt.tenant, attempt.id) not in self._tables.damaged:
            return attempt
        return DamagedRun(tenant=attempt.tenant, id=attempt.id, reason="damaged")

    def _sound(self, attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
        for attempt in attempts:
            if (attempt.tenant, attempt.id) in self._tables.damaged:
                raise RunDamaged(str(attempt.id.run), str(attempt.id), "damaged")
        return tuple(attempts)

    def _insert(self, attempt: Attempt) -> bool:
        with self._tables.lock:
            if self._stored(attempt) is not None:
                return False
            self._tables.put_attempt(attempt, shards=self._shards())
            return True

    def _plan(self, advance: Advance) -> tuple[Attempt, ...] | None:
        plan = advance.plan
        with self._tables.lock:
            job = job_as_read(self._tables, advance.timing)
            if job is None:
                return None
            new = tuple(attempt for attempt in plan.attempts if self._insert(attempt))
            moved_job = replace(job, timing=plan.as_stored(new).after(job.timing))
            self._tables.put_job(moved_job, at=advance.at, shards=self._shards())
            for gap in plan.gaps:
                self._tables.put_gap(gap)
            return new

    def _claim(self, claim: Claim, seen: set[tuple[TenantId, AttemptId]]) -> bool:
        key = (claim.attempt.tenant, claim.attempt.id)
        with self._tables.lock:
            stored = self._stored(claim.attempt)
            # Two messages of one attempt in a batch: the first claims, the second is a duplicate.
            if stored is None or key in seen:
                return False
            seen.add(key)
            if claimed_by_us(stored, claim.lease):
                return True
            if not claimable_as_read(stored, claim.attempt):
                return False
            shards = self._shards() if claim.watch_at is not None else None
            self._tables.put_attempt(with_lease(stored, claim), shards=shards)
            return True

    def _count(
        self,
        tenant: TenantId,
        quota: DayQuota,
        claim: Claim,
        seen: set[tuple[TenantId, AttemptId]],
    ) -> Counted:
        with self._tables.lock:
            stored = self._stored(claim.attempt)
            known = stored is not None and claimed_by_us(stored, claim.lease)
            if not known and self.is_known_full(tenant, quota):
                return Counted.BEYOND
            if not self._claim(claim, seen):
                return Counted.LOST
            self._tables.begun[tenant, quota.day] += not known
            return Counted.HELD

    def _finish(self, ended: Attempt) -> bool:
        with self._tables.lock:
            stored = self._stored(ended)
            if stored is None:
                return False
            if ended_by_us(stored, ended):
                return True
            if not holds_lease(stored, ended):
                return False
            self._tables.put_attempt(with_end(stored, ended), shards=self._shards())
            return True
