"""What answers about tenants look like."""

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import Answer
from timegate.domain.tenants.tenant_settings import TenantStatus


class QuotaNumbers(Answer):
    """A number for each quota."""

    jobs: int | None
    dags: int | None
    concurrent_runs: int | None
    runs_per_day: int | None
    requests_per_second: int | None
    burst: int | None


class TenantSuspension(Answer):
    """Why nothing of a tenant starts."""

    since: Instant
    reason: str
    freeze_id: str = Field(description="The freeze that holds everything back meanwhile.")


class Tenant(Answer):
    """A tenant as the stage has it."""

    tenant: str
    display_name: str
    status: TenantStatus
    suspension: TenantSuspension | None
    quotas: QuotaNumbers = Field(description="As they were set; null: as the stage has it.")
    effective_quotas: QuotaNumbers = Field(description="What counts; null: no limit.")
    version: int = Field(ge=0, description="Grows with every change; 0: nothing was ever set.")
    created_at: Instant | None = Field(description="When something was first set.")
    updated_at: Instant | None


class UsageAnswer(Answer):
    """How much of its quotas a tenant uses, counted exactly."""

    jobs: int = Field(description="Jobs that may still run: active and paused ones.")
    dags: int = Field(description="DAGs that are not deleted.")
    runs_per_day: int | None = Field(
        description="Runs that have begun today, in UTC; null: no quota, and nobody counts."
    )


class OwnTenant(Tenant):
    """A tenant as it sees itself."""

    usage: UsageAnswer
    caller: str = Field(description="Who asks: the token's subject.")
    scopes: list[str] = Field(description="What the token allows.")


class TenantPage(Answer):
    """Tenants that something was set for, by name."""

    items: list[Tenant]
    next_cursor: str | None = Field(description="Null on the last page.")
