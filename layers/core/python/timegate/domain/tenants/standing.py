"""A tenant's standing: what its settings let it ask, change and start."""

from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant_errors import TenantErased, TenantIsMoving, TenantIsSuspended


def refuse_erased(settings: TenantSettings) -> None:
    """Raise ``TenantErased`` for a tenant of which nothing is to be made again."""
    if settings.erased_at is not None:
        raise TenantErased(settings.tenant)


def refuse_suspended(settings: TenantSettings) -> None:
    """Refuse a tenant that may change and start nothing.

    Raises ``TenantErased``, ``TenantIsSuspended`` and ``TenantIsMoving``.
    """
    refuse_erased(settings)
    if settings.suspension is not None:
        raise TenantIsSuspended(settings.suspension.reason)
    if settings.move is not None and settings.move.only_reads:
        raise TenantIsMoving(settings.move.words)
