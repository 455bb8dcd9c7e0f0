"""Sending a trial message: each channel of a rule is told, so that its owner sees it arrive."""

from datetime import datetime

from timegate.domain.rules.trial_message import trial_notices
from timegate.domain.values.tenant import TenantId
from timegate.usecases.rules.read_messages import ToldMessage
from timegate.usecases.services.api_services import ApiServices


def send_trial(
    tenant: TenantId, name: str, services: ApiServices, *, now: datetime
) -> tuple[ToldMessage, ...]:
    """Store a trial message for each channel of a rule, enabled or not; the relay publishes them.

    Ids are computed: one that is stored already stays as it is. Raises ``RuleNotFound``.
    """
    rule = services.rules.get_rule(tenant, name)
    notices = trial_notices(rule, now=now)
    services.runs.insert_all(notices)
    return tuple(
        ToldMessage(channel=channel, last=notice)
        for channel, notice in zip(rule.channels, notices, strict=True)
    )
