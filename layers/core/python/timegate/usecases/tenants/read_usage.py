"""Reading how much of its quotas a tenant uses."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.day_quota import day_quota
from timegate.domain.execution.quota_usage import Usage
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.usecases.services.api_services import ApiServices


def read_usage(settings: TenantSettings, services: ApiServices, *, now: datetime) -> Usage:
    """Read how much of its quotas a tenant uses; runs of the day only where a quota counts them."""
    tenant = settings.tenant
    quota = day_quota(settings.quotas.over(services.tenants_at_hand.stage), now)
    begun = None if quota is None else services.runs.begun(tenant, quota.day)
    return replace(services.usage.usage(tenant), runs_per_day=begun)
