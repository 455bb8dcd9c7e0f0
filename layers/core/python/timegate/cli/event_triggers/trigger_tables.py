"""Tables of event triggers in a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import zoned
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject


def trigger_details(trigger: JsonObject) -> RenderableType:
    """An event trigger."""
    hook = trigger["hook"]
    return details(
        {
            "name": plain(trigger["name"]),
            "description": plain(trigger["description"]),
            "status": state(trigger["status"]),
            "pattern": plain(compact_json(trigger["pattern"])),
            "starts": _starts(trigger["starts"]),
            "sends": plain(compact_json(_sent(trigger["starts"]))),
            "events": "the tenant's own" if hook is None else f"of {_hook(hook)}",
            "updated": f"{zoned(trigger['updated_at'])}, version {trigger['version']}",
        }
    )


def trigger_table(page: JsonObject) -> RenderableType:
    """A listing of event triggers."""
    columns: dict[str, Column] = {
        "name": lambda each: plain(each["name"]),
        "status": lambda each: state(each["status"]),
        "starts": lambda each: _starts(each["starts"]),
        "events": lambda each: "own" if each["hook"] is None else _hook(each["hook"]),
        "pattern": lambda each: plain(compact_json(each["pattern"])),
        "version": lambda each: plain(each["version"]),
    }
    return listing(page, columns, "No event triggers.")


def tried_details(tried: JsonObject) -> RenderableType:
    """The result of trying an event."""
    if not tried["matches"]:
        return "The event does not match; it would start nothing."
    return f"The event matches; it would send {plain(compact_json(tried['data']))}"


def _starts(starts: Mapping[str, Any]) -> str:
    if starts["type"] == "dag_run":
        return plain(f"DAG {starts['dag_id']}")
    return plain(f"job {starts['job_id']}")


def _sent(starts: Mapping[str, Any]) -> object:
    if starts["type"] == "dag_run":
        return starts["parameters"]
    patch = starts["payload_patch"]
    return starts["payload"] if patch is None else {"merged": patch}


def _hook(hook: Mapping[str, Any]) -> str:
    return plain(f"{hook['path']} ({hook['scheme']})")
