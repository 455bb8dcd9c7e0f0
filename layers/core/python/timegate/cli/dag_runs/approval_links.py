"""``timegate dags approval-link``: an address at which a person decides without a token."""

from typing import Annotated

import typer

from timegate.cli.dag_runs.commands import DagRunId
from timegate.cli.dag_runs.dag_interventions import TaskKey, dags
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Output, SessionOptions, opened
from timegate.cli.terminal.values import header_text
from timegate.client.schemas import NewLink

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]


@dags.command("approval-link")
@grouped
def approval_link(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    session: SessionOptions,
    receiver: Annotated[
        str | None,
        typer.Option(
            "--for",
            parser=header_text,
            metavar="NAME",
            help="Name the person it is for; the audit trail has her decision under this name.",
        ),
    ] = None,
) -> None:
    """Print the address of the page on which any holder of it decides an approval."""
    body: NewLink = {} if receiver is None else {"receiver": receiver}
    with opened(ctx, session) as opening:
        made = opening.client.create_dag_task_link(dag_run_id, task, body)
        if opening.output is Output.TABLE:
            # Alone on its line: a table would fold it.
            typer.echo(f"{opening.api_url.rstrip('/')}{made['path']}")
        else:
            opening.show(made, str)
