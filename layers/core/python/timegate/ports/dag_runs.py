"""The records of DAG runs and of their tasks, and the executions that stand for them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dags.definition import Dag
from timegate.domain.execution.day_quota import DayQuota
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import DagId, DagRunId, TaskKey
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass

#: Tasks that are changed by one write.
TOGETHER = 25
#: The error of an execution whose DAG run has not succeeded.
DAG_RUN_FAILED = "DagRunFailed"


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRunPage(NamedPage[DagRun]):
    """DAG runs, and those between them whose records cannot be read."""


class DagDefinitions(Protocol):
    """The definitions that DAG runs keep to. Throttling raises ``Throttled``."""

    def get(self, tenant: TenantId, dag_id: DagId) -> Dag:
        """The DAG as it is now, strongly consistent; raises ``DagNotFound``."""

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """The DAG as it was defined at a version; raises ``DagNotFound``."""

    def own_job(self, tenant: TenantId, dag_id: DagId) -> Job | None:
        """The DAG's own job, strongly consistent; ``None``: there is none that can be read."""


class DagRunStore(Protocol):
    """One record per DAG run, one per task of it. Throttling raises ``Throttled`` everywhere.

    A DAG run's record that says ``follow`` is an event: outcomes looks at the DAG run.
    """

    def create(self, run: DagRun, *, within: DayQuota | None = None) -> DagRun:
        """Store a new DAG run, and its row in its DAG's list, unless it exists; what is stored.

        ``within``: it counts as a run that begins on that day; raises ``DayIsFull``.
        """

    def get(self, tenant: TenantId, dag_run_id: DagRunId) -> DagRun:
        """The DAG run, strongly consistent; raises ``DagRunNotFound``."""

    def list_dag_runs(
        self,
        tenant: TenantId,
        dag_id: DagId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
    ) -> DagRunPage:
        """The runs of a DAG that were created within, newest first.

        Raises ``InvalidInput`` for no cursor of them.
        """

    def change(
        self, before: DagRun, after: DagRun, *, uncounted: Collection[int] = frozenset()
    ) -> bool:
        """Store another status, unless it was changed since ``before`` was read.

        Tasks that end meanwhile are not lost: of what is counted only ``uncounted`` is taken out.
        """

    def change_together(
        self,
        before: DagRun,
        after: DagRun,
        tasks: Sequence[tuple[TaskProgress, TaskProgress]],
        *,
        uncounted: Collection[int] = frozenset(),
        runs: Sequence[Attempt] = (),
    ) -> bool:
        """``change`` and ``change_task`` at once, of up to ``TOGETHER`` tasks, or nothing.

        One that is put back is so only if no edge that leads to it was decided meanwhile. ``runs``
        are new, and stored with it.
        """

    def record_end(self, run: DagRun, places: Collection[int], *, failed: bool) -> DagRun | None:
        """Count tasks as ended, once each; as it is then. ``None``: it is in another round."""

    def keep_token(self, run: DagRun, token: str) -> DagRun:
        """Add a token, which is told when the DAG run has ended; return the run as it is then."""

    def touch(self, ref: DagRunRef, *, now: datetime, watch_at: datetime) -> DagRun | None:
        """Have an overdue DAG run looked at, and again at ``watch_at``; ``None``: it is not."""

    def look_now(self, run: DagRun, watch_at: datetime) -> None:
        """Have a DAG run looked at now, and again at ``watch_at``, unless it has ended."""

    def look_by(self, run: DagRun, watch_at: datetime) -> None:
        """Have a DAG run looked at by an instant, unless that is sooner, or it has ended."""

    def open_tasks(self, run: DagRun, tasks: Sequence[TaskProgress]) -> None:
        """Store the tasks of a DAG run, each unless it exists."""

    def keep_tasks(self, run: DagRun, keys: Sequence[TaskKey]) -> None:
        """Let tasks of a DAG run that is opened anew, and its place in lists, expire with it."""

    def task(self, tenant: TenantId, dag_run_id: DagRunId, key: TaskKey) -> TaskProgress | None:
        """A task, strongly consistent."""

    def tasks(self, tenant: TenantId, dag_run_id: DagRunId) -> tuple[TaskProgress, ...]:
        """All tasks of a DAG run, strongly consistent."""

    def some_tasks(
        self, tenant: TenantId, dag_run_id: DagRunId, keys: Sequence[TaskKey]
    ) -> tuple[TaskProgress, ...]:
        """These tasks of a DAG run, strongly consistent."""

    def decide(self, run: DagRun, key: TaskKey, *, source: int, holds: bool) -> TaskProgress | None:
        """Decide an edge, once; the task at its end as it is then.

        ``None``: the task belongs to a later round than the DAG run did when it was read.
        """

    def change_task(self, before: TaskProgress, after: TaskProgress) -> TaskProgress | None:
        """Store another state of a task; as it is then. ``None``: it is not as it was read."""

    def start_task(
        self,
        run: DagRun,
        before: TaskProgress,
        after: TaskProgress,
        governor: Job | None,
        attempts: Sequence[Attempt],
    ) -> bool:
        """Start a pending task: its new state, what governs its runs, and its run, or nothing.

        Without a governor it waits, and the attempts tell of that.

        ``False``: another process started or ended it.
        """

    def record_member(
        self, task: TaskProgress, indices: Collection[int], *, succeeded: bool
    ) -> TaskProgress | None:
        """Count members of a fan-out as ended, once each; the task as it is then.

        ``None``: it has ended, or runs in another round.
        """

    def keep_task_token(
        self, tenant: TenantId, dag_run_id: DagRunId, key: TaskKey, token: str
    ) -> TaskProgress | None:
        """Add a token, which is told when the task has ended; return the task as it is then."""

    def attempts(
        self, run: DagRun, *, key: TaskKey | None = None, in_round: int | None = None
    ) -> tuple[Attempt, ...]:
        """The attempts at the runs of a DAG run's tasks, or of one, strongly consistent."""

    def first_attempts(self, run: DagRun, *, at_most: int) -> tuple[Attempt, ...]:
        """Up to so many of the attempts at its tasks' runs: by round as text, task and member."""


class Executions(Protocol):
    """The executions of the generic state machine; each stands for a DAG run from its start."""

    def begin(self, run: DagRun, tasks: Sequence[TaskKey]) -> None:
        """Begin the execution of this round, unless it has begun; raises ``Throttled``.

        It waits for the ends of ``tasks``, which are on record, and for that of the DAG run.
        """

    def answer(self, token: str, output: str) -> bool:
        """End a callback with JSON text; ``False``: no execution waits for it any more."""

    def fail(self, token: str, cause: str) -> bool:
        """End a callback, and with it the execution of a DAG run that has not succeeded.

        ``cause`` is JSON text. ``False``: no execution waits for it any more.
        """
