"""DAG runs, in memory."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.dag_run_listing import page
from timegate.adapters.memory.dag_task_changes import changed_task, with_ends, with_token
from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.domain.dag_runs.progress import DagRun, TaskProgress, TaskState
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import DagRunRef, task_run_mark
from timegate.domain.dags.definition import TaskKey
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.execution.day_quota import DayQuota
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.audit_trail import ResourceKind, told_of_dag_run, told_with_tasks
from timegate.domain.values.identity import DagId, DagRunId, JobId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.instants import minute_of
from timegate.domain.values.tenant import TenantId
from timegate.ports.shards import Spread
from timegate.ports.stores import Page


class MemoryDagRunStore:
    """The twin of ``DynamoDagRunStore``."""

    def __init__(self, tables: MemoryTables, *, shards: Spread = lambda: ONE_SHARD) -> None:
        self._tables = tables
        self._shards = shards

    def create(self, run: DagRun, *, within: DayQuota | None = None) -> DagRun:
        """Store a new DAG run unless its id exists; what is stored, new or old."""
        with self._tables.lock:
            found = self._tables.dag_runs.get((run.tenant, run.dag_run_id))
            if found is None:
                self._tables.begin(run.tenant, within, now=run.created_at)
                self._told(run, before=None, after=told_of_dag_run(run))
            return found if found is not None else self._put(run)

    def _told(self, run: DagRun, *, before: object | None, after: object, version: int = 0) -> None:
        resource = (ResourceKind.DAG_RUN, run.dag_run_id)
        self._tables.told(run.tenant, resource, before=before, after=after, version=version)

    def get(self, tenant: TenantId, dag_run_id: DagRunId) -> DagRun:
        """The DAG run; raises ``DagRunNotFound``."""
        found = self._tables.dag_runs.get((tenant, dag_run_id))
        if found is None:
            raise DagRunNotFound(dag_run_id)
        return found

    def list_dag_runs(
        self,
        tenant: TenantId,
        dag_id: DagId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
    ) -> Page[DagRun]:
        """The runs of a DAG that were created within, newest first."""
        with self._tables.lock:
            stored = list(self._tables.dag_runs.values())
        return page(stored, tenant, dag_id, within=within, limit=limit, cursor=cursor)

    def change(
        self, before: DagRun, after: DagRun, *, uncounted: Collection[int] = frozenset()
    ) -> bool:
        """Store another status, unless it was changed since ``before`` was read."""
        return self.change_together(before, after, (), uncounted=uncounted)

    def _change(self, before: DagRun, after: DagRun, uncounted: Collection[int]) -> bool:
        with self._tables.lock:
            stored = self.get(before.tenant, before.dag_run_id)
            if stored.revision != before.revision:
                return False
            changed = replace(
                after,
                ended=stored.ended.difference(uncounted),
                failed=stored.failed.difference(uncounted),
                revision=before.revision + 1,
                tokens=stored.tokens,
            )
            self._put(changed)
            return True

    def change_together(
        self,
        before: DagRun,
        after: DagRun,
        tasks: Sequence[tuple[TaskProgress, TaskProgress]],
        *,
        uncounted: Collection[int] = frozenset(),
        runs: Sequence[Attempt] = (),
    ) -> bool:
        """``change`` and ``change_task`` at once, or nothing."""
        with self._tables.lock:
            if not all(self._is_as_read(*each) for each in tasks):
                return False
            if not self._change(before, after, uncounted):
                return False
            for task, changed in tasks:
                self.change_task(task, changed)
            for attempt in runs:
                self._tables.put_attempt(attempt, shards=self._shards())
            old = told_with_tasks(before, (task for task, _ in tasks))
            new = told_with_tasks(after, (task for _, task in tasks))
            self._told(before, before=old, after=new, version=before.revision + 1)
            return True

    def record_end(self, run: DagRun, places: Collection[int], *, failed: bool) -> DagRun | None:
        """Count tasks as ended, once each; ``None``: of another round."""
        with self._tables.lock:
            stored = self.get(run.tenant, run.dag_run_id)
            if stored.round != run.round:
                return None
            counted = replace(
                stored,
                ended=stored.ended.union(places),
                failed=stored.failed.union(places) if failed else stored.failed,
                follow=False,
            )
            return self._put(counted)

    def keep_token(self, run: DagRun, token: str) -> DagRun:
        """Whom to tell when the DAG run has ended."""
        with self._tables.lock:
            stored = self.get(run.tenant, run.dag_run_id)
            return self._put(replace(stored, tokens=with_token(stored.tokens, token), follow=False))

    def touch(self, ref: DagRunRef, *, now: datetime, watch_at: datetime) -> DagRun | None:
        """Have an overdue DAG run looked at, and again at ``watch_at``."""
        with self._tables.lock:
            stored = self._tables.dag_runs.get((ref.tenant, ref.id))
            if stored is None or stored.watch_at is None or stored.watch_at > now:
                return None
            return self._put(replace(stored, watch_at=watch_at, follow=True))

    def open_tasks(self, run: DagRun, tasks: Sequence[TaskProgress]) -> None:
        """Store the tasks of a DAG run, each unless it exists."""
        with self._tables.lock:
            for task in tasks:
                key = (run.tenant, run.dag_run_id, task.key)
                self._tables.dag_tasks.setdefault(key, in_milliseconds(task))

    def task(self, tenant: TenantId, dag_run_id: DagRunId, key: TaskKey) -> TaskProgress | None:
        """A task."""
        return self._tables.dag_tasks.get((tenant, dag_run_id, key))

    def tasks(self, tenant: TenantId, dag_run_id: DagRunId) -> tuple[TaskProgress, ...]:
        """All tasks of a DAG run, by key."""
        with self._tables.lock:
            own = [
                task
                for (of, run, _), task in self._tables.dag_tasks.items()
                if (of, run) == (tenant, dag_run_id)
            ]
        return tuple(sorted(own, key=lambda task: task.key))

    def some_tasks(
        self, tenant: TenantId, dag_run_id: DagRunId, keys: Sequence[TaskKey]
    ) -> tuple[TaskProgress, ...]:
        """These tasks of a DAG run."""
        found = [self.task(tenant, dag_run_id, key) for key in keys]
        return tuple(task for task in found if task is not None)

    def decide(self, run: DagRun, key: TaskKey, *, source: int, holds: bool) -> TaskProgress | None:
        """Decide an edge, once."""
        with self._tables.lock:
            stored = self.task(run.tenant, run.dag_run_id, key)
            if stored is None or stored.round > run.round:
                return None
            if holds:
                return self._put_task(replace(stored, satisfied=stored.satisfied | {source}))
            return self._put_task(replace(stored, unsatisfied=stored.unsatisfied | {source}))

    def change_task(self, before: TaskProgress, after: TaskProgress) -> TaskProgress | None:
        """Store another state of a task; ``None``: it is not as it was read."""
        with self._tables.lock:
            stored = self.task(before.tenant, before.dag_run_id, before.key)
            if stored is None or not self._is_as_read(before, after):
                return None
            return self._put_task(changed_task(stored, before, after))

    def start_task(
        self,
        run: DagRun,
        before: TaskProgress,
        after: TaskProgress,
        governor: Job,
        attempts: Sequence[Attempt],
    ) -> bool:
        """Start a pending task, or nothing."""
        with self._tables.lock:
            if self.change_task(before, after) is None:
                return False
            key = (run.tenant, run.dag_run_id, before.key)
            self._tables.governors[key] = in_milliseconds(governor)
            for attempt in attempts:
                self._tables.put_attempt(attempt, shards=self._shards())
            return True

    def record_member(
        self, task: TaskProgress, indices: Collection[int], *, succeeded: bool
    ) -> TaskProgress | None:
        """Count members of a fan-out as ended, once each."""
        with self._tables.lock:
            stored = self.task(task.tenant, task.dag_run_id, task.key)
            if stored is None or stored.members is None:
                return None
            if (stored.state, stored.round) != (TaskState.RUNNING, task.round):
                return None
            members = with_ends(stored.members, indices, succeeded=succeeded)
            return self._put_task(replace(stored, members=members))

    def keep_task_token(
        self, tenant: TenantId, dag_run_id: DagRunId, key: TaskKey, token: str
    ) -> TaskProgress | None:
        """Whom to tell when a task has ended."""
        with self._tables.lock:
            stored = self.task(tenant, dag_run_id, key)
            if stored is None:
                return None
            return self._put_task(replace(stored, tokens=with_token(stored.tokens, token)))

    def attempts(
        self, run: DagRun, *, key: TaskKey | None = None, in_round: int | None = None
    ) -> tuple[Attempt, ...]:
        """The attempts at the runs of a DAG run's tasks, or of one."""
        with self._tables.lock:
            own = [
                attempt
                for (tenant, _), attempt in self._tables.attempts.items()
                if tenant == run.tenant and attempt.id.run.job_id == JobId(run.dag_run_id)
            ]
        return tuple(sorted((a for a in own if _is_of(a, key, in_round)), key=lambda a: a.id))

    def first_attempts(self, run: DagRun, *, at_most: int) -> tuple[Attempt, ...]:
        """Up to so many of them, in the order in which they lie."""
        return tuple(sorted(self.attempts(run), key=lambda a: str(a.id))[:at_most])

    def _is_as_read(self, before: TaskProgress, after: TaskProgress) -> bool:
        stored = self.task(before.tenant, before.dag_run_id, before.key)
        if stored is None or (stored.state, stored.round) != (before.state, before.round):
            return False
        edges = (stored.satisfied, stored.unsatisfied) == (before.satisfied, before.unsatisfied)
        return edges or after.round == before.round

    def _put(self, run: DagRun) -> DagRun:
        stored = in_milliseconds(run)
        key = (run.tenant, run.dag_run_id)
        self._tables.dag_runs[key] = stored
        self._tables.watched_dag_runs.pop(key, None)
        if stored.watch_at is not None:
            shard = self._shards().shard_of(JobId(run.dag_run_id))
            self._tables.watched_dag_runs[key] = (minute_of(stored.watch_at), shard)
        self._tables.dag_run_images.append(stored)
        return stored

    def _put_task(self, task: TaskProgress) -> TaskProgress:
        stored = in_milliseconds(task)
        self._tables.dag_tasks[task.tenant, task.dag_run_id, task.key] = stored
        return stored


def _is_of(attempt: Attempt, key: TaskKey | None, in_round: int | None) -> bool:
    mark = task_run_mark(attempt.id.run)
    if mark is None:
        return False
    return (key is None or mark.key == key) and (in_round is None or mark.round == in_round)
