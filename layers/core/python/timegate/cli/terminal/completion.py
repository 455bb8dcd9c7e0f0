"""Completions that the shell offers after a tab, beside commands and options."""

import os

import typer

from timegate.client import ClientError, Retries, TimegateClient, load_profile
from timegate.client.profile_files import profile_names

#: Longer, nobody waits for a tab.
_PATIENCE_SECONDS = 2.0


def complete_profiles(incomplete: str) -> list[str]:
    """Names of profiles."""
    return [name for name in profile_names(os.environ) if name.startswith(incomplete)]


def complete_jobs(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Keys and ids of the newest jobs, with their names.

    None where the stage does not answer soon.
    """
    try:
        profile = load_profile(os.environ, ctx.params.get("profile"))
        retries = Retries(max_attempts=1)
        with TimegateClient(profile, timeout_seconds=_PATIENCE_SECONDS, retries=retries) as client:
            newest = client.list_jobs(limit=100)["items"]
    except ClientError:
        return []
    named = [(ref, job["name"]) for job in newest for ref in (job["key"], job["job_id"]) if ref]
    return [each for each in named if each[0].startswith(incomplete)]
