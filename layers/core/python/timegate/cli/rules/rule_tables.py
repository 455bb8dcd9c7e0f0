"""Notification rules as tables."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import zoned
from timegate.cli.terminal.channel_words import address_of
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import clipped, labels, outcome, plain
from timegate.client import JsonObject
from timegate.domain.rules.words import span


def rule_details(rule: JsonObject) -> RenderableType:
    """A notification rule."""
    return details(
        {
            "name": plain(rule["name"]),
            "version": plain(rule["version"]),
            "description": plain(rule["description"]),
            "tags": labels(rule["tags"]),
            "enabled": _enabled(rule),
            "jobs": plain(_jobs(rule["jobs"])),
            "when": "\n".join(plain(each) for each in _conditions(rule["when"])),
            "tells": "\n".join(plain(address_of(each)) for each in rule["channels"]),
            "quiet": plain(_quiet(rule["quiet_hours"])),
            "updated": zoned(rule["updated_at"]),
        }
    )


def rule_table(page: JsonObject) -> RenderableType:
    """A listing of notification rules."""
    columns: dict[str, Column] = {
        "name": lambda each: plain(each["name"]),
        "enabled": _enabled,
        "jobs": lambda each: plain(_jobs(each["jobs"])),
        "when": lambda each: plain(", ".join(_conditions(each["when"]))),
        "tells": lambda each: plain(", ".join(address_of(one) for one in each["channels"])),
    }
    return listing(page, columns, "No notification rules.")


def sent_table(sent: JsonObject) -> RenderableType:
    """Messages that are on their way."""
    return _messages({"items": sent["messages"], "next_cursor": None})


def message_table(page: JsonObject) -> RenderableType:
    """A listing of messages, and how many events wait for the end of quiet hours."""
    shown = _messages(page)
    held = len(page["held"]["events"]) + page["held"]["more"]
    waits = "event waits" if held == 1 else "events wait"
    return Group(shown, f"{held} {waits} for the end of quiet hours.") if held else shown


def _messages(page: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "told": lambda each: zoned(each["told_at"]),
        "what": lambda each: clipped(_texts(each["message"])),
        "whom": lambda each: plain((each["channel"] or {}).get("address")),
        "state": lambda each: state(each["state"]),
        "tries": lambda each: plain(each["attempt"]),
        "why": lambda each: clipped(outcome(each)),
    }
    return listing(page, columns, "No messages.")


def _texts(message: Mapping[str, Any]) -> str:
    return " ".join(each["text"] for each in message["events"])


def _enabled(rule: Mapping[str, Any]) -> str:
    return "yes" if rule["enabled"] else "no"


def _jobs(jobs: Mapping[str, Any]) -> str:
    said = [jobs.get("job_id"), jobs.get("name")]
    said += [f"{key}:{value}" for key, value in jobs.get("tags", {}).items()]
    return ", ".join(each for each in said if each) or "every job"


def _conditions(when: Mapping[str, Any]) -> Iterator[str]:
    failures, absent = when["failures_in_a_row"], when["absent"]
    if failures is not None:
        yield f"{failures} failures in a row" if failures > 1 else "a failure"
    if when["dead_letter"]:
        yield "a dead letter"
    if when["quota_refused"]:
        yield "a run refused by a quota"
    if when["late_after_seconds"] is not None:
        yield f"a run late by {span(when['late_after_seconds'])}"
    if absent is not None:
        at = f" at {absent['at']} {absent['timezone']}" if absent["at"] else ""
        seconds = absent["for_seconds"]
        yield f"no success for {'as long as jobs say' if seconds is None else span(seconds)}{at}"
    if when["recovered"]:
        yield "recovery"


def _quiet(quiet: Mapping[str, Any] | None) -> str | None:
    if quiet is None:
        return None
    windows = (
        f"{','.join(each['weekdays'])} {each['opens']}-{each['closes']}"
        for each in quiet["windows"]
    )
    return f"{'; '.join(windows)} {quiet['timezone']}"
