"""``timegate tenants``: the administration of a stage; ``timegate whoami``: oneself."""

from typing import TYPE_CHECKING, Annotated, cast

import typer

from timegate.cli.completing.known_words import complete_quotas
from timegate.cli.completing.stage_names import complete_tenants
from timegate.cli.options.job_options import given
from timegate.cli.tenants.key_options import KeyOptions
from timegate.cli.tenants.key_tables import new_tenant_details
from timegate.cli.tenants.tenant_tables import own_tenant_details, tenant_details, tenant_table
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.domain.jobs.demands import ListRuns
from timegate.domain.limits.quotas import QUOTA_NAMES
from timegate.domain.restrictions.freeze import ThawPolicy

if TYPE_CHECKING:
    from timegate.client.schemas import NewTenantRequest, SuspendRequest, TenantPatch

tenants = typer.Typer(
    no_args_is_help=True, help="Administer a stage's tenants; takes the scope timegate/admin."
)

Tenant = Annotated[str, typer.Argument(metavar="TENANT", autocompletion=complete_tenants)]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Name it, for ever.")]
NameOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Name it for people.")]
QuotaOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=NUMBER",
        autocompletion=complete_quotas,
        help="Set a quota; NAME=default is the stage's. May be repeated.",
    ),
]
ListRunsOption = Annotated[
    ListRuns | None,
    typer.Option(help="Choose the runs that jobs list which are created from now on."),
]
_DEFAULT = "default"


@grouped
def whoami(ctx: typer.Context, session: SessionOptions) -> None:
    """Show which tenant the profile speaks for, what it may do, and its quotas."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_own_tenant(), own_tenant_details)


@tenants.command("list")
@grouped
def list_page(ctx: typer.Context, page: PageOptions, session: SessionOptions) -> None:
    """List tenants that something was set for, by name."""
    with opened(ctx, session) as opening:
        opening.show(page.read(opening.client.list_tenants), tenant_table)


@tenants.command("show")
@grouped
def show(ctx: typer.Context, tenant: Tenant, session: SessionOptions) -> None:
    """Show a tenant's settings."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_tenant(tenant), tenant_details)


@tenants.command("create")
@grouped
def create(
    ctx: typer.Context,
    tenant: NewName,
    key: KeyOptions,
    session: SessionOptions,
    name: NameOption = None,
    quota: QuotaOption = None,
    list_runs: ListRunsOption = None,
    no_key: Annotated[
        bool, typer.Option("--no-key", help="Make no API key: its people sign in.")
    ] = False,
) -> None:
    """Make a tenant with a first API key, at once and without a deployment.

    timegate tenants create acme --quota jobs=500 --save-as acme
    """
    quotas = _quotas(quota or []) or None
    settings = {"display_name": name, "quotas": quotas, "list_runs": list_runs}
    body = {"tenant": tenant, **given(settings), "key": None if no_key else key.as_json()}
    with opened(ctx, session) as opening:
        key.check(opening)
        made = opening.client.create_tenant(cast("NewTenantRequest", body))
        shown = {**made, "key": made["key"] and key.kept(made["key"], opening)}
        opening.show(shown, new_tenant_details)


@tenants.command("set")
@grouped
def set_settings(
    ctx: typer.Context,
    tenant: Tenant,
    session: SessionOptions,
    name: NameOption = None,
    quota: QuotaOption = None,
    list_runs: ListRunsOption = None,
    if_version: Annotated[
        int | None,
        typer.Option(metavar="N", help="Change them only if they still have this version."),
    ] = None,
) -> None:
    """Set a tenant's name, quotas and default of new jobs; what is not named stays.

    timegate tenants set acme --name 'Acme Ltd' --quota jobs=5000 --quota concurrent_runs=default
    """
    quotas = _quotas(quota or []) or None
    changes = cast(
        "TenantPatch", given({"display_name": name, "quotas": quotas, "list_runs": list_runs})
    )
    with opened(ctx, session) as opening:
        changed = opening.client.update_tenant(tenant, changes, version=if_version)
        opening.show(changed, tenant_details)


@tenants.command("suspend")
@grouped
def suspend(
    ctx: typer.Context,
    tenant: Tenant,
    sure: EndOptions,
    session: SessionOptions,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Say why, for people, the tenant's too.")
    ] = None,
    thaw: Annotated[
        ThawPolicy | None,
        typer.Option(help="Choose what runs once it is resumed; by default, as each job says."),
    ] = None,
) -> None:
    """Let nothing of a tenant start, and let it change nothing."""
    body = cast("SuspendRequest", given({"reason": reason, "thaw": thaw}))
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_tenant(tenant),
            tenant_details,
            lambda _: f"Suspend the tenant {tenant}?",
        ):
            opening.show(opening.client.suspend_tenant(tenant, body), tenant_details)


@tenants.command("resume")
@grouped
def resume(ctx: typer.Context, tenant: Tenant, session: SessionOptions) -> None:
    """End a tenant's suspension."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.resume_tenant(tenant), tenant_details)


def _quotas(texts: list[str]) -> dict[str, int | None]:
    return dict(_quota(text) for text in texts)


def _quota(text: str) -> tuple[str, int | None]:
    name, _, value = text.partition("=")
    if name not in QUOTA_NAMES:
        message = f"--quota: there is no {name!r}; there are {', '.join(QUOTA_NAMES)}."
        raise typer.BadParameter(message)
    if value == _DEFAULT:
        return name, None
    if not value.isdecimal():
        message = f"--quota: {text!r} has no whole number; write {name}=1000, or {name}=default."
        raise typer.BadParameter(message)
    return name, int(value)
