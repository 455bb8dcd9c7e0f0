"""Tables of event triggers in a terminal."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rich.console import RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import zoned
from timegate.cli.terminal.session import Session
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject


def trigger_details(opening: Session) -> Callable[[JsonObject], RenderableType]:
    """Draw an event trigger; of its web hook the address to which others send."""
    return partial(_details, api_url=opening.api_url.rstrip("/"))


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


def _details(trigger: JsonObject, *, api_url: str) -> RenderableType:
    hook = trigger["hook"]
    return details(
        {
            "name": plain(trigger["name"]),
            "description": plain(trigger["description"]),
            "status": state(trigger["status"]),
            "pattern": plain(compact_json(trigger["pattern"])),
            "starts": _starts(trigger["starts"]),
            "sends": plain(compact_json(_sent(trigger["starts"]))),
            "events": "the tenant's own" if hook is None else f"of {_hook(hook, api_url)}",
            "updated": f"{zoned(trigger['updated_at'])}, version {trigger['version']}",
        }
    )


def _starts(starts: Mapping[str, Any]) -> str:
    if starts["type"] == "dag_run":
        return plain(f"DAG {starts['dag_id']}")
    return plain(f"job {starts['job_id']}")


def _sent(starts: Mapping[str, Any]) -> object:
    if starts["type"] == "dag_run":
        return starts["parameters"]
    patch = starts["payload_patch"]
    return starts["payload"] if patch is None else {"merged": patch}


def _hook(hook: Mapping[str, Any], api_url: str = "") -> str:
    return plain(f"{api_url}{hook['path']} ({hook['scheme']})")
