"""``timegate runs repeat``: a run like an earlier one, however that ended."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_runs
from timegate.cli.options.job_options import CollapseOptions
from timegate.cli.options.trigger_options import TriggerOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.watching import WaitOptions, show_started_run
from timegate.domain.values.identity import Origin

repeats = typer.Typer()


@repeats.command("repeat")
@grouped
def repeat(
    ctx: typer.Context,
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID", autocompletion=complete_runs)],
    asked: TriggerOptions,
    waiting: WaitOptions,
    session: SessionOptions,
) -> None:
    """Run it again as a run of its own, whatever became of it: with its payload, tags and priority.

    A failed run is tried again as the same run by timegate runs redrive.

    timegate runs repeat RUN_ID --merge '{"page": 2}'
    """
    if asked.like is not None:
        message = "RUN_ID is the run that is repeated."
        raise typer.BadParameter(message, param_hint="'--like'")
    job_id, _, rest = run_id.partition(".")
    if rest.startswith(Origin.TASK.value):
        message = "It is the run of a task: timegate dags rerun runs the task again in its DAG run."
        raise typer.BadParameter(message, param_hint="'RUN_ID'")
    request: Any = {**(asked.as_json(CollapseOptions()) or {}), "like_run_id": run_id}
    with opened(ctx, session) as opening:
        key, trace = asked.idempotency_key, opening.surroundings.traceparent
        run = opening.client.trigger_job(job_id, request, idempotency_key=key, traceparent=trace)
        show_started_run(opening, run, waiting)
