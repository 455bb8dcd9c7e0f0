"""``timegate keys``: credentials of programs."""

from typing import TYPE_CHECKING, Annotated

import typer

from timegate.cli.completing.stage_names import complete_keys, complete_tenants
from timegate.cli.tenants.key_options import KeyOptions
from timegate.cli.tenants.key_tables import key_details, key_table
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened

if TYPE_CHECKING:
    from timegate.client import TimegateClient
    from timegate.client.schemas import ApiKeyList

keys = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys, for programs.")

OfTenant = Annotated[
    str | None,
    typer.Option(
        metavar="TENANT",
        autocompletion=complete_tenants,
        help="Use keys of this tenant, with the scope timegate/admin.",
    ),
]
Key = Annotated[
    str, typer.Argument(metavar="KEY", autocompletion=complete_keys, help="Name a key by its id.")
]


@keys.command("list")
@grouped
def list_all(ctx: typer.Context, session: SessionOptions, tenant: OfTenant = None) -> None:
    """List API keys, without what proves them; ended ones for 30 days more."""
    with opened(ctx, session) as opening:
        opening.show(_listed(opening.client, tenant), key_table)


@keys.command("create")
@grouped
def create(
    ctx: typer.Context, options: KeyOptions, session: SessionOptions, tenant: OfTenant = None
) -> None:
    """Make an API key, and show it once.

    timegate keys create --key-name 'nightly exports' --scope read --save-as exports
    """
    asked = options.as_json()
    with opened(ctx, session) as opening:
        options.check(opening)
        client = opening.client
        if tenant is None:
            made = client.create_key(asked)
        else:
            made = client.create_tenant_key(tenant, asked)
        options.show(made, opening)


@keys.command("revoke")
@grouped
def revoke(
    ctx: typer.Context,
    key: Key,
    sure: EndOptions,
    session: SessionOptions,
    tenant: OfTenant = None,
) -> None:
    """Let an API key open nothing more; this cannot be undone."""
    with opened(ctx, session) as opening:
        client = opening.client

        def found() -> dict[str, object]:
            for each in _listed(client, tenant)["items"]:
                if each["key_id"] == key:
                    return {**each}
            message = f"There is no API key {key}."
            raise typer.BadParameter(message, param_hint="KEY")

        if sure.goes_on(opening, found, key_details, lambda _: f"Revoke the API key {key}?"):
            if tenant is None:
                opening.show(client.revoke_key(key), key_details)
            else:
                opening.show(client.revoke_tenant_key(tenant, key), key_details)


def _listed(client: "TimegateClient", tenant: str | None) -> "ApiKeyList":
    return client.list_keys() if tenant is None else client.list_tenant_keys(tenant)
