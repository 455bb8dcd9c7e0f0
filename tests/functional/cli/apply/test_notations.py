"""Files of ``timegate apply`` that mean what is there in another notation."""

import json
from pathlib import Path

import pytest
import yaml

from tests.functional.cli.apply.test_apply import Timegate, apply, declared, file, verbs
from tests.functional.cli.served import served, timegate

__all__ = ["declared", "file", "served", "timegate"]

CALENDAR = """
kind: Calendar
name: office
spec: {%s}
"""
RULE = """
kind: NotificationRule
name: late
spec:
  when: {%s}
  channels: [{url: "https://alerts.example.com/t"}]
  quiet_hours: {windows: [{opens: "22:00", closes: "06:00", weekdays: [sun, fri]}]}
"""
TEXTS = [
    CALENDAR % "weekdays: [sun, sat, sun], weekend: [sun, fri]",
    CALENDAR % "days: [{first: 2026-12-25, last: null}, {first: '2026-12-26'}]",
    CALENDAR % "windows: [{opens: '18:00:00', closes: '09:00', weekdays: [fri, mon]}]",
    CALENDAR % "periods: [{start: '2026-11-30T10:00:00+01:00', end: '2026-11-30T12:00:00Z'}]",
    RULE % "absent: {for_seconds: P1D, weekdays: [tue, mon]}",
    RULE % "absent: {}, failures_in_a_row: null",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_notation_of_the_same_is_no_change(timegate: Timegate, file: Path, text: str) -> None:
    """The stage compares a definition as it would store it."""
    file.write_text(text)
    first = apply(timegate, file)
    second = apply(timegate, file)

    assert (first.code, list(verbs(first).values())) == (0, ["create"])
    assert (second.code, list(verbs(second).values())) == (0, ["keep"])


def test_a_wrong_calendar_is_refused_before_anything_changes(
    timegate: Timegate, file: Path
) -> None:
    """A later document of the same files stays unmade as well."""
    file.write_text(
        CALENDAR % "days: [{first: 2026-12-26, last: 2026-12-24}]"
        + "---"
        + RULE % "failures_in_a_row: 2"
    )
    refused = timegate("apply", "-f", str(file), "--yes")

    assert refused.code == 1
    assert "Calendar/office days.0.last [range_reversed]: It is before first." in refused.err
    assert timegate("rules", "list", "--json").json["items"] == []


def test_a_large_payload_is_no_change(timegate: Timegate, file: Path) -> None:
    """Listings leave it out; it is read for the comparison."""
    text = """
kind: Job
name: report
spec:
  schedule: {kind: manual}
  action: {type: webhook, url: https://example.com/report}
  payload: {text: %s}
"""
    file.write_text(text % ("x" * 2000))
    apply(timegate, file)
    second = apply(timegate, file)
    file.write_text(text % ("y" * 2000))
    third = apply(timegate, file)

    assert [list(verbs(each).values()) for each in (second, third)] == [["keep"], ["change"]]


JOB = """
kind: Job
name: report
spec:
  schedule: {kind: manual}
  action: {type: webhook, url: https://example.com/report}
  payload: %s
"""


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        ("{on: 1}", "{on: true}", "payload.on"),
        ("[0]", "[false]", "payload.0"),
        ("{all: null}", "{}", "payload"),
        ("{inner: {}}", "{inner: {all: null}}", "payload.inner"),
        ("[{key: a}, {key: b}]", "[{key: b}, {key: a}]", "payload.0.key"),
        ("[{key: [a]}]", "[{key: [b]}]", "payload.0.key.0"),
    ],
)
def test_data_of_a_target_is_compared_as_json(
    timegate: Timegate, file: Path, before: str, after: str, field: str
) -> None:
    """1 is not true, null is there, and a list with keys has an order."""
    file.write_text(JOB % before)
    apply(timegate, file)
    file.write_text(JOB % after)
    changed = apply(timegate, file)
    again = timegate("diff", "-f", str(file))
    job = timegate("jobs", "list", "--json").json["items"][0]

    assert changed.json["steps"][0]["verb"] == "change"
    assert changed.json["steps"][0]["differences"][0]["field"] == field
    assert again.code == 0
    assert json.dumps(job["payload"]) == json.dumps(yaml.safe_load(after.replace("on", '"on"')))
