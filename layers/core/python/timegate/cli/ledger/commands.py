"""``timegate ledger months|export``: what is sealed, and a copy to verify offline."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from timegate.cli.ledger.exporting import export_months
from timegate.cli.showing.grids import Column, listing
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

ledger = typer.Typer(
    no_args_is_help=True, help="Export sealed months of the archive, to be verified offline."
)

_COLUMNS: dict[str, Column] = {
    "month": lambda each: plain(each["month"]),
    "rows": lambda each: f"{each['rows']:,}",
    "files": lambda each: f"{each['files']:,}",
    "sha256 of the seal": lambda each: plain(each["sha256"]),
}


@ledger.command("months")
@grouped
def list_months(ctx: typer.Context, page: PageOptions, session: SessionOptions) -> None:
    """List the sealed months, the latest first."""
    with opened(ctx, session) as opening:
        opening.show(page.read(opening.client.list_sealed_months), _months)


@ledger.command("export")
@grouped
def export(
    ctx: typer.Context,
    session: SessionOptions,
    to: Annotated[
        Path,
        typer.Option(
            "--to", metavar="DIR", file_okay=False, help="Write the copy here, or complete it."
        ),
    ],
    month: Annotated[
        list[str] | None,
        typer.Option("--month", metavar="YYYY-MM", help="Export this month; may be repeated."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Export every sealed month.")] = False,
) -> None:
    """Copy sealed months with their files, to be verified offline.

    A file that is there already with its digest is kept. Note the digest of the last seal at
    another place: it stands for everything before it.
    """
    if everything == bool(month):
        message = "Name the months by --month, or take --all."
        raise typer.BadParameter(message)
    with opened(ctx, session) as opening:
        asked = opening.client.list_sealed_months.iterate(limit=100) if everything else []
        months = sorted({*(month or []), *(each["month"] for each in asked)})
        done = export_months(opening, months, to)
        opening.show({"items": done, "next_cursor": None}, _exported)


def _months(found: JsonObject) -> RenderableType:
    return listing(
        found, {"month": _COLUMNS["month"]}, "No month is sealed yet: see the page on the archive."
    )


def _exported(found: JsonObject) -> RenderableType:
    return listing(found, _COLUMNS, "No month is sealed yet: see the page on the archive.")
