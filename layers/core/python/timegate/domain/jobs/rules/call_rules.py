"""Rules of a job's calls: addresses beside its action's, and the payload that is sent."""

from collections.abc import Sequence

from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_secrecy, check_secret, check_url
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.hook import Subscription
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import (
    MAX_INLINE_BYTES,
    MAX_PAYLOAD_BYTES,
    PayloadMarks,
    check_payload_size,
)
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


def check_payload_marks(marks: PayloadMarks | None) -> None:
    """Refuse days of an unknown zone; raises ``InvalidInput`` naming the field."""
    if marks is None or marks.timezone is None:
        return
    try:
        load_zone(marks.timezone)
    except InvalidInput as unknown:
        raise InvalidInput("payload_marks.timezone", unknown.code, unknown.detail) from unknown


def check_payload(action: Action, text: str | None, marks: PayloadMarks | None) -> None:
    """Refuse a payload that its target does not take, or that is too large once it is filled.

    ``text``: JSON. ``marks``: those of its job; ``None``: its texts hold none. Raises
    ``InvalidInput``.
    """
    action.check_payload(text)
    size = check_payload_size(text or "")
    action.check_size(size if marks is None else _checked_marks(action, text or "", size))


def _checked_marks(action: Action, text: str, size: int) -> int:
    """Return how many bytes a payload has at most once it is filled; raises ``InvalidInput``."""
    # Imported here: few payloads have marks, and every function would pay for it.
    from timegate.domain.jobs.rules.mark_grammar import growth  # noqa: PLC0415

    grown = growth(text) or 0
    # Executors store no payloads: parameters that they fill ride in the DAG run.
    limit = MAX_INLINE_BYTES if isinstance(action, DagAction) else MAX_PAYLOAD_BYTES
    if size + grown > limit:
        detail = f"Its marks may fill it to {size + grown} bytes; the limit is {limit}."
        raise InvalidInput("payload", "payload_too_large", detail)
    return max(size, size + grown)
