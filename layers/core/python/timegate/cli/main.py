"""The command line's root."""

from dataclasses import replace
from importlib.metadata import version
from typing import Annotated

import typer

from timegate.cli.apply.commands import apply, diff
from timegate.cli.dag_runs.dag_pictures import dags
from timegate.cli.jobs.bulk import bulk
from timegate.cli.jobs.commands import jobs
from timegate.cli.migrating.importing import imports
from timegate.cli.operations.commands import operations
from timegate.cli.operations.dead_letters import dead_letters
from timegate.cli.pools.commands import pools
from timegate.cli.pools.workers import workers
from timegate.cli.previews.forecast import forecast
from timegate.cli.previews.schedule import schedules
from timegate.cli.restrictions.calendars import calendars
from timegate.cli.restrictions.freezes import freezes
from timegate.cli.runs.commands import runs
from timegate.cli.simulation.simulate import simulate_command
from timegate.cli.tenants.audit import audit_command
from timegate.cli.tenants.commands import tenants, whoami
from timegate.cli.tenants.profiles import profiles
from timegate.cli.terminal.failures import Commands
from timegate.cli.terminal.session import ProfileOption, surroundings

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    # A trace's local variables would show secrets.
    pretty_exceptions_show_locals=False,
)
app.add_typer(jobs, name="jobs")
app.add_typer(runs, name="runs")
app.add_typer(bulk, name="bulk")
app.add_typer(operations, name="operations")
app.add_typer(dags, name="dags")
app.add_typer(dead_letters, name="dead-letters")
app.add_typer(schedules, name="schedule")
app.add_typer(imports, name="import")
app.add_typer(calendars, name="calendars")
app.add_typer(freezes, name="freezes")
app.add_typer(pools, name="pools")
app.add_typer(workers, name="worker")
app.add_typer(tenants, name="tenants")
app.command("simulate")(simulate_command)
app.add_typer(profiles, name="profiles")
app.command("apply")(apply)
app.command("diff")(diff)
app.command("forecast")(forecast)
app.command("whoami")(whoami)
app.command("audit")(audit_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"timegate {version('timegate')}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    profile: ProfileOption = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Timegate, a serverless job scheduler for AWS."""
    ctx.obj = replace(surroundings(ctx), profile=profile)
