"""``timegate cost report``: what runs cost, by job or by tenant."""

from typing import Annotated

import typer

from timegate.cli.completing.stage_names import complete_jobs, complete_tenants
from timegate.cli.costs.cost_tables import report_details, stage_table
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened

cost = typer.Typer(no_args_is_help=True, help="See what runs cost, by job and by tenant.")

Month = Annotated[
    str | None,
    typer.Option(metavar="YYYY-MM", help="Show this month, in UTC; the present one by default."),
]
Job = Annotated[
    str | None,
    typer.Option("--job", metavar="JOB", autocompletion=complete_jobs, help="Show this job alone."),
]


@cost.callback()
def group() -> None:
    """Keep ``report`` a command of its own."""


@cost.command("report")
@grouped
def report(
    ctx: typer.Context,
    session: SessionOptions,
    page: PageOptions,
    month: Month = None,
    job: Job = None,
    tenant: Annotated[
        str | None,
        typer.Option(
            "--tenant",
            metavar="TENANT",
            autocompletion=complete_tenants,
            help="Show another tenant's; takes timegate/admin.",
        ),
    ] = None,
    stage: Annotated[
        bool, typer.Option("--stage", help="Show each tenant of the stage; takes timegate/admin.")
    ] = False,
) -> None:
    """Show what runs of a month cost, the dearest jobs first."""
    if stage and (tenant is not None or job is not None):
        message = "--stage shows all tenants: it goes with neither --tenant nor --job."
        raise typer.BadParameter(message)
    if not stage and (page.everything or page.cursor is not None):
        message = "a tenant's jobs have one page, the dearest first: give --limit, up to 100."
        raise typer.BadParameter(message)
    with opened(ctx, session) as opening:
        client = opening.client
        if stage:
            opening.show(page.read(client.get_stage_cost, month=month), stage_table)
        elif tenant is not None:
            found = client.get_tenant_cost(tenant, month=month, job_id=job, limit=page.limit)
            opening.show(found, report_details)
        else:
            found = client.get_cost(month=month, job_id=job, limit=page.limit)
            opening.show(found, report_details)
