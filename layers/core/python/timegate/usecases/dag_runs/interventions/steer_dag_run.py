"""Steering a DAG run: it is cancelled, or what failed of it is tried again."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.policies import to_repeat
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.dag_runs.reopening import IndexedDag, asked_round
from timegate.domain.dag_runs.run_errors import (
    DagRunIsFinished,
    DagRunIsUnfinished,
    NothingToRepeat,
)
from timegate.domain.dags.definition import DagStatus
from timegate.domain.dags.errors import DagIsDeleted
from timegate.domain.values.errors import Conflict
from timegate.domain.values.identity import DagRunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON
from timegate.usecases.dag_runs.interventions.record_end import record_end
from timegate.usecases.dag_runs.stopping.call_off import stopping
from timegate.usecases.services.api_services import ApiServices

#: Its status changes a few times in its life.
_TRIES = 5
#: The DAG run as it is to be, and tasks whose ends no longer count.
_Change = tuple[DagRun, frozenset[int]]


def cancel_dag_run(
    tenant: TenantId, dag_run_id: DagRunId, services: ApiServices, *, now: datetime
) -> DagRun:
    """Stop a DAG run; one that is being stopped is as it is.

    Raises ``DagRunNotFound``, and ``DagRunIsFinished`` when it ended in another way.
    """

    def stopped(run: DagRun) -> _Change:
        if run.stops_all or run.status is DagRunStatus.CANCELLED:
            return run, frozenset()
        if run.has_ended:
            raise DagRunIsFinished(run.dag_run_id, run.status)
        return stopping(run, now=now), frozenset()

    return _steered(tenant, dag_run_id, stopped, services)


def retry_dag_run(
    tenant: TenantId, dag_run_id: DagRunId, services: ApiServices, *, now: datetime
) -> DagRun:
    """Run what failed of a DAG run again, and what came to nothing because of it.

    A succeeded task stays as it is. Raises ``DagRunNotFound``, ``DagRunIsUnfinished``,
    ``DagIsDeleted``, ``TooManyRounds`` and ``NothingToRepeat``.
    """

    def reopened(run: DagRun) -> _Change:
        if not run.has_ended:
            raise DagRunIsUnfinished(run.dag_run_id, run.status)
        refuse_deleted(run, services)
        layout = layout_of(run, services)
        states = {task.key: task.state for task in services.dag_runs.tasks(tenant, dag_run_id)}
        back = layout.placed(to_repeat(layout.graph, states))
        if not back:
            raise NothingToRepeat(run.dag_run_id)
        again = asked_round(run, layout.dag, back, now=now)
        record_end(run, services, now=now)
        return replace(again, watch_at=now + LOOK_SOON, follow=True), back

    return _steered(tenant, dag_run_id, reopened, services)


def refuse_deleted(run: DagRun, services: ApiServices) -> None:
    """Nothing of a deleted DAG starts any more; raises ``DagIsDeleted``."""
    if services.dags.get(run.tenant, run.dag_id).status is DagStatus.DELETED:
        raise DagIsDeleted(run.dag_id)


def layout_of(run: DagRun, services: ApiServices) -> IndexedDag:
    """The definition that a DAG run keeps to."""
    return IndexedDag.of(services.dags.version(run.tenant, run.dag_id, run.dag_version))


def _steered(
    tenant: TenantId,
    dag_run_id: DagRunId,
    change: Callable[[DagRun], _Change],
    services: ApiServices,
) -> DagRun:
    for _ in range(_TRIES):
        run = services.dag_runs.get(tenant, dag_run_id)
        after, uncounted = change(run)
        if after == run:
            return run
        if services.dag_runs.change(run, after, uncounted=uncounted):
            services.telemetry.event(
                service_events.DAG_RUN_STEERED,
                **of_dag_run(after),
                status=after.status,
            )
            return services.dag_runs.get(tenant, dag_run_id)
    raise Conflict(f"DAG run {dag_run_id} keeps changing; try again.")
