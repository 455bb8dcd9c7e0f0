"""Tables of tenants in a terminal."""

from typing import Any

from rich.console import RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

_USED = {"jobs": "jobs in use", "dags": "dags in use", "runs_per_day": "runs begun today"}


def tenant_details(tenant: JsonObject) -> RenderableType:
    """A tenant as the stage has it."""
    return details(_facts(tenant))


def own_tenant_details(tenant: JsonObject) -> RenderableType:
    """Show the caller and its tenant."""
    used = {
        _USED[name]: f"{count:,}" for name, count in tenant["usage"].items() if count is not None
    }
    person = tenant["person"]
    asking = {
        # An older API does not say it.
        "targets in": plain(" ".join(tenant.get("target_regions", ()))),
        "caller": plain(tenant["caller"]),
        **({"roles": plain(" ".join(person["roles"]))} if person else {}),
        "scopes": plain(" ".join(tenant["scopes"])),
    }
    return details({**_facts(tenant), **used, **asking})


def tenant_table(page: JsonObject) -> RenderableType:
    """A listing of tenants."""
    columns: dict[str, Column] = {
        "tenant": lambda each: plain(each["tenant"]),
        "name": lambda each: plain(each["display_name"]),
        "status": lambda each: state(each["status"]),
        "version": lambda each: plain(each["version"]),
        "updated (UTC)": lambda each: moment(each["updated_at"]),
        "quotas": lambda each: plain(_given(each["quotas"])),
    }
    return listing(page, columns, "Nothing was set for any tenant.")


def _facts(tenant: JsonObject) -> dict[str, Any]:
    suspension, updated_at = tenant["suspension"], tenant["updated_at"]
    own, counts = tenant["quotas"], tenant["effective_quotas"]
    facts = {
        "tenant": plain(tenant["tenant"]),
        "name": plain(tenant["display_name"]),
        "status": state(tenant["status"]),
        "suspended": "" if suspension is None else _suspended(suspension),
        **{
            name.replace("_", " "): _quota(limit, is_own=own[name] is not None)
            for name, limit in counts.items()
        },
        "new jobs list": plain(tenant["list_runs"] or "failures"),
    }
    if updated_at is not None:
        facts["updated"] = f"{zoned(updated_at)}, version {tenant['version']}"
    return facts


def _quota(limit: int | None, *, is_own: bool) -> str:
    shown = "no limit" if limit is None else f"{limit:,}"
    return shown if is_own else f"{shown}, as the stage has it"


def _suspended(suspension: JsonObject) -> str:
    reason = f": {suspension['reason']}" if suspension["reason"] else ""
    return f"since {zoned(suspension['since'])}{plain(reason)}"


def _given(quotas: JsonObject) -> str:
    return " ".join(f"{name}={limit}" for name, limit in quotas.items() if limit is not None)
