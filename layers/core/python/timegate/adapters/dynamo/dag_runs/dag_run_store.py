"""DAG runs and their tasks, in the runs table."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.dag_runs.dag_run_items import (
    FOLLOW_DAG,
    dag_run_from_fields,
    dag_run_to_fields,
    forgotten_at,
    looked_at,
    row_fields,
    status_fields,
)
from timegate.adapters.dynamo.dag_runs.dag_run_queries import DynamoDagRunQueries
from timegate.adapters.dynamo.dag_runs.dag_task_items import (
    task_from_fields,
    task_to_fields,
    task_update,
)
from timegate.adapters.dynamo.dag_runs.governor_items import governor_fields
from timegate.adapters.dynamo.limits.day_counts import DayCounts
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, dag_run_key, dag_run_row_key, task_key
from timegate.adapters.dynamo.tables.transactions import write_with
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Insert, Put, Update, Where
from timegate.domain.dag_runs.progress import DagRun, TaskProgress, TaskState
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.execution.day_quota import DayQuota
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement


class DynamoDagRunStore(DynamoDagRunQueries):
    """One item per DAG run, one per task of it, in one partition."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        shards: ShardPlacement,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._engine = engine
        self._audit = audit or AuditWrites(table=table)
        self._table = table
        self._days = DayCounts(engine, table=table, shards=shards)
        self._shards = shards
        self._retention = timedelta(days=retention_days)

    def create(self, run: DagRun, *, within: DayQuota | None = None) -> DagRun:
        """Store a new DAG run and its row, unless it exists; what is stored, new or old."""
        key = dag_run_row_key(run.tenant, run.dag_id, run.created_at, run.dag_run_id)
        row = row_fields(run, key.pk, key.sk, expires_at=self._forgotten_at(run))
        fields = dag_run_to_fields(run, shards=self._shards(), retention=self._retention)
        insert = Insert(table=self._table, fields=fields, as_of=run.created_at)
        beside = [Put(table=self._table, fields=row), *self._audit.dag_run(None, run)]
        if self._days.begin_one(run.tenant, within, [insert, *beside], now=run.created_at):
            return run
        return self.get(run.tenant, run.dag_run_id)

    def change(
        self, before: DagRun, after: DagRun, *, uncounted: Collection[int] = frozenset()
    ) -> bool:
        """Store another status, unless it was changed since ``before`` was read."""
        update = self._status_update(before, after, uncounted)
        return write_with(self._engine, update, self._audit.dag_run(before, after))

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
        status = self._status_update(before, after, uncounted)
        told = self._audit.tasks(before, after, tasks)
        changed = [task_update(self._table, *each) for each in tasks]
        return write_with(self._engine, status, [*changed, *self._inserts(runs), *told])

    def record_end(self, run: DagRun, places: Collection[int], *, failed: bool) -> DagRun | None:
        """Count tasks as ended, once each; ``None``: it is in another round."""
        ended = dict.fromkeys(("ended", "failed") if failed else ("ended",), frozenset(places))
        found = self._change(
            dag_run_key(run.tenant, run.dag_run_id),
            added=ended,
            removed=("follow",),
            where={"round": run.round},
        )
        return dag_run_from_fields(found) if found is not None else None

    def keep_token(self, run: DagRun, token: str) -> DagRun:
        """Add a token, which is told when the DAG run has ended."""
        found = self._change(
            dag_run_key(run.tenant, run.dag_run_id),
            appended={"tokens": [token]},
            removed=("follow",),
            where={},
        )
        return dag_run_from_fields(found) if found is not None else run

    def touch(self, ref: DagRunRef, *, now: datetime, watch_at: datetime) -> DagRun | None:
        """Have an overdue DAG run looked at, and again at ``watch_at``."""
        again = looked_at(watch_at, ref.id, shards=self._shards())
        found = self._change(
            dag_run_key(ref.tenant, ref.id),
            fields={**again, "follow": FOLLOW_DAG},
            where={"watch_at": Compared(at_most=compact(now))},
        )
        return dag_run_from_fields(found) if found is not None else None

    def look_now(self, run: DagRun, watch_at: datetime) -> None:
        """Have a DAG run looked at now, and again at ``watch_at``, unless it has ended."""
        again = looked_at(watch_at, run.dag_run_id, shards=self._shards())
        self._change(
            dag_run_key(run.tenant, run.dag_run_id),
            fields={**again, "follow": FOLLOW_DAG},
            # One that has ended is not watched.
            where={"watch_at": Compared(above=compact(run.created_at))},
        )

    def look_by(self, run: DagRun, watch_at: datetime) -> None:
        """Have a DAG run looked at by an instant, unless that is sooner, or it has ended."""
        self._change(
            dag_run_key(run.tenant, run.dag_run_id),
            fields=looked_at(watch_at, run.dag_run_id, shards=self._shards()),
            removed=("follow",),
            where={"watch_at": Compared(above=compact(watch_at))},
        )

    def open_tasks(self, run: DagRun, tasks: Sequence[TaskProgress]) -> None:
        """Store the tasks of a DAG run, each unless it exists.

        Those of an earlier DAG run of the same id have expired before it began.
        """
        expires_at = self._forgotten_at(run)
        fields = [task_to_fields(task, expires_at=expires_at) for task in tasks]
        self._engine.write_each(
            [Insert(table=self._table, fields=each, as_of=run.created_at) for each in fields]
        )

    def keep_tasks(self, run: DagRun, keys: Sequence[TaskKey]) -> None:
        """Let tasks of a DAG run that is opened anew expire with it."""
        # Imported here: few DAG runs are.
        from timegate.adapters.dynamo.dag_runs.kept_tasks import keep_tasks  # noqa: PLC0415

        keep_tasks(self._engine, self._table, run, keys, retention=self._retention)

    def task(self, tenant: TenantId, dag_run_id: DagRunId, key: TaskKey) -> TaskProgress | None:
        """A task, strongly consistent."""
        found = self.some_tasks(tenant, dag_run_id, [key])
        return found[0] if found else None

    def decide(self, run: DagRun, key: TaskKey, *, source: int, holds: bool) -> TaskProgress | None:
        """Decide an edge, once; ``None``: the task belongs to a later round."""
        found = self._change(
            task_key(run.tenant, run.dag_run_id, key),
            added={"satisfied" if holds else "unsatisfied": frozenset([source])},
            where={"round": Compared(at_most=run.round)},
        )
        return task_from_fields(found) if found is not None else None

    def change_task(self, before: TaskProgress, after: TaskProgress) -> TaskProgress | None:
        """Store another state of a task; ``None``: it is not as it was read."""
        update = replace(task_update(self._table, before, after), shows_stored=True)
        found = self._engine.write(update).stored
        return task_from_fields(found) if found is not None else None

    def start_task(
        self,
        run: DagRun,
        before: TaskProgress,
        after: TaskProgress,
        governor: Job | None,
        attempts: Sequence[Attempt],
    ) -> bool:
        """Start a pending task: its state, what governs its runs, and its runs, or nothing."""
        governs: list[Put] = []
        if governor is not None:
            fields = governor_fields(run, before.key, governor, expires_at=self._forgotten_at(run))
            governs = [Put(table=self._table, fields=fields)]
        update = task_update(self._table, before, after)
        return write_with(self._engine, update, [*governs, *self._inserts(attempts)])

    def record_member(
        self, task: TaskProgress, indices: Collection[int], *, succeeded: bool
    ) -> TaskProgress | None:
        """Count members of a fan-out as ended, once each."""
        found = self._change(
            task_key(task.tenant, task.dag_run_id, task.key),
            added={"members_succeeded" if succeeded else "members_failed": frozenset(indices)},
            where={"round": task.round, "task_state": TaskState.RUNNING},
        )
        return task_from_fields(found) if found is not None else None

    def keep_task_token(
        self, tenant: TenantId, dag_run_id: DagRunId, key: TaskKey, token: str
    ) -> TaskProgress | None:
        """Add a token, which is told when the task has ended."""
        found = self._change(
            task_key(tenant, dag_run_id, key),
            appended={"tokens": [token]},
            where={},
        )
        return task_from_fields(found) if found is not None else None

    def _inserts(self, attempts: Sequence[Attempt]) -> list[Insert]:
        keep = self._retention
        fields = (
            attempt_to_fields(each, shards=self._shards(), retention=keep) for each in attempts
        )
        return [Insert(table=self._table, fields=each) for each in fields]

    def _status_update(self, before: DagRun, after: DagRun, uncounted: Collection[int]) -> Update:
        places = frozenset(uncounted)
        fields = status_fields(after, shards=self._shards(), retention=self._retention)
        return Update(
            table=self._table,
            key=dag_run_key(before.tenant, before.dag_run_id),
            fields={**fields, "revision": before.revision + 1},
            taken={"ended": places, "failed": places} if places else {},
            where={"revision": before.revision},
        )

    def _forgotten_at(self, run: DagRun) -> int:
        return forgotten_at(run, retention=self._retention)

    def _change(
        self,
        key: Key,
        *,
        where: Where,
        fields: Mapping[str, Plain] = MappingProxyType({}),
        added: Mapping[str, frozenset[int]] = MappingProxyType({}),
        appended: Mapping[str, Sequence[str]] = MappingProxyType({}),
        removed: Sequence[str] = (),
    ) -> dict[str, Plain] | None:
        """Return the item as it is then; ``None`` where the condition does not hold."""
        update = Update(
            table=self._table,
            key=key,
            fields=fields,
            added=added,
            appended=appended,
            removed=removed,
            where=where,
            shows_stored=True,
        )
        return self._engine.write(update).stored
