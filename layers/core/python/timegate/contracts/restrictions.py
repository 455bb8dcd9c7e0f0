"""Freezes as they are asked for."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from timegate.contracts.values.fields import PRINTABLE, Contract, Instant, Key, Value
from timegate.contracts.values.queries import PageQuery
from timegate.domain.restrictions.freeze import (
    MAX_REASON,
    MAX_SPARED,
    Freeze,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.values.identity import JOB_REFERENCE
from timegate.domain.values.tenant import ADMINISTRATION, TENANT_NAME, TenantId


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
        return FreezeScope(kind=FreezeKind.TAG, value=_tag(self.key, self.value))


class JobScope(Contract):
    """One job."""

    kind: Literal["job"]
    job_id: str = Field(pattern=JOB_REFERENCE, description="Its id, or key:<key>.")

    def to_domain(self) -> FreezeScope:
        """Return the domain's value."""
        return FreezeScope(kind=FreezeKind.JOB, value=self.job_id)


ScopeContract = Annotated[TenantScope | TagScope | JobScope, Field(discriminator="kind")]
TenantName = Annotated[str, StringConstraints(pattern=f"^{TENANT_NAME.pattern}$")]
Reason = Annotated[str, StringConstraints(max_length=MAX_REASON, pattern=PRINTABLE)]


class _FreezeSpan(Contract):
    starts_at: Instant | None = Field(None, description="Now, unless given.")
    ends_at: Instant = Field(description="When it thaws; at most 366 days after its start.")
    thaw: ThawPolicy = Field(
        ThawPolicy.JOB,
        description="What runs then of what it held back; job: as each job's catch-up says.",
    )
    reason: Reason = Field("", description="For people.")

    def freeze(
        self,
        tenant: TenantId,
        scope: FreezeScope,
        *,
        spared_tenants: tuple[str, ...] = (),
        now: datetime,
    ) -> Freeze:
        """Return the freeze of a scope in this span."""
        starts_at = self.starts_at or now
        freeze_id = freeze_id_for(
            tenant,
            scope,
            starts_at=starts_at,
            ends_at=self.ends_at,
            thaw=self.thaw,
            spared_tenants=spared_tenants,
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
            spared_tenants=spared_tenants,
        )


class NewFreeze(_FreezeSpan):
    """A span of time in which nothing of its scope starts."""

    scope: ScopeContract

    def to_domain(self, tenant: TenantId, *, now: datetime) -> Freeze:
        """Return the domain's value."""
        return self.freeze(tenant, self.scope.to_domain(), now=now)


class SparedTag(Contract):
    """A tag of jobs that a freeze of the stage does not hold back."""

    key: Key
    value: Value | None = Field(None, description="Null: whatever its value.")


class NewStageFreeze(_FreezeSpan):
    """A span of time in which nothing of any tenant starts, but for what is spared."""

    spared_tag: SparedTag | None = Field(
        None, description="Jobs with this tag go on; null: none does. Tenants set their tags."
    )
    spared_tenants: list[TenantName] = Field(
        default_factory=list, max_length=MAX_SPARED, description="These tenants go on."
    )

    def to_domain(self, *, now: datetime) -> Freeze:
        """Return the domain's value."""
        tag = self.spared_tag
        spared = "" if tag is None else _tag(tag.key, tag.value)
        return self.freeze(
            ADMINISTRATION,
            FreezeScope(kind=FreezeKind.STAGE, value=spared),
            spared_tenants=tuple(sorted({*self.spared_tenants})),
            now=now,
        )


class StageScope(Contract):
    """Every job of every tenant, but for those that the stage spares."""

    kind: Literal["stage"]
    spared_tag: SparedTag | None = Field(description="Jobs with this tag go on; null: none does.")


AnyScope = Annotated[TenantScope | TagScope | JobScope | StageScope, Field(discriminator="kind")]


class FreezesQuery(PageQuery):
    """Filter of freezes."""

    unended: bool = Field(
        default=False, description="Only those that have not ended: all of them, on one page."
    )


def _tag(key: str, value: str | None) -> str:
    return key if value is None else f"{key}={value}"
