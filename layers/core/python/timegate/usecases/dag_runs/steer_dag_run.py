"""Steering a DAG run: it is cancelled, or what failed of it is tried again."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.dag.edges import Graph
from timegate.domain.dag.policies import to_repeat
from timegate.domain.dag.progress import DagRun, DagRunStatus
from timegate.domain.dag.run_errors import (
    DagRunIsFinished,
    DagRunIsUnfinished,
    NothingToRepeat,
)
from timegate.domain.dag.run_identity import DagRunId
from timegate.domain.errors import Conflict
from timegate.domain.tenant import TenantId
from timegate.usecases.dag_runs.call_off import stopping
from timegate.usecases.dag_runs.works import LOOK_SOON
from timegate.usecases.services import ApiServices

#: Its status changes a few times in its life.
_TRIES = 5


def cancel_dag_run(
    tenant: TenantId, dag_run_id: DagRunId, services: ApiServices, *, now: datetime
) -> DagRun:
    """Stop a DAG run; one that is being stopped is as it is.

    Raises ``DagRunNotFound``, and ``DagRunIsFinished`` when it ended in another way.
    """

    def stopped(run: DagRun) -> DagRun:
        if run.status in {DagRunStatus.STOPPING, DagRunStatus.CANCELLED}:
            return run
        if run.has_ended:
            raise DagRunIsFinished(run.dag_run_id, run.status)
        return stopping(run, now=now)

    return _steered(tenant, dag_run_id, stopped, services)


def retry_dag_run(
    tenant: TenantId, dag_run_id: DagRunId, services: ApiServices, *, now: datetime
) -> DagRun:
    """Run what failed of a DAG run again, and what came to nothing because of it.

    What has succeeded stays as it is. Raises ``DagRunNotFound``, ``DagRunIsUnfinished`` and
    ``NothingToRepeat``.
    """

    def reopened(run: DagRun) -> DagRun:
        if not run.has_ended:
            raise DagRunIsUnfinished(run.dag_run_id, run.status)
        dag = services.dags.version(tenant, run.dag_id, run.dag_version)
        states = {task.key: task.state for task in services.dag_runs.tasks(tenant, dag_run_id)}
        if not to_repeat(Graph.of(dag.tasks, dag.edges), states):
            raise NothingToRepeat(run.dag_run_id)
        return replace(
            run,
            status=DagRunStatus.REOPENING,
            round=run.round + 1,
            opened_as=run.round + 1,
            repeats=frozenset(),
            stops_as=None,
            reason=None,
            ended_at=None,
            deadline_at=now + timedelta(seconds=dag.timeout_seconds),
            watch_at=now + LOOK_SOON,
            follow=True,
        )

    return _steered(tenant, dag_run_id, reopened, services)


def _steered(
    tenant: TenantId,
    dag_run_id: DagRunId,
    change: Callable[[DagRun], DagRun],
    services: ApiServices,
) -> DagRun:
    for _ in range(_TRIES):
        run = services.dag_runs.get(tenant, dag_run_id)
        after = change(run)
        if after == run:
            return run
        if services.dag_runs.change(run, after):
            services.telemetry.event(
                "dag_run_steered", tenant_id=tenant, dag_run_id=dag_run_id, status=after.status
            )
            return services.dag_runs.get(tenant, dag_run_id)
    raise Conflict(f"DAG run {dag_run_id} keeps changing; try again.")
