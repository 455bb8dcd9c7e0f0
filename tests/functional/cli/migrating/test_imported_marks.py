"""``timegate import eventbridge``: context attributes of an input become marks."""

import json
from pathlib import Path

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.apply.test_imports_of_targets import read
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

QUEUE = "arn:aws:sqs:eu-central-1:111122223333:told"


def test_attributes_without_a_mark_are_named(timegate: Timegate, tmp_path: Path) -> None:
    """They stay text here, as names of members do: marks stand in values."""
    target = {
        "Arn": "arn:aws-cn:sqs:cn-north-1:111122223333:told",
        "Input": '{"of": "<aws.scheduler.schedule-arn>", "<aws.scheduler.execution-id>": "{{x"}',
    }
    schedule = {"Name": "a", "ScheduleExpression": "rate(1 day)", "Target": target}
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(schedule))

    spec = documents(outcome)["a"]
    assert spec["payload"] == json.loads(target["Input"])
    assert "payload_marks" not in spec
    assert (
        "a: warning [context_attributes]: EventBridge replaces <aws.scheduler.execution-id>, "
        "<aws.scheduler.schedule-arn> in Input" in outcome.err
    )
    # China has hosts of its own.
    assert documents(outcome)["a"]["action"]["queue_url"] == (
        "https://sqs.cn-north-1.amazonaws.com.cn/111122223333/told"
    )


def test_attributes_become_marks(timegate: Timegate, tmp_path: Path) -> None:
    """They may stand anywhere in a text; braces beside them are sent as they were."""
    attributes = ["scheduled-time", "execution-id", "attempt-number", "schedule-arn"]
    text = " ".join(f"<aws.scheduler.{each}>" for each in attributes)
    target = {"Arn": QUEUE, "Input": json.dumps({"deep": [{"on": f"{{{{x}}}} {text}"}], "n": 1})}
    schedule = {"Name": "a", "ScheduleExpression": "rate(1 day)", "Target": target}
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(schedule))
    spec = documents(outcome)["a"]

    marks = "{{run.scheduled_at}} {{run.id}} {{run.attempt}} <aws.scheduler.schedule-arn>"
    assert spec["payload"] == {"deep": [{"on": f"{{{{{{{{x}}}} {marks}"}], "n": 1}
    assert spec["payload_marks"] == {}
    assert "replaces <aws.scheduler.schedule-arn> in Input" in " ".join(outcome.err.split())


def test_overrides_of_a_task_have_no_marks(timegate: Timegate, tmp_path: Path) -> None:
    """The attribute is named, and stays."""
    told = {"containerOverrides": [{"name": "app", "command": ["<aws.scheduler.scheduled-time>"]}]}
    outcome = read(timegate, tmp_path, override=told)

    assert "warning [context_attributes]: " in outcome.err
    assert "payload_marks" not in documents(outcome)["close"]
