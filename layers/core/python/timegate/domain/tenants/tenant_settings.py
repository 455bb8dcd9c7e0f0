"""Tenant settings: what the stage's administration says about one tenant."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from timegate.domain.jobs.demands import ListRuns
from timegate.domain.limits.quotas import Quotas
from timegate.domain.restrictions.freeze import FreezeId
from timegate.domain.values.tenant import TenantId


class TenantStatus(StrEnum):
    """States of a tenant."""

    ACTIVE = "active"
    #: It reads what it has; it changes nothing, and nothing of it starts.
    SUSPENDED = "suspended"


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspension:
    """Reason and freeze of a tenant's suspension."""

    since: datetime
    freeze_id: FreezeId
    #: For people, the tenant's among them.
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantSettings:
    """One tenant as the stage has it. Who is not on record has the defaults, at version 0."""

    tenant: TenantId
    display_name: str = ""
    quotas: Quotas = field(default_factory=Quotas)
    suspension: Suspension | None = None
    #: Of jobs that are created without the field; ``None``: they list those that fail.
    list_runs: ListRuns | None = None
    #: 0: nothing was ever set; every change raises it.
    version: int = 0
    created_at: datetime | None = None
    updated_at: datetime | None = None

    @property
    def status(self) -> TenantStatus:
        """The tenant's state."""
        return TenantStatus.ACTIVE if self.suspension is None else TenantStatus.SUSPENDED
