"""Reading what a notification rule told, and what it holds back."""

from timegate.domain.channels.channel import Channel
from timegate.domain.jobs.notification import hook_told
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.rule import rule_id_of
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldMessage:
    """A message to one channel, as its last try shows it."""

    #: ``None``: the rule does not tell it any more.
    channel: Channel | None
    last: Attempt


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldMessages:
    """A page of messages, and the events that wait for the end of quiet hours."""

    page: NamedPage[ToldMessage]
    held: HeldEvents


def read_messages(
    tenant: TenantId,
    name: str,
    services: ApiServices,
    *,
    within: InstantRange,
    limit: int,
    cursor: str | None,
) -> ToldMessages:
    """Read messages of a rule, the last one first: a query of rules, and one of messages.

    Messages that cannot be read are named beside it, and operators are told. Raises
    ``RuleNotFound``, ``Malformed`` for a rule that cannot be read, and ``InvalidInput`` for a
    cursor that is none.
    """
    rule_id = rule_id_of(tenant, name)
    at_hand = services.rules.rules_at_hand(tenant)
    rules = {each.rule_id: each for each in at_hand.rules} if at_hand is not None else {}
    # A rule that is there and cannot be read is not said to be missing.
    rule = rules.get(rule_id) or services.rules.get_rule(tenant, name)
    found = services.runs.list_notices(tenant, rule_id, limit=limit, cursor=cursor, within=within)
    tell_of_damaged_records(found.damaged, services.telemetry)
    damaged = tuple((str(each.id.run), each.reason) for each in found.damaged)
    channels = {each.id: each for each in rule.channels}
    rows = tuple(
        ToldMessage(channel=channels.get(hook_told(each.id.run.about) or ""), last=each)
        for each in found.rows
    )
    nothing = HeldEvents(rule_id=rule_id)
    held = at_hand.held.get(rule_id, nothing) if at_hand is not None else nothing
    return ToldMessages(page=NamedPage(rows=rows, cursor=found.cursor, damaged=damaged), held=held)
