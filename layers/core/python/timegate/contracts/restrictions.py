"""Freezes as they are asked for."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from timegate.contracts.values.fields import PRINTABLE, Contract, Instant, Key, Value
from timegate.contracts.values.queries import PageQuery
from timegate.domain.restrictions.freeze import (
    MAX_REASON,
    Freeze,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.values.identity import JOB_REFERENCE
from timegate.domain.values.tenant import TenantId


class TenantScope(Contract):
    """Every job of the tenant."""

    kind: Literal["tenant"]

    def to_domain(self) -> FreezeScope:
        """Return the domain's value."""
        return FreezeScope(kind=FreezeKind.TENANT)


class TagScope(Contract):
    """Every job with a tag."""

    kind: Literal["tag"]
    key: Key
    value: Value | None = Field(None, description="Null: whatever its value.")

    def to_domain(self) -> FreezeScope:
        """Return the domain's value."""
        tag = self.key if self.value is None else f"{self.key}={self.value}"
        return FreezeScope(kind=FreezeKind.TAG, value=tag)


class JobScope(Contract):
    """One job."""

    kind: Literal["job"]
    job_id: str = Field(pattern=JOB_REFERENCE, description="Its id, or key:<key>.")

    def to_domain(self) -> FreezeScope:
        """Return the domain's value."""
        return FreezeScope(kind=FreezeKind.JOB, value=self.job_id)


ScopeContract = Annotated[TenantScope | TagScope | JobScope, Field(discriminator="kind")]
Reason = Annotated[str, StringConstraints(max_length=MAX_REASON, pattern=PRINTABLE)]


class NewFreeze(Contract):
    """A span of time in which nothing of its scope starts."""

    scope: ScopeContract
    starts_at: Instant | None = Field(None, description="Now, unless given.")
    ends_at: Instant = Field(description="When it thaws; at most 366 days after its start.")
    thaw: ThawPolicy = Field(
        ThawPolicy.JOB,
        description="What runs then of what it held back; job: as each job's catch-up says.",
    )
    reason: Reason = Field("", description="For people.")

    def to_domain(self, tenant: TenantId, *, now: datetime) -> Freeze:
        """Return the domain's value."""
        scope, starts_at = self.scope.to_domain(), self.starts_at or now
        freeze_id = freeze_id_for(
            tenant, scope, starts_at=starts_at, ends_at=self.ends_at, thaw=self.thaw
        )
        return Freeze(
            tenant=tenant,
            freeze_id=freeze_id,
            scope=scope,
            starts_at=starts_at,
            ends_at=self.ends_at,
            thaw=self.thaw,
            reason=self.reason,
            created_at=now,
        )


class FreezesQuery(PageQuery):
    """Filter of freezes."""

    unended: bool = Field(
        default=False, description="Only those that have not ended: all of them, on one page."
    )
