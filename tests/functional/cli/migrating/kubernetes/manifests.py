"""CronJobs as files hold them, and imports of them."""

import json
from pathlib import Path
from typing import Any

import yaml

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.conftest import Outcome

ECS = {
    "type": "ecs",
    "cluster_arn": "arn:aws:ecs:eu-central-1:111122223333:cluster/timegate-target-acme",
    "task_definition": "timegate-target-acme-{name}",
    "subnets": ["subnet-0a1b2c3d"],
}


def container(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A container that runs a program."""
    return {"name": "main", "image": "acme/report:1.2", "args": ["--daily"], **changes}


def cron_job(
    name: str = "report",
    *,
    job: dict[str, Any] | None = None,
    pod: dict[str, Any] | None = None,
    metadata: dict[str, Any] | None = None,
    **spec: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """A CronJob at 09:00 in Berlin; ``spec`` changes its fields."""
    inner = {"containers": [container()], "restartPolicy": "Never", **(pod or {})}
    template = {"template": {"spec": inner}, **(job or {})}
    given = {"schedule": "0 9 * * *", "timeZone": "Europe/Berlin"} | spec
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": name, **(metadata or {})},
        "spec": {**given, "jobTemplate": {"spec": template}},
    }


def read(
    timegate: Timegate, path: Path, *found: dict[str, Any], options: tuple[str, ...] = ()
) -> Outcome:
    """Import CronJobs, to a pool unless options say otherwise."""
    text = yaml.safe_dump_all(found, sort_keys=False)
    return imported(timegate, path, "kubernetes", text, *(options or ("--pool", "batch")))


def task(**changes: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Options for a task of ECS."""
    return ("--action", json.dumps(ECS | changes))


def only(outcome: Outcome) -> dict[str, Any]:
    """The one job of a manifest."""
    (found,) = documents(outcome).values()
    return found


def warned(outcome: Outcome) -> list[str]:
    """The codes of the report's warnings."""
    return [line.partition("[")[2].partition("]")[0] for line in lines(outcome)]


def lines(outcome: Outcome) -> list[str]:
    """The warnings of the report."""
    return [line for line in outcome.err.splitlines() if ": warning [" in line]
