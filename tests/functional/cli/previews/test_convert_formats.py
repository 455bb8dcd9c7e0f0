"""``schedule convert``: what each format says, and what it becomes."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import BERLIN, converted, entries, warned

__all__ = ["converted"]

CRON_JOBS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report}
spec:
  schedule: "0 9 * * 1-5"
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 200
  suspend: yes
---
kind: List
items:
  - kind: CronJob
    metadata: {name: odd}
    spec: {schedule: "0 0 */2 * 1", timeZone: UTC, concurrencyPolicy: Replace, suspend: no}
  - kind: CronJob
    metadata: {name: interval}
    spec: {schedule: "@every 1h30m"}
  - kind: CronJob
    metadata: {name: wrong}
    spec: {schedule: "0 0 9 * * *"}
"""


def test_cron_jobs_of_kubernetes(converted: Callable[..., Outcome]) -> None:
    """Policies become those of a job; other documents are left out."""
    outcome = converted("kubernetes", CRON_JOBS)
    report, odd, interval, wrong = entries(outcome)

    assert outcome.code == 1
    assert [each["line"] for each in entries(outcome)] == [5, 17, 20, 23]
    assert report["here"]["job"] == {
        "schedule": {"kind": "cron", "cron": "0 9 * * 1-5", "timezone": "Europe/Berlin"},
        "overlap": {"policy": "forbid"},
        "catch_up": {"policy": "latest", "window_seconds": 200},
    }
    assert warned(report) == ["suspended", "held_back"]
    # In Kubernetes odd days or Mondays; the same text here is Mondays on odd days.
    assert odd["here"]["job"]["schedule"]["cron"] == "0 0 1-31/2 * 1"
    assert odd["here"]["job"]["overlap"] == {"policy": "replace"}
    assert warned(odd) == ["day_or_weekday"]
    assert interval["here"]["job"]["schedule"] == {"kind": "rate", "every_seconds": 5400}
    assert warned(interval) == ["relative"]
    assert wrong["error"]["detail"] == "It has 6 fields instead of 5 (Kubernetes)."


#: Written as in systemd.time(7), and the pattern that names the same times.
EVENTS = {
    "daily": "00 00 * * *",
    "hourly": "00 * * * *",
    "weekly": "00 00 * * mon",
    "monthly": "00 00 01 * *",
    "quarterly": "00 00 01 01,04,07,10 *",
    "yearly UTC": "00 00 01 01 *",
    "*-*-* 02:00:00": "00 02 * * *",
    "*:0/15": "0/15 * * * *",
    "Mon..Fri 22:30": "30 22 * * mon-fri",
    "Sat,Sun": "0 0 * * sat,sun",
    "Wed, 17:48": "48 17 * * wed",
    "Thursday 9:00:30": "30 00 9 * * thu",
    "12-25": "0 0 25 12 *",
    "2027-*-1 12:00": "0 00 12 1 * * 2027",
    "*-*~01 03:00": "00 03 L * *",
    "*-*~03": "0 0 L-2 * *",
    "*-02~02/1": "0 0 L-1,L 02 *",
    "Mon *-*-8..14": "0 0 * * mon#2",
    "Fri *-*~07/1": "0 0 * * friL",
    "Mon..Tue *-*-1..7": "0 0 * * mon#1,tue#1",
    "*-*-1..5/2,20 8..18/2:00": "00 8-18/2 1-5/2,20 * *",
}


@pytest.mark.parametrize("text", EVENTS, ids=str)
def test_calendar_events(converted: Callable[..., Outcome], text: str) -> None:
    """Shorthands, weekdays, dates counted from either end, repetitions and zones."""
    (found,) = entries(converted("systemd", text))

    # Noughts in front are as they were written.
    assert _bare(found["here"]["job"]["schedule"]["cron"]) == _bare(EVENTS[text])


def _bare(pattern: str) -> list[str]:
    return [field.lstrip("0") or "0" for field in pattern.split()]


@pytest.mark.parametrize("text", ["25:00", "*-*-32", "*-13-*", "0-1-1", "12:60"])
def test_a_value_that_no_clock_shows_is_refused_alone(
    converted: Callable[..., Outcome], text: str
) -> None:
    """With its line, as any other entry; the others are shown."""
    outcome = converted("systemd", f"daily\n{text}\n")
    daily, wrong = entries(outcome)

    assert outcome.code == 1
    assert daily["error"] is None
    assert (wrong["line"], wrong["error"]["code"]) == (2, "invalid_calendar_event")


