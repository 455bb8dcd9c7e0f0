"""Reading DAG runs, and how far each task of one is."""

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_filter import DagRunFilter
from timegate.domain.dags.definition import Task
from timegate.domain.values.identity import DagId, DagRunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.dag_runs import DagRunPage
from timegate.ports.stores import NamedPage
from timegate.ports.telemetry import service_events
from timegate.usecases.runs.store_payload import load_kept_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable
from timegate.usecases.services.matching_rows import damaged_of, look_through
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRunDetails:
    """A DAG run with its tasks, in the order of the definition that it keeps to."""

    run: DagRun
    #: Parameters in JSON text; ``None``: they are lost.
    parameters: str | None
    #: ``None``: it is not on record yet.
    tasks: tuple[tuple[Task, TaskProgress | None], ...]


def read_dag_run(tenant: TenantId, dag_run_id: DagRunId, services: ApiServices) -> DagRunDetails:
    """A DAG run and all its tasks; raises ``DagRunNotFound``."""
    run = services.dag_runs.get(tenant, dag_run_id)
    dag = services.dags.version(tenant, run.dag_id, run.dag_version)
    found = {task.key: task for task in services.dag_runs.tasks(tenant, dag_run_id)}
    return DagRunDetails(
        run=run,
        parameters=_parameters(run, services),
        tasks=tuple((task, found.get(task.key)) for task in dag.tasks),
    )


def _parameters(run: DagRun, services: ApiServices) -> str | None:
    kept = load_kept_payload(run.parameters, services.blobs)
    return kept if run.parameters.is_given else "{}"


def list_dag_runs(
    tenant: TenantId,
    dag_id: DagId,
    wanted: DagRunFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> NamedPage[DagRun]:
    """The runs of a DAG that match and can be read, newest first.

    Raises ``DagNotFound`` and ``InvalidInput``.

    Fewer than ``limit``, even none, with a cursor means "not finished looking".
    """
    services.dags.get(tenant, dag_id)

    def read(most: int, begin: str | None) -> DagRunPage:
        page = services.dag_runs.list_dag_runs(
            tenant, dag_id, within=wanted.within, limit=most, cursor=begin
        )
        event, telemetry = service_events.DAG_RUN_UNREADABLE, services.telemetry
        tell_of_unreadable(event, tenant, page.damaged, telemetry, named="dag_run_id")
        return page

    found, pages = look_through(read, wanted.matches, limit=limit, cursor=cursor)
    return NamedPage(rows=found, damaged=damaged_of(pages), cursor=pages[-1].cursor)
