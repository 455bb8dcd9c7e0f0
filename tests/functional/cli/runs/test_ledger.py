"""``jobs ledger|explain``, and the options about what passed."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_RUN_ID, job
from timegate.contracts.jobs.job import NewJob

Timegate = Callable[..., Outcome]

CREATE = ("jobs", "create", "--name", "r", "--every", "5m", "--webhook", "https://example.com/hook")
RANGE = ("--from", "2026-11-21T08:00:00+01:00", "--to", "2026-11-21T08:00:00Z")
RUN = {
    "kind": "run",
    "instant": "2026-11-21T07:00:00.000Z",
    "state": "skipped",
    "reason": "late",
    "run_id": RUN_ID,
    "attempt": 2,
    "finish_by": None,
    "explanation": "It could not start.",
}
#: An explained run: its last attempt went no further than to be planned.
WAY: dict[str, Any] = {
    "due_at": "2026-11-21T07:00:00.000Z",
    "timeline": {
        "planned_at": "2026-11-21T06:55:00.000Z",
        **dict.fromkeys(("published_at", "received_at", "claimed_at", "started_at", "ended_at")),
    },
}
GAP = {
    "kind": "gap",
    "first": "2026-11-21T07:01:00.000Z",
    "last": "2026-11-21T07:58:00.000Z",
    "count": 58,
    "reason": "paused",
    "rolled_to": None,
    "explanation": "It was paused.",
}


DAMAGED_RUN = {
    "kind": "damaged",
    "code": "run_damaged",
    "first": "2026-11-21T07:59:00.000Z",
    "last": "2026-11-21T07:59:00.000Z",
    "run_id": RUN_ID,
    "explanation": "It cannot be read.",
}
DAMAGED_GAP = {
    **DAMAGED_RUN,
    "code": "gap_damaged",
    "first": None,
    "run_id": None,
}


def explained(record: dict[str, Any] | None, **changes: object) -> dict[str, object]:
    """An answer to why."""
    return {
        "instant": "2026-11-21T07:30:00.000Z",
        "verdict": "gap",
        "explanation": "Because.",
        "record": record,
        "nearest": {"before": "2026-11-21T07:29:00.000Z", "after": None},
        "payload": None,
        **changes,
    }


def words(outcome: Outcome) -> list[str]:
    """The lines of an output, runs of blanks counting as one."""
    assert (outcome.code, outcome.unexpected) == (0, None), outcome.err
    return [" ".join(line.split()) for line in outcome.out.splitlines()]


def test_what_cannot_be_read_has_a_row_too(api: FakeApi, timegate: Timegate) -> None:
    """The row names the record and its place, as far as they are known."""
    api.will(page([DAMAGED_RUN, DAMAGED_GAP, {**DAMAGED_GAP, "first": GAP["first"]}]))
    lines = words(timegate("jobs", "ledger", JOB_ID, *RANGE))

    assert lines[1:] == [
        f"2026-11-21 07:59:00 1 damaged run_damaged {SHORT_RUN_ID}",
        "up to 2026-11-21 07:59:00 1 damaged gap_damaged -",
        "2026-11-21 07:01:00 to 2026-11-21 07:59:00 1 damaged gap_damaged -",
    ]


def test_a_damaged_record_is_explained(api: FakeApi, timegate: Timegate) -> None:
    """By its code and where it lies."""
    api.will(ok(explained(DAMAGED_RUN, verdict="damaged")))
    told = words(timegate("jobs", "explain", JOB_ID, "--at", "2026-11-21T07:59:00Z"))

    assert "record run_damaged, 2026-11-21 07:59:00" in told
    assert "verdict damaged" in told


def test_an_explained_run_shows_its_way_from_its_due_time(api: FakeApi, timegate: Timegate) -> None:
    """Steps that it has taken, and no other."""
    started = {**WAY["timeline"], "started_at": "2026-11-21T07:00:01.500Z"}
    api.will(ok(explained({**RUN, **WAY, "timeline": started})))
    told = words(timegate("jobs", "explain", JOB_ID, "--at", "2026-11-21T07:00:00Z"))

    assert "since due planned -5.0 min, started +1.5 s" in told


def test_a_ledger_is_a_row_for_each_record(api: FakeApi, timegate: Timegate) -> None:
    """A gap with its ends and its count; a gap of one with its instant."""
    one = {**GAP, "last": GAP["first"], "count": 1}
    api.will(page([RUN, GAP, one]))
    lines = words(timegate("jobs", "ledger", JOB_ID, *RANGE))

    assert lines[1:] == [
        f"2026-11-21 07:00:00 1 skipped late {SHORT_RUN_ID}",
        "2026-11-21 07:01:00 to 2026-11-21 07:58:00 58 gap paused -",
        "2026-11-21 07:01:00 1 gap paused -",
    ]


def test_a_range_is_asked_for_in_utc(api: FakeApi, timegate: Timegate) -> None:
    """``--all`` asks for the same range to its end, and prints one page."""
    api.will(page([RUN], "c2"), page([GAP]))
    outcome = timegate("jobs", "ledger", JOB_ID, *RANGE, "--all", "--limit", "500", "--json")
    asked = [dict(call.url.params) for call in api.calls]
    same = {"from": "2026-11-21T07:00:00.000Z", "to": "2026-11-21T08:00:00.000Z", "limit": "500"}

    assert asked == [same, {**same, "cursor": "c2"}]
    assert outcome.json == {"items": [RUN, GAP], "next_cursor": None}


def test_an_empty_ledger_says_so(api: FakeApi, timegate: Timegate) -> None:
    """A heading without rows would look like an error."""
    api.will(page([]))

    assert timegate("jobs", "ledger", JOB_ID, *RANGE).out == "No instants on record.\n"


@pytest.mark.parametrize(
    "options", [(), RANGE[:2], RANGE[2:], ("--from", "tomorrow", *RANGE[2:])], ids=str
)
def test_a_ledger_needs_a_range(timegate: Timegate, options: tuple[str, ...]) -> None:
    """The range has moments that have passed, or instants."""
    assert timegate("jobs", "ledger", JOB_ID, *options).code == 2


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        pytest.param(RUN | WAY, f"record {RUN_ID}, attempt 2, skipped", id="run"),
        pytest.param(GAP, "record gap of 58, 2026-11-21 07:01:00 to 2026-11-21 07:58:00", id="gap"),
        pytest.param(None, None, id="none"),
    ],
)
def test_an_explanation_comes_first(
    api: FakeApi, timegate: Timegate, record: dict[str, Any] | None, shown: str | None
) -> None:
    """Then the record it rests on, if any, and the schedule's instants around."""
    api.will(ok(explained(record)))
    lines = words(timegate("jobs", "explain", JOB_ID, "--at", "2026-11-21T08:30:00+01:00"))

    assert dict(api.calls[0].url.params) == {"at": "2026-11-21T07:30:00.000Z"}
    assert lines == [
        "Because.",
        "",
        "instant 2026-11-21 07:30:00 UTC",
        "verdict gap",
        *([shown] if shown else []),
        *(["since due planned -5.0 min"] if record == RUN | WAY else []),
        "before it 2026-11-21 07:29:00 UTC",
    ]


