"""Triggers in a scenario: of callers or events, alone and collapsing."""

from typing import Any

import pytest

from timegate.contracts.simulation.reading import read_document
from timegate.domain.simulation import report, simulate
from timegate.domain.values.errors import InvalidInput

LAST = {"mode": "last", "span_seconds": 30}


def simulated(**fields: object) -> dict[str, Any]:
    """The report of a job that only triggers start."""
    scenario = {
        "schedule": {"kind": "manual"},
        "from": "2026-11-20T08:00:00Z",
        "to": "2026-11-20T09:00:00Z",
        **fields,
    }
    document = read_document(scenario)
    return report(simulate(document.scenario), document.expectations)


def told(found: dict[str, Any]) -> list[tuple[str, str, str | None, str | None]]:
    """Return per run its trigger instant, outcome, start, and the run that stands for it."""
    return [
        (
            row["scheduled_at"][11:19],
            row["reason"] or row["state"],
            row["started_at"] and row["started_at"][11:19],
            row["trigger"]["collapsed_into"] and row["trigger"]["collapsed_into"][11:19],
        )
        for row in found["rows"]
    ]


def test_each_trigger_is_a_run_without_a_rule() -> None:
    """Also two of one instant; they begin at once."""
    found = simulated(triggers=["2026-11-20T08:01:00Z", "2026-11-20T08:01:00Z"])

    assert told(found) == [("08:01:00", "succeeded", "08:01:00", None)] * 2
    assert found["summary"]["runs"] == 2


def test_a_run_that_another_stands_for_leaves_the_line_for_a_slot() -> None:
    """It waits for the first one's slot as a later trigger takes its place, and never begins."""
    found = simulated(
        collapse=LAST,
        overlap={"policy": "queue"},
        run_seconds=100,
        triggers=["2026-11-20T08:01:00Z", "2026-11-20T08:01:40Z", "2026-11-20T08:02:15Z"],
    )

    assert told(found) == [
        ("08:01:00", "succeeded", "08:01:30", None),
        ("08:01:40", "collapsed", None, "08:02:15"),
        ("08:02:15", "succeeded", "08:03:10", None),
    ]


def test_events_that_arrive_together_are_one_run() -> None:
    """The last one's, half a minute after it; the others say which stands for them in the end."""
    burst = {"at": "2026-11-20T08:01:00Z", "times": 3, "every_seconds": 10}
    found = simulated(collapse=LAST, triggers=[burst, "2026-11-20T08:10:00Z"])

    assert told(found) == [
        ("08:01:00", "collapsed", None, "08:01:20"),
        ("08:01:10", "collapsed", None, "08:01:20"),
        ("08:01:20", "succeeded", "08:01:50", None),
        ("08:10:00", "succeeded", "08:10:30", None),
    ]
    assert found["summary"]["skipped"] == {"collapsed": 2}


def test_keys_are_apart() -> None:
    """Triggers of another key have a run of their own."""
    keyed = [{"at": f"2026-11-20T08:01:0{n}Z", "key": key} for n, key in enumerate("aba")]
    found = simulated(collapse=LAST, triggers=keyed)

    assert [(row["trigger"]["key"], row["reason"]) for row in found["rows"]] == [
        ("a", "collapsed"),
        ("b", None),
        ("a", None),
    ]


@pytest.mark.parametrize(
    ("rule", "began"),
    [
        # A steady stream runs every 60 s: a window is open no longer.
        ({"mode": "last", "span_seconds": 30, "max_wait_seconds": 60}, ["08:02:00", "08:03:00"]),
        ({"mode": "first", "span_seconds": 60}, ["08:02:00", "08:03:10"]),
        # While it works, triggers join it; it began at once.
        ({"mode": "single"}, ["08:01:00", "08:02:30"]),
    ],
)
def test_modes_say_which_run_stands_for_a_stream(rule: dict[str, Any], began: list[str]) -> None:
    """Twelve triggers in two minutes, with runs of 85 seconds, start two runs."""
    stream = {"at": "2026-11-20T08:01:00Z", "times": 12, "every_seconds": 10}
    found = simulated(collapse=rule, triggers=[stream], run_seconds=85)
    runs = [row["started_at"][11:19] for row in found["rows"] if row["started_at"]]

    assert runs == began
    assert found["summary"]["skipped"] == {"collapsed": 10}


def test_a_schedule_goes_on_beside_triggers() -> None:
    """An instant that is triggered as well has a run of either."""
    found = simulated(
        schedule={"kind": "cron", "cron": "*/30 * * * *"},
        triggers=["2026-11-20T08:30:00Z", "2026-11-20T08:31:00Z"],
    )

    assert [(row["scheduled_at"][11:16], row["trigger"] is None) for row in found["rows"]] == [
        ("08:30", True),
        ("08:30", False),
        ("08:31", False),
    ]


def test_a_cancelled_job_cannot_be_triggered() -> None:
    """The API would answer alike; a waiting run is cancelled with the job."""
    found = simulated(
        collapse=LAST,
        triggers=["2026-11-20T08:01:00Z", "2026-11-20T08:02:00Z"],
        cancelled_at="2026-11-20T08:01:10Z",
    )

    assert [row["state"] for row in found["rows"]] == ["cancelled"]
    assert [(each["field"], each["code"]) for each in found["refused"]] == [
        ("triggers.1.at", "job_cancelled")
    ]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        (
            {"triggers": [{"at": "2026-11-20T08:01:00Z", "times": 2}]},
            "triggers.0.every_seconds",
            "missing",
        ),
        (
            {"triggers": [{"at": "2026-11-20T08:01:00Z", "every_seconds": 2}]},
            "triggers.0.every_seconds",
            "without_effect",
        ),
        ({"triggers": ["2026-11-20T09:00:00Z"]}, "triggers.0.at", "out_of_range"),
        (
            {"triggers": [{"at": "2026-11-20T08:01:00Z", "key": "a"}]},
            "triggers.0.key",
            "without_effect",
        ),
        ({"collapse": {"mode": "last"}}, "collapse.span_seconds", "required"),
    ],
)
def test_what_no_trigger_could_follow_is_refused(
    fields: dict[str, Any], field: str, code: str
) -> None:
    """By the name of its field."""
    with pytest.raises(InvalidInput) as refused:
        simulated(**fields)

    assert (refused.value.field, refused.value.code) == (field, code)
