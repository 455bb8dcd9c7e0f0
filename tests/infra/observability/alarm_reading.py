"""Alarms of a template: whom they tell, and what they say."""

import json
import re

from tests.infra.stage_template import Resource, StageTemplate

#: Alarms that a tenant's targets, workers or limits ring.
OF_TENANTS = {
    "runs-dead-lettered",
    "workers-runs-dead-lettered",
    "sweeper-offer-age",
    "relay-scheduling-lag",
}


def alarms(template: StageTemplate) -> list[Resource]:
    """Every alarm on a metric."""
    return template.of_type("AWS::CloudWatch::Alarm")


def composites(template: StageTemplate) -> dict[str, Resource]:
    """Every composite alarm by its name."""
    found = template.of_type("AWS::CloudWatch::CompositeAlarm")
    return {each.properties["AlarmName"]: each for each in found}


def children(composite: Resource) -> set[str]:
    """The names in a composite alarm's rule."""
    return set(re.findall(r'ALARM\("([^"]+)"\)', composite.properties["AlarmRule"]))


def described(template: StageTemplate) -> dict[str, str]:
    """The description of each alarm, composites included."""
    every = [*alarms(template), *template.of_type("AWS::CloudWatch::CompositeAlarm")]
    return {each.properties["AlarmName"]: each.properties["AlarmDescription"] for each in every}


def told(template: StageTemplate) -> dict[str, str | None]:
    """The topic of each alarm."""
    every = [*alarms(template), *template.of_type("AWS::CloudWatch::CompositeAlarm")]
    topics = {
        each.properties["AlarmName"]: [
            topic if isinstance(topic, str) else json.dumps(topic)
            for topic in each.properties.get("AlarmActions", [])
        ]
        for each in every
    }
    return {name: found[0] if found else None for name, found in topics.items()}
