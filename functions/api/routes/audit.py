"""Routes that say who changed what."""

from api.audit_views import entry_view, whole_entry_view
from api.contracts.audit import AuditQuery, ChangesQuery
from api.exchange import Exchange, Reply
from api.routes.route import Route
from api.routes.scope import Scope
from api.views import page_view
from timegate.domain.tenants.audit_trail import Resource, ResourceKind
from timegate.usecases.tenants.read_audit import read_audit


def list_page(exchange: Exchange) -> Reply:
    """Read the audit trail."""
    query = exchange.query(AuditQuery)
    page = read_audit(
        exchange.tenant, query.wanted, exchange.services, limit=query.limit, cursor=query.position
    )
    return Reply(body=page_view(query.leading_on(page), entry_view))


def of_tenant(exchange: Exchange) -> Reply:
    """Read a tenant's audit trail, as the stage's administration."""
    query = exchange.query(AuditQuery)
    page = read_audit(
        exchange.tenant, query.wanted, exchange.services, limit=query.limit, cursor=query.position
    )
    return Reply(body=page_view(query.leading_on(page), whole_entry_view))


def of_job(exchange: Exchange) -> Reply:
    """Read who changed a job."""
    query = exchange.query(ChangesQuery)
    resource = Resource(kind=ResourceKind.JOB, id=exchange.job_id)
    page = read_audit(
        exchange.tenant,
        query.to_filter(resource),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=page_view(query.leading_on(page), entry_view))


AUDIT = (
    Route(
        method="GET",
        path="/v1/audit",
        serve=list_page,
        operation="readAudit",
        query=AuditQuery,
    ),
    Route(
        method="GET",
        path="/v1/jobs/<job_id>/audit",
        serve=of_job,
        operation="readJobAudit",
        query=ChangesQuery,
    ),
    Route(
        method="GET",
        path="/v1/tenants/<tenant>/audit",
        serve=of_tenant,
        operation="readTenantAudit",
        query=AuditQuery,
        asks=Scope.ADMIN,
    ),
)
