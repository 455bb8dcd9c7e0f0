"""Notices in a scenario, worked out by hand; a property test holds them to the use cases."""

from typing import Any

import pytest

from timegate.contracts.simulation.reading import read_document
from timegate.domain.simulation import report, simulate
from timegate.domain.values.errors import InvalidInput

QUARTERS = {
    "schedule": {"kind": "cron", "cron": "*/15 * * * *"},
    "from": "2026-11-20T08:00:00Z",
    "to": "2026-11-20T12:00:00Z",
}

NOON = {"kind": "at", "at": "2026-11-20T11:59:00Z"}
TO_NOON = {"at": "2026-11-20T09:07:00Z", "schedule": NOON}


def simulated(**fields: object) -> dict[str, Any]:
    """The report of a job that runs each quarter of an hour."""
    document = read_document({**QUARTERS, **fields})
    return report(simulate(document.scenario), document.expectations)


def told(found: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """Return the instant, type and rule of each notification."""
    return [(each["at"][11:16], each["type"], each["rule"]) for each in found["notices"]]


def away(start: str, end: str) -> dict[str, Any]:
    """No executor claims within these minutes."""
    return {
        "outages": [{"from": f"2026-11-20T{start}:00Z", "to": f"2026-11-20T{end}:00Z"}],
    }


@pytest.mark.parametrize(
    ("seconds", "notices"),
    [
        (0, [("08:16", "late", None)]),
        (119, [("08:17", "late", None)]),
        (120, [("08:18", "late", None)]),
        (299, [("08:20", "late", None)]),
        (300, []),
    ],
)
def test_a_run_is_late_at_the_first_tick_after_its_time(
    seconds: int, notices: list[tuple[str, str, str | None]]
) -> None:
    """Or when it begins; one that begins just in time is told of by nothing."""
    found = simulated(late_after_seconds=seconds, executor=away("08:15", "08:20"))

    assert told(found)[:1] == notices[:1]
    assert len(told(found)) == len(notices)


def test_a_late_run_says_why_it_waits() -> None:
    """In the words of the sweeper."""
    (notice,) = simulated(late_after_seconds=60, executor=away("08:15", "08:20"))["notices"]

    assert notice["text"].startswith("The job is late: It is queued")
    assert notice["scheduled_at"] == "2026-11-20T08:15:00.000Z"


@pytest.mark.parametrize(("seconds", "tells"), [(5_399, True), (5_400, True), (5_401, True)])
def test_an_absence_is_told_once(seconds: int, *, tells: bool) -> None:
    """Its span counts from the last success, and begins anew with the next."""
    outcomes = ["succeeded", *["failed"] * 8, "succeeded"]
    found = simulated(absent_after_seconds=seconds, outcomes=outcomes, told_on=["absent"])
    expected = "09:45" if seconds <= 5_400 else "09:46"

    assert told(found) == [(expected, "absent", None)] * tells


def test_failures_pause_a_job_and_a_person_resumes_it() -> None:
    """On trial, one failure is enough; what a pause passed over is skipped."""
    found = simulated(
        pause_after_failures=2,
        outcomes=["failed"],
        resumes=["2026-11-20T10:00:00Z"],
        told_on=["paused"],
    )

    assert told(found) == [("08:30", "paused", None), ("10:15", "paused", None)]
    assert found["summary"]["failed"] == 3
    assert found["summary"]["skipped"] == {"paused": 6}


def test_a_rule_tells_of_a_streak_once_and_of_its_end() -> None:
    """Two failures in a row begin it, further ones go on, a success ends it."""
    rule = {"when": {"failures_in_a_row": 2, "recovered": True}}
    outcomes = ["failed", "failed", "failed", "succeeded", "failed"]
    found = simulated(rules={"ops": rule}, outcomes=outcomes, told_on=[])

    assert told(found)[:2] == [("08:30", "failures", "ops"), ("09:00", "recovered", "ops")]
    assert found["notices"][0]["text"] == "The job: 2 runs in a row failed (simulated)."
    assert found["summary"]["notices"] == {"failures": 2, "recovered": 1}


def test_quiet_hours_hold_back() -> None:
    """Until their end; the notice says when it happened."""
    quiet = {"windows": [{"opens": "08:00", "closes": "09:30"}]}
    rule = {"when": {"failures_in_a_row": 1}, "quiet_hours": quiet}
    outcomes = ["failed", "succeeded"]
    (notice,) = simulated(rules={"ops": rule}, outcomes=outcomes, told_on=[])["notices"]

    assert notice["at"] == "2026-11-20T09:30:00.000Z"
    assert notice["since"] == "2026-11-20T08:15:00.000Z"


def test_quiet_is_judged_when_a_rule_is_looked_at() -> None:
    """A run that fails within the last seconds of quiet hours is told of at their end."""
    quiet = {"windows": [{"opens": "08:00", "closes": "08:30"}]}
    rule = {"when": {"failures_in_a_row": 1}, "quiet_hours": quiet}
    fields = {"outcomes": ["failed", "succeeded"], "run_seconds": 890, "told_on": []}
    (notice,) = simulated(rules={"ops": rule}, **fields)["notices"]

    assert notice["since"] == "2026-11-20T08:29:50.000Z"
    assert notice["at"] == "2026-11-20T08:30:00.000Z"


def test_a_rule_selects_jobs() -> None:
    """By name; another job's failures are none of it."""
    jobs = [
        {"name": name, "schedule": QUARTERS["schedule"], "outcomes": ["failed"], "told_on": []}
        for name in ("bill", "ship")
    ]
    document = read_document(
        {
            **{name: QUARTERS[name] for name in ("from", "to")},
            "jobs": jobs,
            "rules": {"ops": {"jobs": {"name": "bi*"}, "when": {"failures_in_a_row": 1}}},
        }
    )
    found = report(simulate(document.scenario), document.expectations)

    assert {each["job"] for each in found["notices"]} == {"bill"}
    assert found["jobs"]["bill"]["notices"] == {"failures": 1}
    assert found["jobs"]["ship"]["notices"] == {}


def test_a_scenario_without_these_fields_tells_nothing() -> None:
    """And its rows are those of before."""
    found = simulated()

    assert (found["notices"], found["events"], found["waits"]) == ([], [], [])
    assert found["summary"]["notices"] == {}


@pytest.mark.parametrize(
    ("expect", "unmet"),
    [
        ({"notices": 2, "failed": 1}, []),
        ({"notices": {"late": 1}}, []),
        ({"notices": 3}, ["notices"]),
        ({"notices": {"absent": 1}}, ["notices.absent"]),
    ],
)
def test_notices_are_expected(expect: dict[str, Any], unmet: list[str]) -> None:
    """In all, or by type."""
    found = simulated(
        late_after_seconds=60,
        executor=away("08:15", "08:20"),
        outcomes=["failed", "succeeded"],
        expect=expect,
    )

    assert [each["field"] for each in found["unmet"]] == unmet


def test_outcomes_and_durations_are_of_the_same_runs() -> None:
    """Both lists name runs in the order in which they start, and not in which they end."""
    found = simulated(
        to="2026-11-20T08:50:00Z",
        run_seconds=[1500, 60],
        outcomes=["failed", "succeeded"],
    )

    assert [(row["state"], row["duration_ms"]) for row in found["rows"]] == [
        ("failed", 1_500_000),
        ("succeeded", 60_000),
        ("succeeded", 60_000),
    ]


def test_a_replaced_run_has_an_outcome_that_it_does_not_come_to() -> None:
    """The next run has the next one."""
    found = simulated(
        to="2026-11-20T08:50:00Z",
        overlap={"policy": "replace"},
        run_seconds=[1500, 60],
        outcomes=["failed", "succeeded"],
    )

    assert [row["state"] for row in found["rows"]] == ["cancelled", "succeeded", "succeeded"]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"outcomes": "lost"}, "outcomes", "invalid_choice"),
        ({"outcomes": []}, "outcomes", "too_short"),
        ({"told_on": ["missed_deadline"]}, "told_on.0", "invalid_choice"),
        ({"absent_after_seconds": 599}, "absent_after_seconds", "too_small"),
        ({"pause_after_failures": 0}, "pause_after_failures", "too_small"),
        ({"resumes": ["2026-11-20T12:00:00Z"]}, "resumes.0", "out_of_range"),
        ({"rules": {"ops": {}}}, "rules.ops.when", "missing"),
        ({"rules": {"ops": {"when": {}}}}, "rules.ops.when", "required"),
        ({"rules": {"Ops": {"when": {"dead_letter": True}}}}, "rules.Ops", "invalid_format"),
        (
            {"rules": {"ops": {"when": {"absent": {"at": "24:00"}}}}},
            "rules.ops.when.absent.at",
            "invalid_format",
        ),
        ({"expect": {"notices": {"other": 1}}}, "expect.notices.other", "invalid_choice"),
        (
            {"schedule": {"kind": "manual"}, "pause_after_failures": 1},
            "pause_after_failures",
            "not_for_this_schedule",
        ),
        (
            {"schedule": NOON, "absent_after_seconds": 600},
            "absent_after_seconds",
            "not_for_this_schedule",
        ),
        (
            {"edits": [TO_NOON], "absent_after_seconds": 600},
            "edits.0.absent_after_seconds",
            "not_for_this_schedule",
        ),
        (
            {"edits": [TO_NOON], "pause_after_failures": 1},
            "edits.0.pause_after_failures",
            "not_for_this_schedule",
        ),
    ],
)
def test_what_contradicts_itself_names_its_field(
    changes: dict[str, Any], field: str, code: str
) -> None:
    """By its whole path, with a stable code."""
    with pytest.raises(InvalidInput) as refused:
        simulated(**changes)

    assert (refused.value.field, refused.value.code) == (field, code)
