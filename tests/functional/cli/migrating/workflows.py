"""Workflows of GitHub Actions."""

from typing import Any

import yaml


def workflow(*schedules: Any, name: str | None = "Nightly", **events: Any) -> str:  # noqa: ANN401
    """A workflow with these elements of its schedule, and other events."""
    content = {
        **({"name": name} if name else {}),
        "on": {"schedule": list(schedules), **events},
        "jobs": {"test": {"runs-on": "ubuntu-latest", "steps": [{"run": "make test"}]}},
    }
    return yaml.safe_dump(content, sort_keys=False)


def cron(pattern: str, zone: str | None = None) -> dict[str, str]:
    """One element."""
    return {"cron": pattern, **({"timezone": zone} if zone else {})}
