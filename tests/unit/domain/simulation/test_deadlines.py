"""Deadlines in a simulation: what is forecast, what is told, and what is missed."""

from typing import Any

import pytest

from tests.unit.domain.simulation.refused_documents import document
from timegate.contracts.simulation.reading import read_document
from timegate.domain.simulation import report, simulate
from timegate.domain.values.errors import InvalidInput

#: Four instants an hour; of the hour there are three, for the job is created at the first.
QUARTERLY = {"kind": "cron", "cron": "*/15 * * * *"}
LONG = {"from": "2026-11-21T07:00:00Z", "to": "2026-11-21T09:01:00Z"}


def told(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """The report of a document."""
    read = read_document(document(schedule=QUARTERLY, **changes))
    return report(simulate(read.scenario), read.expectations)


def finishes(found: dict[str, Any]) -> list[Any]:
    """The deadlines of its rows."""
    return [row["finish_by"] for row in found["rows"]]


@pytest.mark.parametrize(("took", "missed"), [(300, 0), (300.001, 3)])
def test_an_end_at_the_deadline_is_in_time(took: float, missed: int) -> None:
    """A millisecond later it is missed; the margin says by how much."""
    found = told(finish_by={"within_seconds": 300}, run_seconds=took)
    first = finishes(found)[0]

    assert found["summary"]["missed_deadlines"] == missed
    assert first["outlook"] == ("missed" if missed else "met")
    assert first["margin_ms"] == (-1 if missed else 0)
    assert first["at"] == "2026-11-21T07:20:00.000Z"


def test_a_time_of_day_is_read_in_its_zone() -> None:
    """The first one after the instant."""
    found = told(finish_by={"time": "08:20", "timezone": "Europe/Berlin"})

    assert [each["at"] for each in finishes(found)] == [
        "2026-11-21T07:20:00.000Z",
        "2026-11-22T07:20:00.000Z",
        "2026-11-22T07:20:00.000Z",
    ]


def test_without_a_deadline_nothing_is_said() -> None:
    """However long runs take."""
    found = told(run_seconds=900)

    assert finishes(found) == [None, None, None]
    assert (found["summary"]["missed_deadlines"], found["summary"]["will_be_late"]) == (0, 0)


@pytest.mark.parametrize(("usual", "late"), [(300, False), (301, True)])
def test_the_sixth_run_is_forecast_by_five_others(usual: int, late: bool) -> None:
    """A forecast at the deadline is in time. Nothing is known before five have ended."""
    found = told(finish_by={"within_seconds": 300}, run_seconds=[usual] * 5 + [1], **LONG)
    fifth, sixth = finishes(found)[4:6]

    assert (fifth["usual_duration_ms"], fifth["will_be_late"]) == (None, False)
    assert (sixth["usual_duration_ms"], sixth["will_be_late"]) == (usual * 1000, late)
    # It ends early all the same.
    assert (sixth["outlook"], sixth["margin_ms"]) == ("met", 299_000)
    assert found["summary"]["will_be_late"] == 3 * late


def test_a_run_that_has_not_ended_tells_no_duration() -> None:
    """Each takes an hour: none has ended when the sixth begins."""
    found = told(finish_by={"within_seconds": 300}, run_seconds=[7_200] * 6, **LONG)

    assert {each["usual_duration_ms"] for each in finishes(found)} == {None}


def test_only_recent_runs_count() -> None:
    """Thirty quick ones after five slow ones are all that a forecast reads."""
    range_ = {"from": "2026-11-21T00:00:00Z", "to": "2026-11-21T09:15:00Z"}
    slow, quick = [600] * 5, [1] * 40
    found = finishes(told(finish_by={"within_seconds": 300}, run_seconds=slow + quick, **range_))

    # The run's own instant is the last of those that have passed.
    assert [found[at]["usual_duration_ms"] for at in (32, 33, 34)] == [600_000, 1_000, 1_000]


def test_a_run_that_waits_for_its_slot_is_told_of_before_it_begins() -> None:
    """The run before it holds the slot beyond its deadline."""
    found = told(
        finish_by={"within_seconds": 300},
        overlap={"policy": "queue"},
        run_seconds=[60, 60, 60, 60, 60, 1500, 60],
        **LONG,
    )
    waited = finishes(found)[6]

    assert (waited["will_be_late"], waited["outlook"]) == (True, "missed")
    assert waited["margin_ms"] == -(10 * 60 - 300 + 60) * 1000


def test_an_edit_gives_runs_the_zone_of_its_schedule() -> None:
    """The deadline is a time of the schedule's zone."""
    edit = {
        "at": "2026-11-21T07:20:00Z",
        "schedule": QUARTERLY | {"timezone": "Europe/Berlin"},
    }
    found = told(finish_by={"time": "08:00"}, edits=[edit])

    assert [each["at"] for each in finishes(found)] == [
        "2026-11-21T08:00:00.000Z",
        "2026-11-22T07:00:00.000Z",
        "2026-11-22T07:00:00.000Z",
    ]


def test_expectations_know_deadlines() -> None:
    """Both numbers are held to what the summary says."""
    found = told(
        finish_by={"within_seconds": 300},
        run_seconds=301,
        expect={"missed_deadlines": 2, "will_be_late": 1},
    )

    assert [(each["field"], each["actual"]) for each in found["unmet"]] == [
        ("missed_deadlines", 3),
        ("will_be_late", 0),
    ]


@pytest.mark.parametrize(
    ("finish_by", "field", "code"),
    [
        ({}, "finish_by", "required"),
        ({"time": "24:00"}, "finish_by.time", "invalid_format"),
        ({"time": 8}, "finish_by.time", "wrong_type"),
        ({"within_seconds": 0}, "finish_by.within_seconds", "too_small"),
        ({"within_seconds": 604_801}, "finish_by.within_seconds", "too_large"),
        (
            {"within_seconds": 1, "time": "08:00"},
            "finish_by.within_seconds",
            "contradictory",
        ),
        ({"within_seconds": 1, "timezone": "UTC"}, "finish_by.timezone", "without_effect"),
        ({"time": "08:00", "timezone": "Mars/Base"}, "finish_by.timezone", "unknown_timezone"),
        ({"within": 1}, "finish_by.within", "unknown_field"),
    ],
)
def test_what_names_no_deadline_is_refused(
    finish_by: dict[str, Any], field: str, code: str
) -> None:
    """With the field and the code that a job's has."""
    with pytest.raises(InvalidInput) as refused:
        told(finish_by=finish_by)

    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize("finish_by", [{"within_seconds": 604_800}, {"within_seconds": "PT1S"}])
def test_spans_reach_from_a_second_to_a_week(finish_by: dict[str, Any]) -> None:
    """Also as durations in ISO 8601."""
    assert all(finishes(told(finish_by=finish_by)))
