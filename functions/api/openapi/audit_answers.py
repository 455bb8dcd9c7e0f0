"""What answers about the audit trail look like, and what the route table does not say of them."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import Answer
from api.openapi.described import Described
from timegate.domain.tenants.audit_trail import ResourceKind


class AuditActor(Answer):
    """Who made a change."""

    subject: str = Field(description="The token's, or who started the operation that made it.")
    client_id: str | None
    source_ip: str | None = Field(
        description="Null for operations and, to tenants, for the administration."
    )
    of_stage: bool = Field(description="The administration of the stage.")


class AuditResource(Answer):
    """What was changed."""

    kind: ResourceKind
    id: str


class AuditedField(Answer):
    """A field, before and after. What may be secret is told by its digest."""

    field: str
    before: Any
    after: Any


class AuditRecord(Answer):
    """One change of one thing."""

    at: Instant
    actor: AuditActor
    operation: str = Field(description="Of the API; bulk.… of an operation that worked by itself.")
    request_id: str = Field(description="Of the request, or of the operation.")
    resource: AuditResource
    version: int | None = Field(description="Of the thing, after the change.")
    changes: list[AuditedField]


class AuditPage(Answer):
    """Changes, latest first. A page can be short, or empty, and not the last."""

    items: list[AuditRecord]
    next_cursor: str | None = Field(description="Null on the last page.")


AUDIT_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "readAudit": Described(
            answer=AuditPage,
            success={200: "A page of what was changed, latest first."},
            refusals=(HTTPStatus.NOT_FOUND,),
        ),
        "readJobAudit": Described(
            answer=AuditPage,
            success={200: "A page of what was changed of the job, latest first."},
            refusals=(HTTPStatus.NOT_FOUND,),
        ),
        "readTenantAudit": Described(
            answer=AuditPage,
            success={200: "A page of what was changed of the tenant's, latest first."},
            refusals=(HTTPStatus.NOT_FOUND,),
        ),
    }
)
