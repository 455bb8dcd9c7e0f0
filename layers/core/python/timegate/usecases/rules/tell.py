"""Telling: what a look found becomes one message for each rule, or waits for its quiet hours."""

from collections import defaultdict
from collections.abc import Sequence

from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.messages import Event, events_of, rule_notices
from timegate.domain.rules.rule import Rule
from timegate.ports.telemetry import run_metrics, service_events, service_metrics
from timegate.usecases.rules.looking import Occurrence, RuleLook

#: Events of one message, each with its streak in the transaction.
EVENTS_PER_MESSAGE = 20


def tell(look: RuleLook) -> bool:
    """Store streaks with the messages that tell of them, or nothing of either.

    ``False``: a streak is not as it was read; another look has told of it. Raises ``Throttled``.
    """
    found: dict[str, list[Occurrence]] = defaultdict(list)
    for each in look.occurrences:
        found[each.rule.rule_id].append(each)
    held = dict(look.held)
    for occurrences in found.values():
        rule = occurrences[0].rule
        for start in range(0, len(occurrences), EVENTS_PER_MESSAGE):
            part = occurrences[start : start + EVENTS_PER_MESSAGE]
            now_held = _tell_part(look, rule, part, held.get(rule.rule_id))
            if now_held is None:
                return False
            held[rule.rule_id] = now_held
    return True


def tell_what_was_held(look: RuleLook) -> bool:
    """Tell in one message what a rule held back, once its quiet hours are over."""
    for rule in look.rules:
        held = look.held.get(rule.rule_id)
        if held is None or not held.events or rule.is_quiet(look.now):
            continue
        seed = f"held\n{held.revision}"
        events = events_of(held.events)
        notices = rule_notices(rule, events, seed=seed, now=look.now, more=held.more)
        if not look.looking.messages.tell(look.tenant, held=held.told(), notices=notices):
            return False
        _report(look, rule, events, held=False)
    return True


def _tell_part(
    look: RuleLook, rule: Rule, part: Sequence[Occurrence], held: HeldEvents | None
) -> HeldEvents | None:
    """Store some streaks; returns what the rule holds back then, or ``None`` after a lost race."""
    held = held or HeldEvents(rule_id=rule.rule_id)
    events = [event for each in part for event in each.events]
    streaks = [each.streak for each in part]
    messages = look.looking.messages
    if events and rule.is_quiet(look.now):
        after = held.with_events(events)
        done = messages.tell(look.tenant, streaks=streaks, held=after)
    else:
        first = part[0].streak
        seed = f"{first.id.condition}\n{first.id.job_id}\n{first.revision}"
        notices = rule_notices(rule, events, seed=seed, now=look.now) if events else ()
        after, done = held, messages.tell(look.tenant, streaks=streaks, notices=notices)
    if done:
        _report(look, rule, events, held=after is not held)
    return after if done else None


def _report(look: RuleLook, rule: Rule, events: Sequence[Event], *, held: bool) -> None:
    telemetry = look.looking.telemetry
    telemetry.count(service_metrics.RULE_EVENTS, len(events))
    telemetry.count(run_metrics.NOTIFICATIONS_MADE, 0 if held or not events else len(rule.channels))
    telemetry.event(
        service_events.RULE_TOLD,
        tenant_id=look.tenant,
        rule=rule.name,
        events=len(events),
        held=held,
    )