@pytest.mark.parametrize(
    "text",
    [
        *("fortnightly", "Mon *-*-1..8", "Mon *-*-29..35", "Foo 09:00", "Monda 09:00", "*/2:00"),
        *("09", "09:00 *-*-*", "@1493187147", "*-*~1..3", "09:00:00.5", "Mon..Fri Mars/Olympus"),
    ],
)
def test_what_is_no_calendar_event_is_refused(converted: Callable[..., Outcome], text: str) -> None:
    """Or has no pattern here."""
    outcome = converted("systemd", text)

    assert outcome.code == 1
    assert entries(outcome)[0]["error"]["code"] in {"invalid_calendar_event", "unknown_timezone"}


def test_expressions_of_eventbridge(converted: Callable[..., Outcome]) -> None:
    """With names or without; rates have no zone, and the past has no fires."""
    text = "a=rate(5 minutes)\ncron(0 9 ? * MON-FRI *)\n# none\n\nb: at(2026-11-20T09:00:00)\n"
    outcome = converted("eventbridge", text, *BERLIN)
    rate, cron, past = entries(outcome)

    assert [(e["line"], e["name"]) for e in entries(outcome)] == [(1, "a"), (2, "line 2"), (5, "b")]
    assert rate["here"]["job"]["schedule"] == {"kind": "rate", "every_seconds": 300}
    assert (warned(rate), warned(cron)) == (["relative"], [])
    assert cron["here"]["job"]["schedule"]["dialect"] == "eventbridge"
    assert past["error"]["code"] == "in_the_past"


@pytest.mark.parametrize(
    ("there", "here", "warnings"),
    [
        ("0 0 10,* * 1", "0 0 * * 1", ["day_or_weekday"]),
        ("0 0 1 * 2,*/1", "0 0 1 * *", ["day_or_weekday"]),
        ("0 0 */1 * 1", "0 0 * * 1", []),
        ("0 0 */2,5 * ?/3", "0 0 1-31/2,5 * 0-6/3", ["day_or_weekday"]),
        ("? 9 ? ? 1", "* 9 * * 1", []),
    ],
)
def test_stars_of_kubernetes(
    converted: Callable[..., Outcome], there: str, here: str, warnings: list[str]
) -> None:
    """A star anywhere in a list of days leaves the day to the other field."""
    text = f"kind: CronJob\nspec: {{schedule: '{there}', timeZone: UTC}}\n"
    (found,) = entries(converted("kubernetes", text))

    assert found["here"]["job"]["schedule"]["cron"] == here
    assert warned(found) == warnings


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("---\n# Source: a.yaml\n---\nkind: CronJob\nspec: {schedule: '@daily'}\n---\n", [4]),
        ("kind: List\nitems: []\n", []),
        ('{\n\t"items": [\n\t\t{"kind":"CronJob","spec":{"schedule":"@daily"}}\n\t]\n}', [3]),
        ("kind: List\nitems:\n- null\n- kind: CronJob\n  spec: {schedule: '@daily'}\n", [4]),
        ("a: &a\n  items: [{kind: CronJob, spec: {schedule: '@daily'}}]\n<<: *a\n", [1]),
    ],
    ids=["empty-documents", "empty-list", "json", "null", "merged"],
)
def test_manifests_have_empty_documents_and_lists(
    converted: Callable[..., Outcome], text: str, lines: list[int]
) -> None:
    """Programs that write manifests leave both behind; each job still has its line."""
    outcome = converted("kubernetes", text)

    assert outcome.code == 0, outcome.err
    assert [each["line"] for each in entries(outcome)] == lines


@pytest.mark.parametrize(
    "spec",
    [
        "[1]",
        "{schedule: '@daily', startingDeadlineSeconds: soon}",
        "{schedule: '@daily', startingDeadlineSeconds: yes}",
    ],
)
def test_a_manifest_of_another_shape_is_refused(
    converted: Callable[..., Outcome], spec: str
) -> None:
    """And stops no other."""
    wrong = f"kind: CronJob\nmetadata: wrong\nspec: {spec}\n"
    right = "kind: CronJob\nspec: {schedule: '@daily'}\n"
    first, second = entries(converted("kubernetes", f"{wrong}---\n{right}"))

    assert first["error"]["code"] == "wrong_type"
    assert second["error"] is None
