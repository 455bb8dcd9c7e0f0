"""Answers about tenants and their audit trail."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from api.values.damaged_answers import NamedPage
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.jobs.demands import ListRuns
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.tenants.people import Role
from timegate.domain.tenants.tenant_settings import TenantStatus


class QuotaNumbers(TypedDict):
    """A number for each quota."""

    jobs: int | None
    dags: int | None
    concurrent_runs: int | None
    runs_per_day: int | None
    requests_per_second: int | None
    burst: int | None


class TenantSuspension(TypedDict):
    """The suspension of a tenant: none of its runs starts."""

    since: WrittenInstant
    reason: str
    freeze_id: Annotated[str, Field(description="The freeze that holds everything back meanwhile.")]


class Tenant(TypedDict):
    """A tenant as the stage has it."""

    tenant: str
    display_name: str
    status: TenantStatus
    suspension: TenantSuspension | None
    quotas: Annotated[
        QuotaNumbers, Field(description="As they were set; null: as the stage has it.")
    ]
    effective_quotas: Annotated[QuotaNumbers, Field(description="What counts; null: no limit.")]
    list_runs: Annotated[
        ListRuns | None,
        Field(description="Of jobs that are created without it; null: those that fail."),
    ]
    version: Annotated[
        int, Field(ge=0, description="Grows with every change; 0: nothing was ever set.")
    ]
    created_at: Annotated[WrittenInstant | None, Field(description="When something was first set.")]
    updated_at: WrittenInstant | None


class UsageAnswer(TypedDict):
    """A tenant's use of its quotas, counted exactly."""

    jobs: Annotated[int, Field(description="Jobs that may still run: active and paused ones.")]
    dags: Annotated[int, Field(description="DAGs that are not deleted.")]
    runs_per_day: Annotated[
        int | None,
        Field(description="Runs that have begun today, in UTC; null: no quota, none are counted."),
    ]


class PersonAnswer(TypedDict):
    """A person who signed in."""

    name: str
    roles: Annotated[list[Role], Field(description="Her roles; without any she may do nothing.")]


class OwnTenant(Tenant):
    """A tenant as it sees itself."""

    usage: UsageAnswer
    target_regions: Annotated[
        list[str],
        Field(
            description="Regions of AWS in which jobs may call targets; the stage's own is first."
        ),
    ]
    caller: Annotated[str, Field(description="Who asks: a person's name, or the token's subject.")]
    person: Annotated[
        PersonAnswer | None, Field(description="The person who asks; null: a program does.")
    ]
    scopes: Annotated[
        list[str], Field(description="What the token allows, and the roles of a person as well.")
    ]


class TenantPage(NamedPage):
    """Tenants that something was set for, by name."""

    items: list[Tenant]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class AuditActor(TypedDict):
    """The author of a change."""

    subject: Annotated[
        str, Field(description="The token's, or who started the operation that made it.")
    ]
    client_id: str | None
    source_ip: Annotated[
        str | None,
        Field(description="Null for operations and, to tenants, for the administration."),
    ]
    of_stage: Annotated[bool, Field(description="The administration of the stage.")]


class AuditResource(TypedDict):
    """The changed resource."""

    kind: ResourceKind
    id: str


class AuditedField(TypedDict):
    """A field, before and after. Values that may be secret are told by their digest."""

    field: str
    before: Any
    after: Any


class AuditRecord(TypedDict):
    """One change of one thing."""

    at: WrittenInstant
    actor: AuditActor
    operation: Annotated[
        str,
        Field(
            description=(
                "Of the API; bulk.… of an operation that worked by itself, admin.… of an operator's"
                " command."
            )
        ),
    ]
    request_id: Annotated[str, Field(description="Of the request, or of the operation.")]
    resource: AuditResource
    version: Annotated[int | None, Field(description="Of the thing, after the change.")]
    changes: list[AuditedField]


class AuditPage(NamedPage):
    """Changes, latest first. A page can be short, or empty, and not the last."""

    items: list[AuditRecord]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]
