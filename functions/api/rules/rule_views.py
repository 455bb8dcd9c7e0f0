"""From notification rules to JSON."""

from api.jobs.shown import shown
from api.values.views import View
from timegate.contracts.calendars import WEEKDAYS
from timegate.domain.rules.quiet_hours import QuietHours
from timegate.domain.rules.rule import Absence, Rule
from timegate.domain.values.instants import rfc3339


def rule_view(rule: Rule) -> View:
    """Show a rule."""
    return {
        "name": rule.name,
        "version": rule.version,
        "created_at": rfc3339(rule.created_at),
        "updated_at": rfc3339(rule.updated_at),
        **defined_rule_view(rule),
    }


def defined_rule_view(rule: Rule) -> View:
    """Show what the owner of a rule says of it."""
    when = rule.when
    return {
        "description": rule.description,
        "tags": dict(rule.tags),
        "enabled": rule.enabled,
        "jobs": shown(rule.jobs),
        "when": {
            "failures_in_a_row": when.failures_in_a_row,
            "dead_letter": when.dead_letter,
            "quota_refused": when.quota_refused,
            "late_after_seconds": when.late_after_seconds,
            "absent": _absence(when.absent),
            "recovered": when.recovered,
        },
        "channels": [shown(each) for each in rule.channels],
        "quiet_hours": _quiet(rule.quiet_hours),
    }


def _absence(absence: Absence | None) -> View | None:
    if absence is None:
        return None
    return {
        "for_seconds": absence.for_seconds,
        "at": absence.at,
        "timezone": absence.timezone,
        "weekdays": _weekdays(absence.weekdays),
    }


def _quiet(quiet: QuietHours | None) -> View | None:
    if quiet is None:
        return None
    windows = [
        {"weekdays": _weekdays(each.weekdays), "opens": each.opens, "closes": each.closes}
        for each in quiet.windows
    ]
    return {"timezone": quiet.timezone, "windows": windows}


def _weekdays(numbers: frozenset[int]) -> list[str]:
    return [WEEKDAYS[number] for number in sorted(numbers)]
