"""The calendars a job names, as a list within its item."""

from collections.abc import Sequence

from timegate.adapters.dynamo.recurrence.schedule_items import mapping, optional_number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.values.errors import Malformed


def calendar_rules_to_fields(rules: Sequence[CalendarRule]) -> list[Plain] | None:
    """Most jobs have none, and store none."""
    return [_fields(rule) for rule in rules] or None


def calendar_rules_from_fields(value: Plain) -> tuple[CalendarRule, ...]:
    """Read them back; raises ``Malformed``."""
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise Malformed(f"{value!r} is no list.")
    return tuple(_rule(each) for each in value)


def _fields(rule: CalendarRule) -> dict[str, Plain]:
    fields: dict[str, Plain] = {
        "calendar": rule.calendar,
        "mode": rule.mode,
        "action": rule.action,
        "business_day": rule.business_day,
        "roll": rule.roll,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _rule(value: Plain) -> CalendarRule:
    fields = mapping(value)
    return CalendarRule(
        calendar=text(fields["calendar"]),
        mode=CalendarMode(text(fields["mode"])),
        action=CalendarAction(text(fields["action"])),
        business_day=optional_number(fields.get("business_day")),
        roll=Roll(text(fields["roll"])) if "roll" in fields else None,
    )
