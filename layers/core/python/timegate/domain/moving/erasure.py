"""Erasing a tenant: when it may be done, and what its record says afterwards.

MoveRefused
└── ErasureRefused
    ├── TenantNotSuspended  its jobs may fire, and its programs may write
    ├── TenantAtWork        its runs are at work
    ├── ExportOutdated      the file is another tenant's, a part, or older than its last changes
    └── NotErased           something wrote meanwhile
"""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.moving.errors import MoveRefused
from timegate.domain.tenants.tenant_settings import TenantSettings

#: Every invocation is over by then that began before the suspension was heard of.
SETTLES_AFTER = timedelta(minutes=16)


class ErasureRefused(MoveRefused):
    """Nothing was deleted that the refusal leaves half done: the command may be repeated."""

    code = "erasure_refused"


class TenantNotSuspended(ErasureRefused):
    """The tenant is active, or was until a moment ago."""

    code = "tenant_not_suspended"

    def __init__(self, tenant: str, *, until: datetime | None) -> None:
        wait = (
            f"Tenant {tenant} was suspended lately: wait until {until:%H:%M:%S} UTC."
            if until is not None
            else f"Tenant {tenant} is active: timegate tenants suspend {tenant} comes first."
        )
        super().__init__(wait)


class TenantAtWork(ErasureRefused):
    """Runs of the tenant are at work."""

    code = "tenant_at_work"

    def __init__(self, tenant: str, runs: int) -> None:
        super().__init__(
            f"Tenant {tenant} has {runs} runs at work: wait for their ends, or erase --at-work."
        )


class ExportOutdated(ErasureRefused):
    """The file does not have what is to be erased."""

    code = "export_outdated"

    def __init__(self, why: str) -> None:
        super().__init__(f"The file does not stand for what would be erased: {why}.")


class NotErased(ErasureRefused):
    """Records of the tenant appear again and again."""

    code = "not_erased"

    def __init__(self, tenant: str, records: int) -> None:
        super().__init__(f"{records} records of tenant {tenant} are there again; repeat it later.")


def check_erasable(settings: TenantSettings, *, now: datetime) -> None:
    """Refuse a tenant whose writers may be at work; raises ``TenantNotSuspended``."""
    if settings.erased_at is not None:
        return
    if settings.suspension is None:
        raise TenantNotSuspended(settings.tenant, until=None)
    settled = settings.suspension.since + SETTLES_AFTER
    if now < settled:
        raise TenantNotSuspended(settings.tenant, until=settled)


def erased(settings: TenantSettings, *, now: datetime) -> TenantSettings:
    """The record that stays: the name, and since when it stands for nothing."""
    if settings.erased_at is not None:
        return settings
    nothing = TenantSettings(tenant=settings.tenant, created_at=settings.created_at)
    return replace(nothing, erased_at=now, updated_at=now, version=settings.version + 1)
