"""Reading DAG runs, their tasks, and the runs of these: always by key."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_from_fields
from timegate.adapters.dynamo.dag_runs.dag_task_items import task_from_fields
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import (
    DAG_RUNS_PREFIX,
    TASK_PREFIX,
    TASK_RUN_PREFIX,
    dag_run_key,
    dag_run_row_key,
    job_pk,
    task_key,
)
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_errors import DagRunDamaged, DagRunNotFound
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import DagId, DagRunId, JobId, TaskKey
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dag_runs import DagRunPage

#: Sorts after every instant, and everything that follows one in a key.
_AFTER_ALL = "~"


class DynamoDagRunQueries:
    """The part of ``DynamoDagRunStore`` that reads."""

    _engine: Engine
    _table: str

    def get(self, tenant: TenantId, dag_run_id: DagRunId) -> DagRun:
        """The DAG run, strongly consistent; raises ``DagRunNotFound`` and ``DagRunDamaged``."""
        found = self._engine.get(self._table, dag_run_key(tenant, dag_run_id))
        if found is None:
            raise DagRunNotFound(dag_run_id)
        with _readable(dag_run_id):
            return dag_run_from_fields(found)

    def list_dag_runs(
        self,
        tenant: TenantId,
        dag_id: DagId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
    ) -> DagRunPage:
        """The runs of a DAG that were created within, newest first: one query, and one read."""
        pk, listing = job_pk(tenant, JobId(dag_id)), f"dag-runs#{tenant}#{dag_id}"
        first, last = _keys(within, read_cursor(listing, cursor) if cursor is not None else None)
        if last < first:
            return DagRunPage(rows=(), cursor=None)
        page = self._engine.query(
            Query(
                table=self._table,
                of=pk,
                first=first,
                last=last,
                consistent=True,
                latest_first=True,
                limit=limit,
            )
        )
        listed = page.items
        named = [DagRunId(str(row["dag_run_id"])) for row in listed]
        keys = {dag_run_key(tenant, each): each for each in named}
        found = self._engine.get_all({self._table: list(keys)})[self._table]
        stored = [(name, found[key]) for key, name in keys.items() if key in found]
        runs, damaged = read_each(stored, dag_run_from_fields)
        places = {str(row["sk"]) for row in listed}
        # A row of an earlier DAG run of that id, which has expired, may not be gone yet.
        runs = tuple(run for run in runs if _row_of(run) in places)
        more = page.last is not None and bool(listed)
        position = str(listed[-1]["sk"]).removeprefix(DAG_RUNS_PREFIX) if more else None
        following = write_cursor(listing, position) if position else None
        return DagRunPage(rows=runs, damaged=damaged, cursor=following)

    def tasks(self, tenant: TenantId, dag_run_id: DagRunId) -> tuple[TaskProgress, ...]:
        """All tasks of a DAG run, by key, strongly consistent; raises ``DagRunDamaged``."""
        pk = job_pk(tenant, JobId(dag_run_id))
        with _readable(dag_run_id):
            return tuple(task_from_fields(f) for f in self._beginning(pk, TASK_PREFIX))

    def some_tasks(
        self,
        tenant: TenantId,
        dag_run_id: DagRunId,
        keys: Sequence[TaskKey],
    ) -> tuple[TaskProgress, ...]:
        """These tasks of a DAG run, those that are on record, strongly consistent.

        Raises ``DagRunDamaged``.
        """
        wanted = [task_key(tenant, dag_run_id, key) for key in keys]
        found = self._engine.get_all({self._table: wanted})[self._table]
        with _readable(dag_run_id):
            return tuple(task_from_fields(found[key]) for key in wanted if key in found)

    def attempts(
        self,
        run: DagRun,
        *,
        key: TaskKey | None = None,
        in_round: int | None = None,
    ) -> tuple[Attempt, ...]:
        """The attempts at the runs of a DAG run's tasks, or of one, strongly consistent."""
        prefix = _runs_of(run)
        if key is not None and in_round is not None:
            prefix = f"{prefix}{in_round}-{key}-"
        found = self._beginning(job_pk(run.tenant, JobId(run.dag_run_id)), prefix)
        all_of_them = [attempt_from_fields(fields) for fields in found]
        own = [a for a in all_of_them if _is_of(a, key, in_round)]
        return tuple(sorted(own, key=lambda attempt: attempt.id))

    def first_attempts(self, run: DagRun, *, at_most: int) -> tuple[Attempt, ...]:
        """Up to so many of them, by key, strongly consistent."""
        pk = job_pk(run.tenant, JobId(run.dag_run_id))
        found = self._beginning(pk, _runs_of(run), at_most=at_most)
        return tuple(attempt_from_fields(fields) for fields in found)

    def _beginning(
        self, pk: str, prefix: str, *, at_most: int | None = None
    ) -> list[dict[str, Plain]]:
        found = rows(self._engine, Query(table=self._table, of=pk, prefix=prefix, consistent=True))
        return list(islice(found, at_most))


def _row_of(run: DagRun) -> str:
    return dag_run_row_key(run.tenant, run.dag_id, run.created_at, run.dag_run_id).sk


def _runs_of(run: DagRun) -> str:
    """Begin the keys of its tasks' runs: those of an earlier one of its id may not be gone yet."""
    return f"{TASK_RUN_PREFIX}{compact(run.scheduled_at)}#"


def _keys(within: InstantRange, below: str | None) -> tuple[str, str]:
    """The first and the last sort key of what is left of a range of instants."""
    first = compact(within.start) if within.start is not None else ""
    last = f"{compact(within.end)}{_AFTER_ALL}" if within.end is not None else _AFTER_ALL
    if below is not None:
        # The range includes its bound: no id sorts between one and the same without its end.
        last = min(last, below[:-1])
    return f"{DAG_RUNS_PREFIX}{first}", f"{DAG_RUNS_PREFIX}{last}"


def _is_of(attempt: Attempt, key: TaskKey | None, in_round: int | None) -> bool:
    mark = task_run_mark(attempt.id.run)
    if mark is None:
        return False
    return key in {None, mark.key} and in_round in {None, mark.round}


@contextmanager
def _readable(dag_run_id: DagRunId) -> Iterator[None]:
    try:
        yield
    except Malformed as error:
        raise DagRunDamaged(dag_run_id, str(error)) from error
