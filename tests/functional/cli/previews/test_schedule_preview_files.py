"""``schedule preview --file``: any kind of schedule, as YAML or JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]

START = ("--from", "2027-01-01T00:00:00Z")
UNION = """
kind: union
any_of:
  - {kind: cron, cron: "0 9 * * *", timezone: Europe/Berlin}
  - {kind: rate, every_seconds: 30600}
"""
RRULE = """
kind: rrule
rrule: FREQ=MONTHLY;BYDAY=-1FR
starts_at: 2026-11-01T09:00:00Z
exdates: [2027-01-29T09:00:00Z]
"""


def previewed(timegate: Timegate, text: str, *options: str) -> Outcome:
    """Preview the text given on standard input."""
    return timegate("schedule", "preview", "-f", "-", *START, *options, stdin=text)


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        pytest.param(UNION, ["01-01T08:00", "01-01T08:30"], id="union"),
        pytest.param(RRULE, ["02-26T09:00", "03-26T09:00"], id="rrule"),
        pytest.param("{kind: rate, every_seconds: PT15M}", ["01-01T00:15", "01-01T00:30"], id="s"),
        pytest.param(
            '{"schedule": {"kind": "cron", "cron": "@daily"}}',
            ["01-02T00:00", "01-03T00:00"],
            id="wrapped-json",
        ),
        pytest.param(
            "{schedule: {kind: cron, cron: '@daily'}, calendars: []}",
            ["01-02T00:00", "01-03T00:00"],
            id="no-calendars",
        ),
    ],
)
def test_a_file_may_have_any_kind(
    api: FakeApi, timegate: Timegate, text: str, fires: list[str]
) -> None:
    """Computed offline, as from options."""
    found = previewed(timegate, text, "-n", "2", "--json").json["fires"]

    assert found == [f"2027-{each}:00.000Z" for each in fires]
    assert api.asked == []


def test_a_path_is_read(timegate: Timegate, tmp_path: Path) -> None:
    """Standard input gives the same preview."""
    file = tmp_path / "union.yaml"
    file.write_text(UNION)
    shown = timegate("schedule", "preview", "--file", str(file), *START, "--json").json

    assert shown == previewed(timegate, UNION, "--json").json


def test_calendars_of_a_file_are_asked_of_the_stage(api: FakeApi, timegate: Timegate) -> None:
    """Schedule and rules go out as the file has them."""
    api.will(ok(answered("previewSchedule")))
    rules = [{"calendar": "bank", "action": "roll", "roll": "nearest"}]
    asked: dict[str, Any] = {
        "schedule": {"kind": "rate", "every_seconds": 60},
        "calendars": rules,
    }
    outcome = previewed(timegate, json.dumps(asked), "-n", "3")

    assert outcome.code == 0
    assert api.asked == ["POST /v1/schedules/preview"]
    assert api.body == asked | {"from": "2027-01-01T00:00:00.000Z", "count": 3}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[]", "schedule [wrong_type]"),
        ("", "schedule [wrong_type]"),
        ("{a: 1}", "schedule [missing]"),
        ("{schedule: {kind: immediate}, tags: {}}", "tags [unknown_field]"),
        ("{kind: cron, cron: '@daily', crn: x}", "schedule.crn [unknown_field]"),
        ("{kind: cron, cron: '0 0 31 2 *'}", "schedule.cron [never_fires]"),
        ("{kind: hourly}", "schedule.kind [invalid_choice]"),
        ("{kind: [", "schedule [invalid_yaml]"),
    ],
)
def test_a_file_that_names_no_schedule_is_refused(
    timegate: Timegate, text: str, error: str
) -> None:
    """With its field, and the exit code of wrong usage."""
    outcome = previewed(timegate, text)

    assert (outcome.code, outcome.out) == (2, "")
    assert error in outcome.err


@pytest.mark.parametrize(
    "options", [("--every", "60"), ("--max-runs", "2"), ("--exclude", "bank"), ("--now",)]
)
def test_options_that_say_when_do_not_go_with_a_file(
    timegate: Timegate, options: tuple[str, ...]
) -> None:
    """Else one of both would be ignored."""
    outcome = previewed(timegate, UNION, *options)

    assert outcome.code == 2
    assert "--file" in outcome.err


def test_a_file_that_is_not_there_is_named(timegate: Timegate, tmp_path: Path) -> None:
    """With the reason."""
    outcome = timegate("schedule", "preview", "--file", str(tmp_path / "none.yaml"))

    assert outcome.code == 2
    assert "none.yaml" in outcome.err.replace("\n", "")
