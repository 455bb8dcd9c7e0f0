"""Storing a notification rule: whole, as a new version of whatever was there."""

from datetime import datetime

from timegate.domain.rules.rule import Rule
from timegate.domain.rules.rule_checks import check_rule
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def put_rule(
    rule: Rule, services: ApiServices, *, expected_version: int | None, now: datetime
) -> Rule:
    """Create a rule, or replace the one of its name; returns it with its version.

    Raises ``InvalidInput``, ``TooManyRules`` and, unless ``expected_version`` is stored (0: none
    is), ``RuleVersionMismatch``. Addresses are checked as those of jobs are.
    """
    check_new_rule(rule, services)
    stored = services.rules.put_rule(rule, expected_version=expected_version, now=now)
    services.telemetry.event(
        service_events.RULE_STORED,
        tenant_id=stored.tenant,
        rule=stored.name,
        version=stored.version,
        enabled=stored.enabled,
    )
    return stored


def check_new_rule(rule: Rule, services: ApiServices) -> None:
    """Raise ``InvalidInput`` for a rule that cannot be stored."""
    check_rule(rule)
    for number, channel in enumerate(rule.channels):
        channel.check(f"channels.{number}", services.target_rules, rule.tenant)
