"""Checks of a rule before it is stored."""

from collections.abc import Sequence

from timegate.domain.channels.channel import Channel
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.rules.rule import MAX_CHANNELS, RULE_NAME, Rule, When
from timegate.domain.values.errors import InvalidInput


def check_rule(rule: Rule) -> None:
    """Refuse contradictions and rules without a channel; raises ``InvalidInput`` with the field."""
    check_telling(rule)
    _check_channels(rule.channels)


def check_telling(rule: Rule) -> None:
    """Refuse contradictions in what a rule tells, and when; raises ``InvalidInput``."""
    if not RULE_NAME.fullmatch(rule.name):
        detail = "It has 1 to 64 letters a to z, digits and dashes, and begins with no dash."
        raise InvalidInput("name", "invalid_format", detail)
    _check_when(rule.when)
    quiet = rule.quiet_hours
    if quiet is None:
        return
    _check_zone("quiet_hours.timezone", quiet.timezone)
    if not quiet.windows:
        raise InvalidInput("quiet_hours.windows", "too_short", "It has at least one window.")
    for number, window in enumerate(quiet.windows):
        if not window.weekdays:
            field = f"quiet_hours.windows.{number}.weekdays"
            raise InvalidInput(field, "too_short", "It opens on no day.")


def _check_when(when: When) -> None:
    if not when.conditions:
        detail = (
            "Name at least one of failures_in_a_row, dead_letter, quota_refused,"
            " late_after_seconds and absent."
        )
        raise InvalidInput("when", "required", detail)
    absent = when.absent
    if absent is None:
        return
    _check_zone("when.absent.timezone", absent.timezone)
    if not absent.weekdays:
        raise InvalidInput("when.absent.weekdays", "too_short", "It is judged on no day.")


def _check_zone(field: str, timezone: str) -> None:
    try:
        load_zone(timezone)
    except InvalidInput as unknown:
        raise InvalidInput(field, unknown.code, unknown.detail) from unknown


def _check_channels(channels: Sequence[Channel]) -> None:
    if not 1 <= len(channels) <= MAX_CHANNELS:
        code = "too_long" if channels else "required"
        raise InvalidInput("channels", code, f"A rule has 1 to {MAX_CHANNELS} channels.")
    seen: set[str] = set()
    for number, channel in enumerate(channels):
        if channel.id in seen:
            detail = "The channel is given twice."
            place = f"channels.{number}.{channel.leads_by}"
            raise InvalidInput(place, "repeated", detail)
        seen.add(channel.id)
