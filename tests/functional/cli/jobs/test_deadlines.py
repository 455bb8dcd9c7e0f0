"""Deadlines on the command line: how a job gets one, and what is shown of it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, answered, job
from timegate.contracts.jobs.job import NewJob

Timegate = Callable[..., Outcome]

URL = "https://example.com/alerts"
NEW = ("jobs", "create", "--name", "bill", "--now", "--webhook", "https://example.com/hook")
BAD = ["failed", "timed_out", "dead_lettered"]
BOTH = ["will_be_late", "missed_deadline"]
ADVICE = [
    {"field": "timeout_seconds", "code": "timeout_beyond_deadline", "detail": "Too long."},
    {"field": "finish_by", "code": "usually_too_long", "detail": "Also too long."},
]


def deadline(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A deadline as the API shows it."""
    return {"within_seconds": None, "time": None, "timezone": None, **changes}


def one_line(outcome: Outcome) -> str:
    """Return the output with single spaces."""
    return " ".join(outcome.out.split())


@pytest.mark.parametrize(
    ("options", "sent", "shown"),
    [
        pytest.param(
            ("--finish-by", "06:00"), {"time": "06:00"}, "06:00, schedule's zone", id="time"
        ),
        pytest.param(
            ("--finish-by", "06:00:30", "--finish-by-zone", "Asia/Tokyo"),
            {"time": "06:00:30", "timezone": "Asia/Tokyo"},
            "06:00:30 Asia/Tokyo",
            id="time-of-a-zone",
        ),
        pytest.param(
            ("--finish-by", "45m"),
            {"within_seconds": 2_700},
            "within 2700 s of the instant",
            id="span",
        ),
        pytest.param(
            ("--finish-by", "90"), {"within_seconds": 90}, "within 90 s of the instant", id="number"
        ),
    ],
)
def test_a_job_is_given_a_deadline(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], sent: dict[str, Any], shown: str
) -> None:
    """A value with a colon is a time of day, any other a span."""
    api.will(ok(job(finish_by=deadline(**sent)), 201))
    outcome = timegate(*NEW, *options)
    NewJob.model_validate_json(api.calls[-1].content)

    assert api.body["finish_by"] == sent
    assert shown in one_line(outcome)


def test_a_job_without_a_deadline_is_given_none(api: FakeApi, timegate: Timegate) -> None:
    """Nor told of one."""
    api.will(ok(job(finish_by=None), 201))
    timegate(*NEW, "--notify", URL)

    assert "finish_by" not in api.body
    assert api.body["notifications"][0]["on"] == BAD


@pytest.mark.parametrize(
    ("options", "occasions"),
    [
        pytest.param((), [*BAD, *BOTH], id="nothing-said"),
        pytest.param(("--notify-on", "missed_deadline"), ["missed_deadline"], id="one-alone"),
    ],
)
def test_the_notified_address_hears_of_the_deadline_too(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], occasions: list[str]
) -> None:
    """Unless something else is asked for."""
    api.will(ok(job(), 201))
    timegate(*NEW, "--notify", URL, "--finish-by", "45m", *options)

    assert api.body["notifications"] == [{"url": URL, "on": occasions}]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(("--finish-by-zone", "UTC"), "--finish-by", id="zone-alone"),
        pytest.param(("--finish-by", "soon"), "soon", id="no-duration"),
    ],
)
def test_half_a_deadline_is_refused(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], said: str
) -> None:
    """Before anything is sent."""
    outcome = timegate(*NEW, *options)

    assert outcome.code == 2
    assert said in " ".join(outcome.err.split())
    assert api.calls == []


@pytest.mark.parametrize("options", [("--finish-by", "7:30"), ("--finish-by", "24:00")])
def test_a_time_that_is_none_is_the_apis_to_refuse(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """It is sent as a time, and refused by its field."""
    api.will(ok(job(), 201))
    timegate(*NEW, *options)

    assert api.body["finish_by"] == {"time": options[1]}


@pytest.mark.parametrize(("advice", "lines"), [(ADVICE, 2), ([], 0), (None, 0)])
def test_advice_is_shown_with_the_job(
    api: FakeApi, timegate: Timegate, advice: list[dict[str, str]] | None, lines: int
) -> None:
    """Each piece with its field, its words and its code; none where the API gives none."""
    api.will(ok(job(advice=advice)))
    outcome = timegate("jobs", "get", JOB_ID)
    shown = [
        f"{each['field']}: {each['detail']} ({each['code']})"
        for each in ADVICE
        if f"{each['field']}: {each['detail']} ({each['code']})" in one_line(outcome)
    ]

    assert len(shown) == lines


@pytest.mark.parametrize(
    ("finish", "shown"),
    [
        pytest.param(None, None, id="none"),
        pytest.param(
            {"outlook": "unknown", "margin_ms": None}, "no forecast", id="before-a-first-look"
        ),
        pytest.param({"outlook": "in_time", "margin_ms": 0}, "in time, 0 ms to spare", id="just"),
        pytest.param(
            {"outlook": "will_be_late", "margin_ms": -1}, "too late, 1 ms too late", id="not-quite"
        ),
        pytest.param({"outlook": "met", "margin_ms": 90_000}, "met, 1.5 min to spare", id="met"),
        pytest.param(
            {"outlook": "missed", "margin_ms": -90_000}, "missed, 1.5 min too late", id="missed"
        ),
    ],
)
def test_a_run_shows_how_it_stands_to_its_deadline(
    api: FakeApi, timegate: Timegate, finish: dict[str, Any] | None, shown: str | None
) -> None:
    """In words, with what is to spare or is missing."""
    known = {"at": "2026-11-21T08:00:00.000Z", "usual_duration_ms": None, "expected_at": None}
    found = None if finish is None else known | finish
    api.will(ok(answered("getRun", run_id=RUN_ID, finish_by=found)))
    outcome = timegate("runs", "get", RUN_ID)

    assert outcome.code == 0
    assert ("deadline" in outcome.out) is (shown is not None)
    if shown is not None:
        assert "deadline 2026-11-21 08:00:00 UTC, " in one_line(outcome)
        assert shown in one_line(outcome)
