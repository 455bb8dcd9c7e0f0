"""Routes that say who changed what."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.tenants import tenant_answers
from api.tenants.audit_views import entry_view, whole_entry_view
from api.values.views import View, page_view
from timegate.contracts.tenants.audit_trail import AuditQuery, ChangesQuery
from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter, Resource, ResourceKind
from timegate.domain.values.tenant import ADMINISTRATION, TenantId
from timegate.usecases.tenants.read_audit import read_audit

_trail = partial(route, "GET", query=AuditQuery, answer=tenant_answers.AuditPage, refusals=(404,))


@_trail(
    "/v1/audit",
    operation="readAudit",
    success={200: "A page of what was changed, latest first."},
)
def list_page(exchange: Exchange) -> Reply:
    """Read the audit trail.

    Every change that was accepted, latest first.
    """
    return _page(exchange, exchange.tenant, entry_view)


@_trail(
    "/v1/tenants/<tenant>/audit",
    operation="readTenantAudit",
    asks=Scope.ADMIN,
    success={200: "A page of what was changed of the tenant's, latest first."},
)
def of_tenant(exchange: Exchange) -> Reply:
    """Read a tenant's audit trail, as the stage's administration.

    The answer is that of readAudit for the tenant itself; the administration reads it also while
    the tenant is suspended.
    """
    return _page(exchange, exchange.tenant, whole_entry_view)


@_trail(
    "/v1/stage/audit",
    operation="readStageAudit",
    asks=Scope.ADMIN,
    success={200: "A page of what was changed of the whole stage, latest first."},
)
def of_stage(exchange: Exchange) -> Reply:
    """Read who changed what of the whole stage.

    Freezes of all tenants, and API keys of the administration, are in no tenant's trail. Changes of
    a tenant by the administration are in that of the tenant.
    """
    return _page(exchange, ADMINISTRATION, whole_entry_view)


@_trail(
    "/v1/jobs/<job_id>/audit",
    operation="readJobAudit",
    query=ChangesQuery,
    success={200: "A page of what was changed of the job, latest first."},
)
def of_job(exchange: Exchange) -> Reply:
    """Read who changed a job.

    Every change of the job that was accepted, by whom, before and after.
    """
    query = exchange.query(ChangesQuery)
    resource = Resource(kind=ResourceKind.JOB, id=exchange.job_id)
    page = read_audit(exchange.tenant, query.to_filter(resource), exchange.services, **query.paging)
    return Reply(body=page_view(query.leading_on(page), entry_view))


def _page(exchange: Exchange, tenant: TenantId, view: Callable[[AuditEntry], View]) -> Reply:
    query = exchange.query(AuditQuery)
    wanted = _with_id(query.wanted, exchange)
    page = read_audit(tenant, wanted, exchange.services, **query.paging)
    return Reply(body=page_view(query.leading_on(page), view))


def _with_id(wanted: AuditFilter, exchange: Exchange) -> AuditFilter:
    """Return a filter with the id of the job that it names by its key."""
    resource = wanted.resource
    if resource is None or resource.kind is not ResourceKind.JOB:
        return wanted
    return replace(wanted, resource=replace(resource, id=exchange.job_named(resource.id)))
