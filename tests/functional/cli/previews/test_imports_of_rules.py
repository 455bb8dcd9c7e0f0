"""``timegate import eventbridge``: each target of a scheduled rule becomes a job."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

RULE: dict[str, Any] = {
    "Name": "nightly",
    "Arn": "arn:aws:events:eu-central-1:111122223333:rule/nightly",
    "ScheduleExpression": "cron(0 2 * * ? *)",
    "State": "ENABLED",
    "Description": "Close the books.",
    "EventBusName": "default",
}
TOPIC = "arn:aws:sns:eu-central-1:111122223333:timegate-target-acme-told"
FUNCTION = "arn:aws:lambda:eu-central-1:111122223333:function:timegate-target-acme-close"
DESTINATION = "arn:aws:events:eu-central-1:111122223333:api-destination/crm/1b2c"
BUS = "arn:aws:events:eu-central-1:111122223333:event-bus/other"


def read(timegate: Timegate, tmp_path: Path, *given: dict[str, Any]) -> Outcome:
    """Import objects that stand one after the other in a file."""
    return imported(timegate, tmp_path, "eventbridge", "\n".join(map(json.dumps, given)))


def targets(*given: dict[str, Any]) -> dict[str, Any]:
    """The answer of ``list-targets-by-rule``."""
    numbered = [{"Id": f"t{number}", **each} for number, each in enumerate(given, 1)]
    return {"Targets": numbered}


def test_a_rule_with_its_target_is_a_job(timegate: Timegate, tmp_path: Path) -> None:
    """It reads as a schedule of EventBridge Scheduler does."""
    target = {"Arn": FUNCTION, "Input": '{"kind": "daily"}', "RetryPolicy": {}}
    outcome = read(timegate, tmp_path, RULE, targets(target))

    assert outcome.code == 0
    assert documents(outcome)["nightly"] == {
        "schedule": {"kind": "cron", "cron": "cron(0 2 * * ? *)", "dialect": "eventbridge"},
        "action": {"type": "lambda", "function_arn": FUNCTION, "invocation": "async"},
        "retry": {"max_attempts": 50, "breaker": None},
        "payload": {"kind": "daily"},
        "description": "Close the books.",
    }


def test_each_target_is_a_job(timegate: Timegate, tmp_path: Path) -> None:
    """They are named by the rule and the target; the next rule has its own."""
    other = {**RULE, "Name": "weekly"}
    outcome = read(
        timegate,
        tmp_path,
        RULE,
        targets({"Arn": FUNCTION}, {"Arn": TOPIC}),
        other,
        targets({"Arn": TOPIC}),
    )

    assert {name: each["action"]["type"] for name, each in documents(outcome).items()} == {
        "nightly t1": "lambda",
        "nightly t2": "sns",
        "weekly": "sns",
    }


def test_a_template_becomes_the_payload(timegate: Timegate, tmp_path: Path) -> None:
    """The marks that EventBridge would fill are named."""
    template = '{"at": "<time>", "kind": "daily"}'
    transformer = {"InputPathsMap": {"time": "$.time"}, "InputTemplate": template}
    target = {"Arn": TOPIC, "InputTransformer": transformer}
    outcome = read(timegate, tmp_path, RULE, targets(target))

    assert documents(outcome)["nightly"]["payload"] == {"at": "<time>", "kind": "daily"}
    assert "warning [input_transformer]: EventBridge fills <time> from its event" in outcome.err


def test_a_rule_of_both_kinds_says_what_is_left_out(timegate: Timegate, tmp_path: Path) -> None:
    """The job has its schedule."""
    both = {**RULE, "EventPattern": '{"source": ["shop"]}'}
    outcome = read(timegate, tmp_path, both, targets({"Arn": TOPIC}))

    assert "nightly" in documents(outcome)
    assert "warning [event_pattern]" in outcome.err


@pytest.mark.parametrize(
    ("given", "code"),
    [
        pytest.param([RULE], "no_target", id="no-targets"),
        pytest.param([RULE, {"Targets": []}], "no_target", id="an-empty-list"),
        pytest.param([{"Rules": [RULE]}], "no_target", id="list-rules"),
        pytest.param([targets({"Arn": TOPIC})], "no_rule", id="targets-alone"),
        pytest.param([RULE, targets({"Arn": DESTINATION})], "unsupported_target", id="api"),
        pytest.param([RULE, targets({"Arn": BUS})], "unsupported_target", id="bus"),
        pytest.param(
            [{"Name": "shop", "EventPattern": "{}", "State": "ENABLED"}, targets({"Arn": TOPIC})],
            "no_instant",
            id="a-pattern",
        ),
    ],
)
def test_what_is_no_job_is_refused(
    timegate: Timegate, tmp_path: Path, given: list[dict[str, Any]], code: str
) -> None:
    """With the reason, and exit code 1."""
    outcome = read(timegate, tmp_path, *given)

    assert outcome.code == 1
    assert f"refused [{code}]" in outcome.err


def test_schedules_and_rules_may_stand_in_one_file(timegate: Timegate, tmp_path: Path) -> None:
    """A schedule takes no target of a rule."""
    schedule = {"Name": "s", "ScheduleExpression": "rate(1 day)", "Target": {"Arn": FUNCTION}}
    outcome = read(timegate, tmp_path, schedule, RULE, targets({"Arn": TOPIC}), schedule)

    assert {name: each["action"]["type"] for name, each in documents(outcome).items()} == {
        "s": "lambda",
        "nightly": "sns",
        "s 2": "lambda",
    }


@pytest.mark.parametrize(
    ("group", "tags"), [("billing", {"group": "billing"}), ("default", None), (None, None)]
)
def test_a_group_of_schedules_is_a_tag(
    timegate: Timegate, tmp_path: Path, group: str | None, tags: dict[str, str] | None
) -> None:
    """Jobs of a group are paused, frozen and listed by it."""
    schedule = {"Name": "s", "ScheduleExpression": "rate(1 day)", "Target": {"Arn": FUNCTION}}
    outcome = read(timegate, tmp_path, {**schedule, "GroupName": group})

    assert documents(outcome)["s"].get("tags") == tags
