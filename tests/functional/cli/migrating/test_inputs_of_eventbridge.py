"""Inputs of EventBridge that are no JSON are named by the import."""

import json
from pathlib import Path

import pytest

from tests.functional.cli.apply.test_imports import Timegate, imported
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]


@pytest.mark.parametrize(
    ("given", "is_told"), [("close all", True), ('"close all"', False), ("{}", False)]
)
def test_an_input_that_is_no_json_is_named(
    timegate: Timegate, tmp_path: Path, given: str, *, is_told: bool
) -> None:
    """A queue gets it in quotes here, and got it without them."""
    target = {"Arn": "arn:aws:sqs:eu-central-1:111122223333:told", "Input": given}
    schedule = {"Name": "a", "ScheduleExpression": "rate(1 day)", "Target": target}
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(schedule))

    assert outcome.code == 0
    assert ("a: warning [input_text]: " in outcome.err) is is_told
