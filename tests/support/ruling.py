"""Notification rules in tests: made, looked at, and what they told."""

import json
from typing import Any

from tests.support.factories import NOW, TENANT
from tests.support.stores.contract_stores import Stores
from tests.support.world import World
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.notification import parse_rule_mark
from timegate.domain.rules.rule import Rule, RuleName, When
from timegate.domain.runs.run import Attempt
from timegate.domain.values.tenant import TenantId
from timegate.ports.clock import Clock
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.rules.look_at_rules import look_at_rules
from timegate.usecases.rules.looking import Looking

CHANNEL = WebhookChannel(url="https://alerts.example.com/timegate")


def rule_factory(**fields: Any) -> Rule:  # noqa: ANN401 - as the rule has them
    """Make a rule that tells of each failure, unless it says something else."""
    defaults: dict[str, Any] = {
        "tenant": TENANT,
        "name": RuleName("failures"),
        "when": When(failures_in_a_row=1),
        "channels": (CHANNEL,),
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Rule(**(defaults | fields))


def put_rule(world: World, **fields: Any) -> Rule:  # noqa: ANN401 - as the rule has them
    """Store a rule, given now."""
    now = world.clock.now()
    rule = rule_factory(**({"created_at": now, "updated_at": now} | fields))
    return world.rules.put_rule(rule, expected_version=None, now=now)


def looking(world: World) -> Looking:
    """Build the services of looks."""
    return looking_on(world, world.telemetry, world.clock)


def looking_on(stores: World | Stores, telemetry: Telemetry, clock: Clock) -> Looking:
    """Build the services of looks on some stores."""
    return Looking(
        rules=stores.rules,
        messages=stores.rule_messages,
        absences=stores.absences,
        failures=stores.failures,
        jobs=stores.jobs,
        runs=stores.runs,
        tenants=stores.tenants,
        telemetry=telemetry,
        clock=clock,
    )


def look(world: World, tenant: TenantId = TENANT) -> bool:
    """Make a look, and those that it asks for."""
    done = look_at_rules([tenant], looking(world)) == [True]
    at_hand = world.rules.rules_at_hand(tenant)
    while done and at_hand is not None and at_hand.watch.has_more:
        done = look_at_rules([tenant], looking(world)) == [True]
        at_hand = world.rules.rules_at_hand(tenant)
    return done


def messages(world: World) -> list[Attempt]:
    """Return the runs that carry messages of rules, in order."""
    return [each for each in world.attempts() if parse_rule_mark(each.id.run.about) is not None]


def told(world: World) -> list[list[str]]:
    """Return the words of the events of each message, in the order in which they were sent."""
    documents = [json.loads(each.notice or "") for each in messages(world)]
    documents.sort(key=lambda each: each["at"])
    return [[event["text"] for event in each["events"]] for each in documents]
