"""Completions that the shell offers after a tab, beside commands and options."""

import os
from collections.abc import Callable
from typing import Any

import typer

from timegate.client import ClientError, Retries, TimegateClient, load_profile
from timegate.client.profile_files import profile_names

#: Longer, nobody waits for a tab.
_PATIENCE_SECONDS = 2.0


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


def complete_freezes(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the freezes that have not ended, with their reasons."""
    return _found(ctx, incomplete, lambda c: c.list_freezes(unended=True), "freeze_id", "reason")


def complete_operations(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of the newest operations, with their kinds."""
    return _found(ctx, incomplete, lambda c: c.list_operations(), "operation_id", "kind")


def complete_tenants(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of tenants that something was set for, with their names."""
    return _found(ctx, incomplete, lambda c: c.list_tenants(), "tenant", "name")


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
