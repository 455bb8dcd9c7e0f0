"""Jobs of dkron, as its API answers them, and imports of them."""

import json
from pathlib import Path
from typing import Any

from tests.functional.cli.apply.test_imports import Timegate, imported
from tests.functional.cli.conftest import Outcome

HTTP = {
    "method": "POST",
    "url": "https://example.com/report",
    "headers": '["Content-Type: application/json", "X-Time: 12:30"]',
    "body": '{"kind": "daily"}',
    "timeout": "30",
    "expectCode": "200,206",
    "debug": "true",
}
SHELL = {"command": "/bin/report --daily", "shell": "true", "env": "A=1,B=x=y", "timeout": "1h30m"}


def job(name: str = "report", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A job that sends a request at 09:00."""
    fields = {
        "id": name,
        "name": name,
        "displayname": "",
        "timezone": "Europe/Berlin",
        "schedule": "0 0 9 * * *",
        "owner": "",
        "success_count": 26,
        "last_success": "2026-11-04T04:37:12.396866367Z",
        "disabled": False,
        "tags": None,
        "metadata": None,
        "retries": 0,
        "dependent_jobs": None,
        "parent_job": "",
        "processors": {},
        "concurrency": "allow",
        "executor": "http",
        "executor_config": HTTP,
        "status": "success",
        "next": "2026-12-09T09:00:00Z",
        "ephemeral": False,
        "expires_at": None,
    }
    return fields | changes


def command(name: str = "report", *, config: dict[str, Any] | None = None, **changes: Any) -> Any:  # noqa: ANN401
    """A job that runs a command."""
    return job(name, **({"executor": "shell", "executor_config": config or SHELL} | changes))


def read(
    timegate: Timegate, path: Path, *jobs: dict[str, Any], options: tuple[str, ...] = ()
) -> Outcome:
    """Import jobs."""
    return imported(timegate, path, "dkron", json.dumps(jobs, indent=1), *options)
