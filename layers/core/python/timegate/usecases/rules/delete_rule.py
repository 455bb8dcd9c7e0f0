"""Deleting a notification rule: its streaks are none of a later one's of its name."""

from datetime import datetime

from timegate.domain.rules.rule import Rule
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def delete_rule(
    tenant: TenantId,
    name: str,
    services: ApiServices,
    *,
    expected_version: int | None,
    now: datetime,
) -> Rule:
    """Forget a rule; returns it as it was.

    Messages that are on their way are skipped, as those of a hook that a job lost. Raises
    ``RuleNotFound`` and ``RuleVersionMismatch``.
    """
    deleted = services.rules.delete_rule(tenant, name, expected_version=expected_version, now=now)
    services.telemetry.event(
        service_events.RULE_DELETED, tenant_id=tenant, rule=name, version=deleted.version
    )
    return deleted