@pytest.mark.parametrize(
    ("before", "after", "explained_at"),
    [
        ("2026-11-21T06:55:00.000Z", "2026-11-21T07:05:00.000Z", "2026-11-21T06:55:00.000Z"),
        (None, "2026-11-21T07:05:00.000Z", "2026-11-21T07:05:00.000Z"),
    ],
)
def test_the_latest_instant_is_explained_unless_one_is_named(
    api: FakeApi, timegate: Timegate, before: str | None, after: str, explained_at: str
) -> None:
    """One that is due at this very millisecond counts; a job that had none yet means its next."""
    nearest = {"before": before, "after": after}
    api.will(ok(explained(None, nearest=nearest)), ok(explained(GAP)))
    outcome = timegate("jobs", "explain", JOB_ID, "--json")

    assert outcome.json == explained(GAP)
    asked = [dict(call.url.params)["at"] for call in api.calls]
    assert asked == ["2026-11-21T07:00:00.001Z", explained_at]


def test_a_manual_job_is_explained_as_it_is_now(api: FakeApi, timegate: Timegate) -> None:
    """It has no instants."""
    answer = explained(None, nearest={"before": None, "after": None})
    api.will(ok(answer))

    assert timegate("jobs", "explain", JOB_ID, "--json").json == answer


