"""``timegate admin``: deployments, shards and quotas of a stage."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from timegate.cli.admin.administration import keys
from timegate.cli.admin.checkout import StageOption, exit_unless, in_checkout
from timegate.cli.admin.cut_over import move
from timegate.cli.admin.erasing import erase_command
from timegate.cli.admin.moving import export_command, import_command
from timegate.cli.admin.region import region
from timegate.cli.completing.checkout_words import (
    complete_capacities,
    complete_choices,
    complete_stages,
)
from timegate.cli.completing.stage_names import complete_tenants

admin = typer.Typer(
    no_args_is_help=True,
    help="Look after a deployed stage with credentials for AWS, from its checkout.",
)
admin.command("export")(export_command)
admin.command("import")(import_command)
admin.add_typer(keys, name="keys")
admin.add_typer(move, name="move")
admin.add_typer(region, name="region")
admin.command("erase")(erase_command)

#: The default of ``infra.admin.deployed_shards``.
_SETTLED_MINUTES = 45.0


@admin.command("quotas")
def quotas(
    stage: StageOption,
    tenant: Annotated[
        str,
        typer.Option(
            metavar="NAME", autocompletion=complete_tenants, help="Count what this tenant has."
        ),
    ],
    repair: Annotated[bool, typer.Option("--repair", help="Set the counts right as well.")] = False,
) -> None:
    """Count a tenant's jobs and DAGs anew, and compare them with its quotas' counts.

    Exits with 1 where they differ, or where the tenant changes all the time.
    """
    with in_checkout():
        from infra.admin.quotas import RIGHTS, look_after  # noqa: PLC0415 - of the checkout
        from infra.admin.stage_access import connected  # noqa: PLC0415

        with connected(stage, rights=RIGHTS) as access:
            is_right = look_after(
                tenant, access.usage, typer.echo, repairs=repair, settle=access.settle
            )
    exit_unless(is_right)


@admin.command("shards")
def shards(
    stage: StageOption,
    retire: Annotated[
        bool, typer.Option("--retire", help="Move what waits in retired shards, and close them.")
    ] = False,
    settled_minutes: Annotated[
        float,
        typer.Option(
            metavar="N",
            help="Wait until no function was updated for so long; less than 45 is for tests.",
        ),
    ] = _SETTLED_MINUTES,
) -> None:
    """Show shards that no function writes to any more, and what waits in them.

    Exits with 1 while any is retired.
    """
    with in_checkout():
        from infra.admin import shards as tool  # noqa: PLC0415 - of the checkout
        from infra.admin.stage_access import connected  # noqa: PLC0415

        with connected(stage, rights=tool.RIGHTS) as access:
            found = tool.ShardedStage.of(access)
            if retire:
                settles_after = timedelta(minutes=settled_minutes)
                is_done = tool.retire(found, typer.echo, settles_after=settles_after)
            else:
                is_done = tool.report(found, typer.echo)
    exit_unless(is_done)


@admin.command("rollout")
def rollout(
    stage: StageOption,
    before: Annotated[
        datetime | None,
        typer.Option(
            metavar="INSTANT",
            formats=["%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M:%SZ"],
            help="Go back, at once, to versions that came before this instant, in UTC.",
        ),
    ] = None,
) -> None:
    """Show which version of each function is invoked, or let earlier ones be invoked again.

    Exits with 1 where a function has no earlier version, or while two versions share one.
    """
    with in_checkout():
        from infra.admin import rollout as tool  # noqa: PLC0415 - of the checkout
        from infra.admin.stage_access import connected  # noqa: PLC0415

        with connected(stage, rights=tool.RIGHTS) as access:
            if before is None:
                is_done = tool.report(access.lambdas, stage, typer.echo)
            else:
                instant = before.replace(tzinfo=UTC)
                is_done = tool.go_back(access.lambdas, stage, typer.echo, before=instant)
    exit_unless(is_done)


@admin.command("preflight")
def preflight(
    app: Annotated[
        Path, typer.Option(metavar="DIR", help="Read what was synthesised here.")
    ] = Path("cdk.out"),
    drop: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHOICE",
            autocompletion=complete_choices,
            help="Take back this choice of earlier deployments; may be repeated.",
        ),
    ] = None,
) -> None:
    """Check if an assembly may be deployed over its stage; changes nothing.

    Exits with 1 where something speaks against it.
    """
    with in_checkout():
        from infra.admin.preflight import objections_to  # noqa: PLC0415 - of the checkout

        found = objections_to(app, drop or [])
    typer.echo("\n".join(found) or "Nothing speaks against it.")
    exit_unless(not found)


@admin.command("concurrency")
def concurrency(
    stage: Annotated[
        str | None,
        typer.Option(
            "--stage",
            metavar="NAME",
            autocompletion=complete_stages,
            help="Show one stage, and not all.",
        ),
    ] = None,
    capacity: Annotated[
        str | None,
        typer.Option(
            metavar="PROFILE",
            autocompletion=complete_capacities,
            help="Choose its profile of concurrency.",
        ),
    ] = None,
    shards: Annotated[
        int | None, typer.Option(metavar="N", help="Choose its number of shards.")
    ] = None,
) -> None:
    """Show what stages set aside of an account's concurrency; asks nothing of AWS."""
    with in_checkout():
        from infra.concurrency import documented, table_of  # noqa: PLC0415 - of the checkout

        shown = documented() if stage is None else table_of(stage, capacity, shards)
    typer.echo(shown)
