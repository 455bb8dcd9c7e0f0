"""Tables of API keys in a terminal."""

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.tenants.tenant_tables import tenant_details
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject


def key_details(key: JsonObject) -> RenderableType:
    """A key without what proves it."""
    return details(_facts(key))


def made_key_details(key: JsonObject) -> RenderableType:
    """A new key, which is shown once."""
    return details({**_facts(key), "key": plain(key["api_key"])})


def new_tenant_details(made: JsonObject) -> RenderableType:
    """A tenant that was made, and its first key."""
    tenant, key = tenant_details(made["tenant"]), made["key"]
    return tenant if key is None else Group(tenant, "", made_key_details(key))


def key_table(keys: JsonObject) -> RenderableType:
    """A listing of keys."""
    columns: dict[str, Column] = {
        "key": lambda each: plain(each["key_id"]),
        "name": lambda each: plain(each["name"]),
        "status": lambda each: state(each["status"]),
        "scopes": lambda each: plain(" ".join(each["scopes"])),
        "made by": lambda each: plain(each["created_by"]),
        "expires (UTC)": lambda each: moment(each["expires_at"]),
    }
    return listing(keys, columns, "There are no API keys.")


def _facts(key: JsonObject) -> dict[str, RenderableType]:
    revoked_at = key["revoked_at"]
    return {
        "id": plain(key["key_id"]),
        "name": plain(key["name"]),
        "status": state(key["status"]),
        "scopes": plain(" ".join(key["scopes"])),
        "made": f"{zoned(key['created_at'])} by {plain(key['created_by'])}",
        "expires": zoned(key["expires_at"]),
        **({} if revoked_at is None else {"revoked": zoned(revoked_at)}),
    }
