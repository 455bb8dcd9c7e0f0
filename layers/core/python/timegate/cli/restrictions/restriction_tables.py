"""Tables of calendars and freezes in a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import labels, plain
from timegate.client import JsonObject

#: So many entries of a kind are shown; --json shows them all.
_SHOWN = 20


def calendar_details(calendar: JsonObject) -> RenderableType:
    """A calendar and what it covers."""
    return details(
        {
            "name": plain(calendar["name"]),
            "description": plain(calendar["description"]),
            "tags": labels(calendar["tags"]),
            "timezone": plain(calendar["timezone"]),
            "weekdays": plain(", ".join(calendar["weekdays"])),
            "weekend": plain(", ".join(calendar["weekend"])),
            "windows": _lines([_window(each) for each in calendar["windows"]]),
            "days": _lines([_span(each["first"], each["last"]) for each in calendar["days"]]),
            "periods": _lines(
                [f"{zoned(each['start'])} to {zoned(each['end'])}" for each in calendar["periods"]]
            ),
            "updated": f"{zoned(calendar['updated_at'])}, version {calendar['version']}",
        }
    )


def calendar_table(page: JsonObject) -> RenderableType:
    """A listing of calendars."""
    columns: dict[str, Column] = {
        "name": lambda each: plain(each["name"]),
        "timezone": lambda each: plain(each["timezone"]),
        "entries": lambda each: plain(each["entries"]),
        "version": lambda each: plain(each["version"]),
        "updated (UTC)": lambda each: moment(each["updated_at"]),
        "description": lambda each: plain(each["description"]),
    }
    return listing(page, columns, "No calendars.")


def import_details(imported: JsonObject) -> RenderableType:
    """A calendar after an import."""
    what = (
        f"{imported['events']} events, which occur {imported['occurrences']} times until "
        f"{zoned(imported['until'])}."
    )
    return Group(calendar_details(imported["calendar"]), "", what)


def check_details(checked: JsonObject) -> RenderableType:
    """Show if a calendar covers an instant, and if that is on a business day."""
    covered = "covers" if checked["covered"] else "does not cover"
    until = checked["until"]
    stays = "for ever" if until is None else f"until {zoned(until)}"
    told = f"{plain(checked['name'])} {covered} {zoned(checked['at'])}; so it stays {stays}."
    return f"{told} Its day is {'a' if checked['business_day'] else 'no'} business day."


def freeze_details(freeze: JsonObject) -> RenderableType:
    """A freeze."""
    return details(
        {
            "freeze_id": plain(freeze["freeze_id"]),
            "state": state(freeze["state"]),
            "scope": _scope(freeze["scope"]),
            "starts": zoned(freeze["starts_at"]),
            "ends": _end(freeze),
            "lifted": zoned(freeze["lifted_at"]),
            "thaw": plain(freeze["thaw"]),
            "reason": plain(freeze["reason"]),
            **_spared(freeze.get("spared_tenants")),
        }
    )


def _spared(tenants: list[str] | None) -> dict[str, str]:
    return {"spared tenants": plain(", ".join(tenants))} if tenants else {}


def freeze_table(page: JsonObject) -> RenderableType:
    """A listing of freezes."""
    columns: dict[str, Column] = {
        "freeze_id": lambda each: plain(each["freeze_id"]),
        "state": lambda each: state(each["state"]),
        "scope": lambda each: _scope(each["scope"]),
        "starts (UTC)": lambda each: moment(each["starts_at"]),
        "ends (UTC)": lambda each: moment(each["lifted_at"] or each["ends_at"]),
        "thaw": lambda each: plain(each["thaw"]),
        "reason": lambda each: plain(each["reason"]),
    }
    return listing(page, columns, "No freezes.")


def _scope(scope: Mapping[str, Any]) -> str:
    match scope["kind"]:
        case "tag":
            return _scope_tag(scope)
        case "job":
            return plain(f"job {scope['job_id']}")
        case "tenant":
            return "everything"
        case "stage":
            spared = scope["spared_tag"]
            return "every tenant" if spared is None else f"every tenant but {_scope_tag(spared)}"
        case kind:
            return plain(kind)


def _scope_tag(tag: Mapping[str, Any]) -> str:
    value = tag["value"]
    return plain(f"tag {tag['key']}" + ("" if value is None else f"={value}"))


def _window(window: Mapping[str, Any]) -> str:
    days = window["weekdays"]
    every = "every day" if len(days) == 7 else ", ".join(days)  # noqa: PLR2004 - a week
    return plain(f"{every} {window['opens']} to {window['closes']}")


def _span(first: str, last: str) -> str:
    return plain(first if first == last else f"{first} to {last}")


def _lines(entries: list[str]) -> str:
    if len(entries) <= _SHOWN:
        return "\n".join(entries) or plain(None)
    return "\n".join([*entries[:_SHOWN], f"and {len(entries) - _SHOWN} more"])


def _end(freeze: JsonObject) -> str:
    is_suspension = freeze["by_stage"] and freeze["scope"]["kind"] == "tenant"
    if is_suspension and freeze["lifted_at"] is None:
        return "when the stage resumes the tenant"
    return zoned(freeze["ends_at"])
