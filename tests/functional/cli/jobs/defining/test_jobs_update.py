"""``timegate jobs update`` with options, in front of the real API."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]


def created(timegate: Timegate, *options: str) -> dict[str, Any]:
    """A job that runs at nine in Berlin until a day of 2027."""
    schedule = ("--cron", "0 9 * * *", "--timezone", "Europe/Berlin")
    until = ("--ends-at", "2027-06-01T00:00:00Z")
    target = ("--webhook", "https://example.com/report", "--method", "PUT")
    made = timegate("jobs", "create", "--name", "report", *schedule, *until, *target, *options)
    return dict(timegate("jobs", "get", made.out.split()[1], "--json").json)


def updated(timegate: Timegate, job_id: str, *options: str) -> dict[str, Any]:
    """The job, once it is updated."""
    outcome = timegate("jobs", "update", job_id, *options, "--json")
    assert outcome.code == 0, outcome.err
    return dict(outcome.json)


def test_members_that_no_option_names_stay(timegate: Timegate, served: World) -> None:
    """The API replaces a field as a whole: the command sends what it keeps."""
    before = created(timegate, "--max-delay", "7m", "--tag", "team=ops", "--overlap", "queue")
    after = updated(
        timegate,
        before["job_id"],
        *("--cron", "30 10 * * *", "--max-attempts", "5", "--tag", "env=test"),
        *("--header", "A: b", "--max-concurrent", "2"),
    )

    assert after == {
        **before,
        "version": 2,
        "updated_at": after["updated_at"],
        "next_run_at": after["next_run_at"],
        "next_unplanned_at": after["next_unplanned_at"],
        "schedule": {**before["schedule"], "cron": "30 10 * * *"},
        "retry": {**before["retry"], "max_attempts": 5},
        "tags": {"team": "ops", "env": "test"},
        "action": {**before["action"], "headers": {"A": "b"}},
        "overlap": {**before["overlap"], "max_concurrent": 2},
    }


@pytest.mark.parametrize(
    ("options", "schedule"),
    [
        pytest.param(
            ("--rrule", "FREQ=DAILY", "--starts-at", "2027-01-01T00:00:00Z"),
            {"kind": "rrule", "timezone": "Europe/Berlin", "ends_at": "2027-06-01T00:00:00.000Z"},
            id="rule",
        ),
        pytest.param(
            ("--every", "5m"),
            {"kind": "rate", "every_seconds": 300, "ends_at": "2027-06-01T00:00:00.000Z"},
            id="rate",
        ),
        pytest.param(("--manual",), {"kind": "manual"}, id="manual"),
        pytest.param(
            ("--timezone", "Asia/Tokyo"),
            {"kind": "cron", "cron": "0 9 * * *", "timezone": "Asia/Tokyo"},
            id="zone-alone",
        ),
    ],
)
def test_another_kind_of_schedule_keeps_the_members_it_has_too(
    timegate: Timegate, served: World, options: tuple[str, ...], schedule: dict[str, object]
) -> None:
    """A pattern that becomes a rule stays in its zone: in UTC it would run at other hours."""
    stored = created(timegate)
    found = updated(timegate, stored["job_id"], *options)["schedule"]

    assert schedule.items() <= found.items()


def test_several_patterns_stay_in_the_zone_of_the_one_before(
    timegate: Timegate, served: World
) -> None:
    """And one pattern in that of the several, where they agree."""
    job_id = created(timegate)["job_id"]
    several = updated(timegate, job_id, "--cron", "0 9 * * *", "--cron", "0 17 * * *")["schedule"]
    one = updated(timegate, job_id, "--cron", "0 8 * * *")["schedule"]

    assert {each["timezone"] for each in several["any_of"]} == {"Europe/Berlin"}
    assert several["ends_at"] == one["ends_at"] == "2027-06-01T00:00:00.000Z"
    assert one["timezone"] == "Europe/Berlin"


def test_another_target_takes_over_nothing(timegate: Timegate, served: World) -> None:
    """Method and headers of a web hook mean nothing to a pool."""
    job_id = created(timegate)["job_id"]
    action = updated(timegate, job_id, "--pool", "reports", "--handler", "run")["action"]

    assert (action["type"], action["pool"]) == ("worker", "reports")
    assert "method" not in action


def test_fields_are_emptied_and_members_taken_away(timegate: Timegate, served: World) -> None:
    """Null where a field may be null, otherwise its empty value, which means the default."""
    stored = created(
        timegate,
        *("--payload", '{"a": 1}', "--max-attempts", "9", "--tag", "a=b", "--tag", "c=d"),
        *("--late-after", "5m", "--description", "Text."),
    )
    cleared = ("payload", "retry", "tags.a", "schedule.ends_at", "late_after_seconds")
    options = [word for path in (*cleared, "description") for word in ("--clear", path)]
    after = updated(timegate, stored["job_id"], *options, "--name", "plain")

    assert (after["name"], after["payload"], after["late_after_seconds"]) == ("plain", None, None)
    assert (after["retry"]["max_attempts"], after["tags"]) == (3, {"c": "d"})
    assert (after["schedule"]["ends_at"], after["description"]) == (None, "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param((), "options say what changes", id="nothing"),
        pytest.param(("--file", "-", "--name", "x"), "options say what changes", id="both"),
        pytest.param(("--clear", "shoe"), "a job has no such field", id="unknown-field"),
        pytest.param(("--clear", "tags.a"), "tags has no such member", id="unknown-member"),
        pytest.param(("--clear", "name.a"), "name has no such member", id="no-members"),
        pytest.param(("--cron", "* * * * *", "--manual"), "Exactly one of", id="two-kinds"),
    ],
)
def test_a_change_that_cannot_be_meant_is_refused(
    timegate: Timegate, served: World, options: tuple[str, ...], said: str
) -> None:
    """The job stays as it is."""
    job_id = created(timegate)["job_id"]
    outcome = timegate("jobs", "update", job_id, *options, stdin="{}")

    assert outcome.code == 2
    assert said in " ".join(outcome.err.replace("│", " ").split())
    assert timegate("jobs", "get", job_id, "--json").json["version"] == 1


def test_a_preview_of_options_stores_nothing(timegate: Timegate, served: World) -> None:
    """It compares the schedule with the members that stay."""
    job_id = created(timegate)["job_id"]
    served.clock.advance(1)
    words = ("--cron", "30 10 * * *", "--preview", "--days", "2", "--json")
    found = timegate("jobs", "update", job_id, *words).json

    assert found["description"]["after"].startswith("At 10:30 every day, Europe/Berlin time")
    assert timegate("jobs", "get", job_id, "--json").json["version"] == 1
