"""``timegate admin erase``: delete everything of a tenant."""

from pathlib import Path
from typing import Annotated

import typer

from timegate.cli.admin.checkout import StageOption, in_checkout
from timegate.cli.completing.stage_names import complete_tenants
from timegate.cli.showing.grids import details
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, show, surroundings
from timegate.domain.values.tenant import tenant_id
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EraseOptions(YesOption):
    """Conditions of an erasure, or their absence."""

    exported: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", exists=True, help="Keep its export: the file is checked before."
        ),
    ] = None
    not_exported: Annotated[
        bool, typer.Option("--not-exported", help="Erase it for good; no export is kept.")
    ] = False
    at_work: Annotated[
        bool, typer.Option("--at-work", help="Erase runs as well that are at work.")
    ] = False

    def check(self) -> None:
        """Refuse a command that says nothing of an export; raises ``BadParameter``."""
        if (self.exported is None) is not self.not_exported:
            message = "Name the tenant's export by --exported FILE, or say --not-exported."
            raise typer.BadParameter(message)


@grouped
def erase_command(
    ctx: typer.Context,
    tenant: Annotated[
        str,
        typer.Argument(
            metavar="TENANT", autocompletion=complete_tenants, help="Erase this tenant."
        ),
    ],
    stage: StageOption,
    options: EraseOptions,
    output: OutputOptions,
) -> None:
    """Erase a suspended tenant: every record and every text of it, but for its name.

    It may be repeated after any failure, and ends when a scan of the tables meets nothing more.
    """
    options.check()
    options.agree(f"Erase everything of the tenant {tenant} in the stage {stage}?")
    with in_checkout():
        from infra.admin.erasing import RIGHTS, erase  # noqa: PLC0415 - of the checkout
        from infra.admin.stage_access import connected  # noqa: PLC0415

        with connected(stage, rights=RIGHTS) as access:
            done = erase(
                access,
                tenant_id(tenant),
                exported=options.exported,
                even_at_work=options.at_work,
                now=surroundings(ctx).now(),
            )
    shown = {"tenant": tenant, "records": done.records, "blobs": done.blobs}
    show(shown, details, output=output.format)
