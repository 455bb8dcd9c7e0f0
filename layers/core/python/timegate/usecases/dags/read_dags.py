"""Reading DAGs: one as it is or was, its versions, and the tenant's by page."""

from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.values.identity import DagId
from timegate.domain.values.tenant import TenantId
from timegate.ports.dags import DagPage, DagRow
from timegate.ports.stores import Page
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def read_dag(
    tenant: TenantId, dag_id: DagId, services: ApiServices, *, version: int | None = None
) -> Dag:
    """A DAG as it is, or as a version has it; raises ``DagNotFound``, ``DagVersionNotFound``."""
    if version is None:
        return services.dags.get(tenant, dag_id)
    return services.dags.version(tenant, dag_id, version)


def list_versions(
    tenant: TenantId, dag_id: DagId, services: ApiServices, *, limit: int, cursor: str | None
) -> Page[DagRow]:
    """Its versions, the latest first; raises ``DagNotFound`` and ``InvalidInput``."""
    page = services.dags.versions(tenant, dag_id, limit=limit, cursor=cursor)
    for version in page.damaged:
        services.telemetry.event(
            service_events.DAG_UNREADABLE, tenant_id=tenant, dag_id=dag_id, version=version
        )
    return page


def list_dags(
    tenant: TenantId,
    status: DagStatus,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> DagPage:
    """The tenant's DAGs of a status, newest first; raises ``InvalidInput``."""
    page = services.dags.list_dags(tenant, status, limit=limit, cursor=cursor)
    for dag_id in page.damaged:
        services.telemetry.event(service_events.DAG_UNREADABLE, tenant_id=tenant, dag_id=dag_id)
    return page
