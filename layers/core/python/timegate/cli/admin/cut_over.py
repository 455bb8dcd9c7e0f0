"""``timegate admin move``: a live tenant goes to another stage at one instant."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from timegate.cli.admin.checkout import in_checkout
from timegate.cli.completing.checkout_words import complete_stages
from timegate.cli.completing.stage_names import complete_tenants
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, show, surroundings
from timegate.cli.terminal.values import instant_option
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.domain.values.tenant import tenant_id

if TYPE_CHECKING:
    from infra.admin.cut_over import TenantMoving

move = typer.Typer(
    no_args_is_help=True,
    help="Move a live tenant to another stage, so that each instant fires in one of them.",
)

OldOption = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="NAME",
        autocompletion=complete_stages,
        help="Name the stage that it leaves.",
    ),
]
NewOption = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="NAME",
        autocompletion=complete_stages,
        help="Name the stage that it moves to.",
    ),
]
TenantOption = Annotated[
    str,
    typer.Option(
        "--tenant", metavar="NAME", autocompletion=complete_tenants, help="Move this tenant."
    ),
]


@move.command("begin")
@grouped
def begin(
    ctx: typer.Context,
    old: OldOption,
    new: NewOption,
    tenant: TenantOption,
    at: Annotated[datetime, instant_option(help="Set the cut-over: in 15 minutes or later.")],
    output: OutputOptions,
) -> None:
    """Write down the cut-over: earlier instants fire in the old stage, others in the new one."""
    _take(ctx, (old, new, tenant), output, lambda moving, now: moving.begin(at=at, now=now))


@move.command("close")
@grouped
def close(
    ctx: typer.Context, old: OldOption, new: NewOption, tenant: TenantOption, output: OutputOptions
) -> None:
    """End planning and changes in the old stage, three minutes before the cut-over or later.

    Runs that exist go on there. Export and import the tenant then.
    """
    _take(ctx, (old, new, tenant), output, lambda moving, now: moving.close(now=now))


@move.command("open")
@grouped
def open_command(
    ctx: typer.Context, old: OldOption, new: NewOption, tenant: TenantOption, output: OutputOptions
) -> None:
    """Begin planning in the new stage, once each job is there as it stands in the old one."""
    _take(ctx, (old, new, tenant), output, lambda moving, now: moving.open(now=now))


@move.command("withdraw")
@grouped
def withdraw(
    ctx: typer.Context, old: OldOption, new: NewOption, tenant: TenantOption, output: OutputOptions
) -> None:
    """Let the tenant stay: it can be done until the new stage is opened.

    Instants that were held back are left to the catch-up policies of their jobs.
    """
    _take(ctx, (old, new, tenant), output, lambda moving, now: moving.withdraw(now=now))


@move.command("show")
@grouped
def show_command(
    ctx: typer.Context, old: OldOption, new: NewOption, tenant: TenantOption, output: OutputOptions
) -> None:
    """Show how far the move is, as either stage has it."""
    _take(ctx, (old, new, tenant), output, lambda _moving, _now: None)


def _take(
    ctx: typer.Context,
    names: tuple[str, str, str],
    output: OutputOptions,
    step: Callable[["TenantMoving", datetime], object],
) -> None:
    """Take a step, and show how both stages stand then."""
    old, new, tenant = names
    with in_checkout():
        from infra.admin import cut_over, stage_access  # noqa: PLC0415 - of the checkout

        with (
            stage_access.connected(old, rights=cut_over.RIGHTS) as here,
            stage_access.connected(new, rights=cut_over.RIGHTS) as there,
        ):
            moving = cut_over.TenantMoving(tenant=tenant_id(tenant), old=here, new=there)
            step(moving, surroundings(ctx).now())
            found = moving.standing()
    show(found, _told, output=output.format)


def _told(found: JsonObject) -> str:
    return "\n".join(f"{plain(name)}: {plain(told)}" for name, told in found["stages"].items())
