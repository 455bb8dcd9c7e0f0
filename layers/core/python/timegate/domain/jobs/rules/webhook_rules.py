"""Rules of the addresses that a job has beside its action."""

from collections.abc import Sequence

from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_secrecy, check_secret, check_url
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.hook import Subscription
from timegate.domain.values.tenant import TenantId


def check_addresses(hooks: Sequence[Subscription], rules: TargetRules, tenant: TenantId) -> None:
    """Refuse addresses and secrets of notifications as those of actions; ``InvalidInput``."""
    for number, hook in enumerate(hooks):
        hook.channel.check(f"notifications.{number}", rules, tenant)


def check_question(condition: Condition | None, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse the address and secret of a condition as those of actions; ``InvalidInput``."""
    if condition is None:
        return
    check_url(condition.url, "before.url", rules)
    if condition.signing_secret is not None:
        check_secrecy(condition.url, "before.url", rules)
        check_secret(condition.signing_secret, "before.signing_secret", rules, tenant)
