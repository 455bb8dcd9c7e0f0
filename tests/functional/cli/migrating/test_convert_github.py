"""``schedule convert --from github``: schedules of workflows."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries, warned
from tests.functional.cli.migrating.workflows import cron, workflow

__all__ = ["converted"]

Converted = Callable[..., Outcome]


def test_each_schedule_is_read_in_its_zone(converted: Converted) -> None:
    """Without one, in UTC; each has its line."""
    text = (
        "name: Nightly\n"
        "on:\n"
        "  push:\n"
        "  schedule:\n"
        "    - cron: '30 6 * * 1-5'\n"
        "    - cron: 30 6 * * MON-FRI\n"
        "      timezone: Europe/Berlin\n"
    )
    outcome = converted("github", text)
    found = entries(outcome)

    assert outcome.code == 0
    assert [(each["name"], each["line"]) for each in found] == [("Nightly", 5), ("Nightly 2", 6)]
    assert [each["here"]["fires"][0] for each in found] == [
        "2026-11-23T06:30:00.000Z",
        "2026-11-23T05:30:00.000Z",
    ]
    assert [warned(each) for each in found] == [[], ["clock_undocumented"]]


def test_a_time_that_a_clock_skips_runs_after_the_gap(converted: Converted) -> None:
    """GitHub's page says 03:00 for 02:30, and so it is here."""
    outcome = converted(
        "github",
        workflow(cron("30 2 * * *", "Europe/Berlin")),
        "--after",
        "2027-03-27T12:00:00Z",
    )
    (found,) = entries(outcome)

    assert found["here"]["fires"][0] == found["there"]["fires"][0] == "2027-03-28T01:00:00.000Z"


@pytest.mark.parametrize(
    ("pattern", "warns"),
    [
        *[(each, True) for each in ("* * * * *", "*/4 * * * *", "0,4 1 * * *", "0,58 * * * *")],
        *[(each, True) for each in ("0,56 0,23 * * *", "0-59/3 0 1 1 *")],
        *[(each, False) for each in ("*/5 * * * *", "0,5 1 * * *", "0,55 * * * *", "0 0 * * *")],
        *[(each, False) for each in ("0,58 1,3 * * *", "0,55 0,23 * * *")],
    ],
)
def test_runs_less_than_five_minutes_apart_are_named(
    converted: Converted, pattern: str, *, warns: bool
) -> None:
    """GitHub starts fewer of them; across an hour's and a day's end, too."""
    (found,) = entries(converted("github", workflow(cron(pattern))))

    assert ("shortest_interval" in warned(found)) is warns


@pytest.mark.parametrize(
    "pattern",
    ["0 0 L * *", "@daily", "", "0 0 0 * * *", "60 * * * *", "H 0 * * *", "0 0 * * 1#2", "7/10"],
)
def test_what_github_does_not_take_is_refused(converted: Converted, pattern: str) -> None:
    """Although a pattern here may have it."""
    (found,) = entries(converted("github", workflow(cron(pattern))))

    assert found["error"]["code"] == "invalid_cron"


@pytest.mark.parametrize(
    ("element", "code"),
    [
        ("0 0 * * *", "wrong_type"),
        ([], "wrong_type"),
        (None, "wrong_type"),
        ({}, "invalid_cron"),
        ({"cron": ["0 0 * * *"]}, "invalid_cron"),
        (cron("0 0 * * *", "Mars/Base"), "unknown_timezone"),
        ({"cron": "0 0 * * *", "timezone": {"a": 1}}, "unknown_timezone"),
    ],
)
def test_an_element_of_a_wrong_type_is_refused_by_itself(
    converted: Converted, element: object, code: str
) -> None:
    """The others are read."""
    outcome = converted("github", workflow(element, cron("0 0 * * *")))
    wrong, right = entries(outcome)

    assert outcome.code == 1
    assert (wrong["error"]["code"], right["error"]) == (code, None)


def test_days_that_both_are_restricted_are_named(converted: Converted) -> None:
    """Google takes them in the same way."""
    (found,) = entries(converted("github", workflow(cron("0 0 */2 * 1"))))

    assert warned(found) == ["day_or_weekday"]


@pytest.mark.parametrize(
    "text",
    ["on: push\n", "on: [push, {a: b}]\n", "on: {schedule: }\n", "on: schedule\n", "{}", "on: 5"],
)
def test_a_workflow_without_a_schedule_has_no_entries(converted: Converted, text: str) -> None:
    """It is no error: a directory holds such, too."""
    outcome = converted("github", text)

    assert (outcome.code, entries(outcome)) == (0, [])


@pytest.mark.parametrize("text", ["", "[]", "on", "on: {a: &a [*a]}", "on: [", "a: 1\n---\nb: 1"])
def test_other_text_is_refused_whole(converted: Converted, text: str) -> None:
    """With two documents, as well."""
    assert converted("github", text).code == 2


def test_a_schedule_may_be_an_alias_and_json(converted: Converted) -> None:
    """A workflow is YAML, which holds both."""
    aliased = "x: &s\n  - cron: '0 1 * * *'\non:\n  schedule: *s\n"
    merged = "x: &s\n  schedule:\n    - cron: '0 1 * * *'\non:\n  <<: *s\n"
    spaced = json.dumps({"on": {"schedule": cron("0 1 * * *")}}, indent="\t")

    for text, lines in ((aliased, 2), (merged, 1), (spaced, 1)):
        (found,) = entries(converted("github", text))
        assert (found["text"], found["line"], found["name"]) == ("0 1 * * *", lines, "workflow")
