"""``timegate import``: schedules that name no further instant."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

QUEUE = {"Arn": "arn:aws:sqs:eu-central-1:111122223333:timegate-target-acme-a", "Input": "{}"}


def schedule(name: str, expression: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """One of EventBridge Scheduler."""
    return {"Name": name, "ScheduleExpression": expression, "Target": QUEUE, **fields}


DEAD = schedule("once", "at(2020-12-24T18:00:00)")
ENDED = schedule("ended", "cron(0 9 * * ? *)", EndDate="2020-01-01T00:00:00Z")
ALIVE = schedule("alive", "cron(0 9 * * ? *)")


@pytest.mark.parametrize(("dead", "code"), [(DEAD, "in_the_past"), (ENDED, "never_fires")])
def test_one_that_is_over_is_refused(
    timegate: Timegate, tmp_path: Path, dead: dict[str, Any], code: str
) -> None:
    """EventBridge keeps it after its last instant; the API would refuse all of the manifest."""
    text = "\n".join(json.dumps(each) for each in (dead, ALIVE))
    outcome = imported(timegate, tmp_path, "eventbridge", text)
    path = tmp_path / "jobs.yaml"
    path.write_text(outcome.out)

    assert (outcome.code, set(documents(outcome))) == (1, {"alive"})
    assert f"line 1 {dead['Name']}: refused [{code}]" in outcome.err
    assert "1 imported, 1 refused." in outcome.err
    assert timegate("apply", "-f", str(path), "--yes").code == 0


def test_one_without_a_date_is_refused(timegate: Timegate, tmp_path: Path) -> None:
    """``schedule convert`` refuses it, too; leap days are dates."""
    text = "CRON_TZ=UTC\n0 0 30 2 * never\n0 0 29 2 * leap\n"
    options = ("--action-url", "https://example.com/run")
    for faithful in ((), ("--faithful",)):
        outcome = imported(timegate, tmp_path, "crontab", text, *options, *faithful)

        assert (outcome.code, set(documents(outcome))) == (1, {"leap"})
        assert "line 2 never: refused [never_fires]" in outcome.err
