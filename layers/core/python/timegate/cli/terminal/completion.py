"""Completions that the shell offers after a tab, beside commands and options."""

import os
from collections.abc import Callable
from typing import Any

import typer

from timegate.client import ClientError, Retries, TimegateClient, load_profile
from timegate.client.access.profile_files import profile_names

#: People do not wait longer for a tab.
_PATIENCE_SECONDS = 2.0
#: DAGs whose runs are completed, and runs of each.
_DAGS, _DAG_RUNS = 5, 10


def complete_profiles(incomplete: str) -> list[str]:
    """Names of profiles."""
    return [name for name in profile_names(os.environ) if name.startswith(incomplete)]


def complete_jobs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Keys and ids of the newest jobs, with their names."""
    return _found(ctx, incomplete, lambda c: c.list_jobs(limit=100), "key job_id", "name")


def complete_dags(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of DAGs, with their names."""
    return _found(ctx, incomplete, lambda c: c.list_dags(limit=100), "dag_id", "name")


def complete_rules(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of notification rules, with their descriptions."""
    return _found(ctx, incomplete, lambda c: c.list_rules(), "name", "description")


def complete_calendars(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of calendars, with their descriptions."""
    return _found(ctx, incomplete, lambda c: c.list_calendars(), "name", "description")


def complete_event_triggers(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of event triggers, with their descriptions."""
    return _found(ctx, incomplete, lambda c: c.list_event_triggers(), "name", "description")


def complete_freezes(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the freezes that have not ended, with their reasons."""
    return _found(ctx, incomplete, lambda c: c.list_freezes(unended=True), "freeze_id", "reason")


def complete_operations(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the newest operations, with their kinds."""
    return _found(ctx, incomplete, lambda c: c.list_operations(), "operation_id", "kind")


def complete_tenants(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of tenants that something was set for, with their names."""
    return _found(ctx, incomplete, lambda c: c.list_tenants(), "tenant", "name")


def complete_pools(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of pools, with the number of their workers."""

    def read(client: TimegateClient) -> Any:  # noqa: ANN401 - any JSON
        pools = client.list_pools()["pools"]
        return {"items": [{**each, "about": f"{each['workers']} workers"} for each in pools]}

    return _found(ctx, incomplete, read, "pool", "about")


def complete_dag_runs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the newest runs of the newest DAGs, with how they stand."""

    def read(client: TimegateClient) -> Any:  # noqa: ANN401 - any JSON
        dags = client.list_dags(limit=_DAGS)["items"]
        pages = [client.list_dag_runs(each["dag_id"], limit=_DAG_RUNS) for each in dags]
        return {"items": [row for page in pages for row in page["items"]]}

    return _found(ctx, incomplete, read, "dag_run_id", "status")


def complete_tasks(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Keys of the tasks of the DAG run that was named before, with their states."""

    def read(client: TimegateClient) -> Any:  # noqa: ANN401 - any JSON
        return {"items": client.get_dag_run(str(ctx.params.get("dag_run_id")))["tasks"]}

    return _found(ctx, incomplete, read, "key", "state")


def complete_dags_and_runs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of DAGs; with ``--run`` on the command line, of their runs."""
    wanted = complete_dag_runs if ctx.params.get("run") else complete_dags
    return wanted(ctx, incomplete)


def complete_runs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the runs that failed last; behind a job's id and a dot, of its newest runs."""
    job_id, dot, _ = incomplete.partition(".")
    if not dot:
        return complete_failed_runs(ctx, incomplete)
    return _found(ctx, incomplete, lambda c: c.list_runs(job_id, limit=50), "run_id", "state")


def complete_runs_and_jobs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of failed runs, and keys and ids of jobs."""
    runs = complete_runs(ctx, incomplete)
    return runs if "." in incomplete else [*complete_jobs(ctx, incomplete), *runs]


def complete_failed_runs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the runs that failed last, with the names of their jobs."""
    return _found(ctx, incomplete, lambda c: c.list_all_runs(limit=50), "run_id", "job_name")


def _found(
    ctx: typer.Context,
    incomplete: str,
    read: Callable[[TimegateClient], Any],
    fields: str,
    meaning: str,
) -> list[tuple[str, str]]:
    """Read one page; a stage that does not answer soon completes nothing."""
    try:
        profile = load_profile(os.environ, ctx.params.get("profile"))
        retries = Retries(max_attempts=1)
        with TimegateClient(profile, timeout_seconds=_PATIENCE_SECONDS, retries=retries) as client:
            rows = read(client)["items"]
    except ClientError:
        return []
    named = [
        (row[field], row.get(meaning) or "")
        for row in rows
        for field in fields.split()
        if row.get(field)
    ]
    return [each for each in named if each[0].startswith(incomplete)]
