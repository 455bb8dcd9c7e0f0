"""A look at a tenant's rules: bounded work, repeated until none is left."""

from collections.abc import Sequence

from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.rules.end_streaks import end_streaks
from timegate.usecases.rules.find_absences import find_absences
from timegate.usecases.rules.find_failures import find_failures
from timegate.usecases.rules.looking import Looking, RuleLook, report_damage
from timegate.usecases.rules.tell import tell, tell_what_was_held


def look_at_rules(tenants: Sequence[TenantId], looking: Looking) -> list[bool]:
    """One look for each of these tenants; ``False``: the look is to be made again.

    Findings are told before the watch moves past them: a look that dies is repeated by the next
    one, which finds the streaks that were told of.
    """
    looks = {tenant: _look(tenant, looking) for tenant in dict.fromkeys(tenants)}
    return [looks[tenant] for tenant in tenants]


def _look(tenant: TenantId, looking: Looking) -> bool:
    try:
        return _look_once(tenant, looking)
    except Throttled as throttled:
        event, detail = service_events.RULES_THROTTLED, str(throttled)
        looking.telemetry.event(event, tenant_id=tenant, detail=detail)
        return False
    except DAMAGE as damage:
        # Trying again at once cannot help; the next look meets it again.
        report_damage(tenant, [repr(damage)], looking.telemetry)
        return True


def _look_once(tenant: TenantId, looking: Looking) -> bool:
    at_hand = looking.rules.rules_at_hand(tenant)
    if at_hand is None:
        return True
    report_damage(tenant, at_hand.damaged, looking.telemetry)
    before = at_hand.watch
    rules = [rule for rule in at_hand.rules if rule.enabled]
    if not rules:
        looking.rules.rest(before)
        return True
    look = RuleLook(
        tenant=tenant, now=looking.clock.now(), looking=looking, rules=rules, held=at_hand.held
    )
    if not tell_what_was_held(look):
        return False
    after = end_streaks(look, before)
    after = find_failures(look, after)
    after = find_absences(look, after)
    if not tell(look):
        return False
    return after == before or looking.rules.advance(before, after)