def test_an_explanation_for_programs_is_what_the_api_said(api: FakeApi, timegate: Timegate) -> None:
    """And nothing else."""
    api.will(ok(explained(GAP)))
    outcome = timegate("jobs", "explain", JOB_ID, "--at", "2026-11-21T07:30:00Z", "--json")

    assert outcome.json == explained(GAP)


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        pytest.param((), {}, id="nothing"),
        pytest.param(("--catch-up", "skip"), {"catch_up": {"policy": "skip"}}, id="policy"),
        pytest.param(
            ("--catch-up", "all", "--catch-up-limit", "5", "--catch-up-window", "2h"),
            {
                "catch_up": {
                    "policy": "all",
                    "limit": 5,
                    "window_seconds": 7200,
                }
            },
            id="whole-policy",
        ),
        pytest.param(("--catch-up-window", "1d"), {"catch_up": {"window_seconds": 86_400}}, id="w"),
        pytest.param(("--catch-up-grace", "10s"), {"catch_up": {"grace_seconds": 10}}, id="g"),
        pytest.param(("--start-within", "90"), {"start_within_seconds": 90}, id="start-within"),
    ],
)
def test_what_is_said_about_lateness_is_sent(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], sent: dict[str, object]
) -> None:
    """The rest is the API's to default."""
    api.will(ok(job(), 201))
    outcome = timegate(*CREATE, *options)
    NewJob.model_validate_json(api.calls[-1].content)

    assert outcome.code == 0
    assert {n: v for n, v in api.body.items() if n not in {"name", "schedule", "action"}} == sent


@pytest.mark.parametrize(
    ("policy", "within", "shown"),
    [
        ({"policy": "all", "limit": 1000, "window_seconds": 86_400, "grace_seconds": 60}, None, []),
        (
            {"policy": "skip", "limit": 1000, "window_seconds": 86_400, "grace_seconds": 60},
            None,
            ["catch up skip, grace 60 s"],
        ),
        (
            {"policy": "latest", "limit": 1000, "window_seconds": 60, "grace_seconds": 60},
            30,
            ["catch up latest, of the last 60 s, grace 60 s", "start within 30 s"],
        ),
        (
            {"policy": "all", "limit": 5, "window_seconds": 60, "grace_seconds": 60},
            None,
            ["catch up all, at most 5, of the last 60 s, grace 60 s"],
        ),
    ],
    ids=["default", "skip", "latest", "all"],
)
def test_a_job_shows_what_it_does_about_lateness(
    api: FakeApi,
    timegate: Timegate,
    policy: dict[str, object],
    within: int | None,
    shown: list[str],
) -> None:
    """Unless it is what every job does."""
    api.will(ok(job(catch_up=policy, start_within_seconds=within)))
    lines = words(timegate("jobs", "get", JOB_ID))

    assert [line for line in lines if line.startswith(("catch up", "start within"))] == shown


@pytest.mark.parametrize(
    ("options", "body"),
    [pytest.param((), b"", id="from-now"), pytest.param(("--catch-up",), None, id="catch-up")],
)
def test_a_resume_catches_up_if_asked(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], body: bytes | None
) -> None:
    """Else it sends nothing, and the API goes on from now."""
    api.will(ok(job()))
    timegate("jobs", "resume", JOB_ID, *options)

    assert api.asked == [f"POST /v1/jobs/{JOB_ID}/resume"]
    if body is None:
        assert api.body == {"catch_up": True}
    else:
        assert api.calls[0].content == body
