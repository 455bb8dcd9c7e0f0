"""``timegate runs failed``: since when, and what a line says."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import typer

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, placeholder
from tests.functional.cli.samples import JOB_ID, SHORT_RUN_ID, failed_row, runs_page
from timegate.cli.terminal.moments import past_instant
from timegate.domain.values.instants import rfc3339

Timegate = Callable[..., Outcome]

#: Berlin's clocks show 10:30.
NOW = datetime(2026, 11, 24, 9, 30, tzinfo=UTC)


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("now", "2026-11-24T09:30:00.000Z"),
        ("today", "2026-11-23T23:00:00.000Z"),
        ("yesterday", "2026-11-22T23:00:00.000Z"),
        ("10:30", "2026-11-24T09:30:00.000Z"),
        ("10:31", "2026-11-23T09:31:00.000Z"),
        ("22:00", "2026-11-23T21:00:00.000Z"),
        ("yesterday 22:00", "2026-11-23T21:00:00.000Z"),
        ("today 22:00", "2026-11-24T21:00:00.000Z"),
        ("2026-11-20", "2026-11-19T23:00:00.000Z"),
        ("2026-11-20 02:30", "2026-11-20T01:30:00.000Z"),
        ("2026-11-20T02:30", "2026-11-20T01:30:00.000Z"),
        ("6h", "2026-11-24T03:30:00.000Z"),
        ("90", "2026-11-24T09:28:30.000Z"),
        ("PT1H", "2026-11-24T08:30:00.000Z"),
        ("2026-11-20T00:00:00Z", "2026-11-20T00:00:00.000Z"),
    ],
)
def test_moments_are_read_as_people_say_them(text: str, expected: str) -> None:
    """A time of day is the last one that passed, in this machine's zone."""
    assert rfc3339(past_instant(text, NOW)) == expected


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (datetime(2026, 10, 26, 9, tzinfo=UTC), "2026-10-24T22:00:00.000Z"),
        (datetime(2026, 3, 30, 9, tzinfo=UTC), "2026-03-28T23:00:00.000Z"),
    ],
)
def test_yesterday_begins_at_midnight_whatever_clocks_did(now: datetime, expected: str) -> None:
    """A day of clock changes has 25 or 23 hours."""
    assert rfc3339(past_instant("yesterday", now)) == expected


@pytest.mark.parametrize(
    "text", ["", " ", "tomorrow", "24:00", "7 o'clock", "2026-11-20 ", " 22:00", "today22:00"]
)
def test_other_words_are_refused(text: str) -> None:
    """With what can be written."""
    with pytest.raises(typer.BadParameter, match="write now, yesterday, today, 22:00, 6h"):
        past_instant(text, NOW)


@pytest.mark.parametrize("text", ["2026-02-30", "2026-13-01 02:30"])
def test_a_day_that_no_calendar_has_is_refused(text: str) -> None:
    """With the text as it was written."""
    with pytest.raises(typer.BadParameter, match=f"'{text}': there is no such day"):
        past_instant(text, NOW)


#: Commands that ask about the past, with what each sends of a time of day and a duration ago.
PAST = [
    ("audit --since {}", "since"),
    ("audit --until {}", "until"),
    ("jobs explain JOB --at {}", "at"),
    ("jobs ledger JOB --from {} --to now", "from"),
    ("jobs ledger JOB --from 7d --to {}", "to"),
    ("runs list JOB --from {}", "from"),
    ("dags runs JOB --to {}", "to"),
    ("dead-letters list --from {}", "from"),
    ("jobs backfill JOB --from {} --to now --dry-run", "from"),
    ("decisions --since {}", "from"),
]


@pytest.mark.parametrize(("command", "name"), PAST)
@pytest.mark.parametrize(
    ("said", "meant"), [("06:30", "2026-11-21T06:30"), ("2h", "2026-11-21T05:00")]
)
def test_every_command_about_the_past_reads_moments(
    api: FakeApi, timegate: Timegate, command: str, name: str, said: str, meant: str
) -> None:
    """Operators say the same to all of them."""
    api.will(placeholder({"items": [], "next_cursor": None}))
    words = [word.replace("JOB", JOB_ID).format(said) for word in command.split()]
    timegate(*words)
    call = api.calls[0]
    sent = call.url.params.get(name) or json.loads(call.content)[name]

    assert sent == f"{meant}:00.000Z"


def test_what_is_asked_for_is_sent(timegate: Timegate, api: FakeApi) -> None:
    """Every criterion by its own name; lists one by one."""
    api.will(runs_page([]))
    outcome = timegate(
        *("runs", "failed", "--since", "2026-11-21T00:00:00Z", "--until", "2026-11-22T00:00:00Z"),
        *(
            "--state",
            "failed",
            "--state",
            "skipped",
            "--reason",
            "late",
            "--error-code",
            "http_404",
        ),
        *("--job", JOB_ID, "--name", "nightly*", "--tag", "team=a", "--dag-run", "x"),
    )
    (request,) = api.calls

    assert outcome.code == 0, outcome.err
    assert sorted(request.url.params.multi_items()) == [
        ("dag_run_id", "x"),
        ("error_code", "http_404"),
        ("from", "2026-11-21T00:00:00.000Z"),
        ("job_id", JOB_ID),
        ("name", "nightly*"),
        ("reason", "late"),
        ("state", "failed"),
        ("state", "skipped"),
        ("tag", "team:a"),
        ("to", "2026-11-22T00:00:00.000Z"),
    ]
    assert "No failed runs." in outcome.out


def test_a_line_says_what_failed_and_why(timegate: Timegate, api: FakeApi) -> None:
    """By the name of its job; a job that is gone is named by its id."""
    error = {"code": "http_404", "type": "HttpStatus", "message": "gone"}
    rows = [failed_row(error=error, reason="permanent"), failed_row(job_name=None)]
    api.will(runs_page(rows))
    output = timegate("runs", "failed").out

    assert "http_404" in output
    assert "permanent" in output
    assert "nightly report" in output
    assert SHORT_RUN_ID in output
    assert JOB_ID[:20] in output


def test_a_page_that_found_nothing_yet_says_so(timegate: Timegate, api: FakeApi) -> None:
    """Nothing found and nothing left to look at are two answers."""
    api.will(runs_page([], cursor="more"))

    assert "there is more" in timegate("runs", "failed").out
