"""The command line in front of the real API, whose stores are in memory."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.documents.ical_files import event, file
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

LAST_YEAR = ("--from", "2025-11-22T00:00:00Z", "--to", "2026-11-22T00:00:00Z")
LAST_HOUR = ("--from", "2026-11-21T06:00:00Z", "--to", "2026-11-21T07:00:00Z")
HOOK = ("--webhook", "https://example.com/hook")


pytestmark = pytest.mark.usefixtures("served")


def test_a_job_lives_its_life_on_the_command_line(timegate: Timegate) -> None:
    """Create, find, pause, resume, trigger, update, cancel; each is shown as it then is."""
    created = timegate(
        "jobs",
        "create",
        "--name",
        "report",
        "--cron",
        "0 9 * * 1-5",
        "--tag",
        "a=b",
        *HOOK,
        "--json",
    ).json
    job_id = created["job_id"]
    listed = timegate("jobs", "list", "--tag", "a=b", "--status", "active", "--json").json
    paused = timegate("jobs", "pause", job_id, "--json").json
    resumed = timegate("jobs", "resume", job_id, "--json").json
    run = timegate("jobs", "trigger", job_id, "--json").json
    updated = timegate(
        *("jobs", "update", job_id, "--file", "-", "--json"), stdin='{"name": "other"}'
    ).json
    cancelled = timegate("jobs", "cancel", job_id, "--json").json

    assert [item["job_id"] for item in listed["items"]] == [job_id]
    assert [job["status"] for job in (paused, resumed, updated, cancelled)] == (
        ["paused", "active", "active", "cancelled"]
    )
    assert (run["job_id"], run["origin"], updated["name"]) == (job_id, "trigger", "other")


def test_every_view_of_the_api_can_be_drawn(timegate: Timegate) -> None:
    """The tables know the fields the API gives, and no others."""
    job_id = timegate("jobs", "create", "--name", "r", "--now", *HOOK, "--json").json["job_id"]
    run_id = timegate("runs", "list", job_id, "--json").json["items"][0]["run_id"]
    hourly = ("--cron", "*/10 * * * *", *HOOK, "--json")
    repeated = timegate("jobs", "create", "--name", "h", *hourly).json["job_id"]
    shown = [
        timegate("jobs", "get", job_id),
        timegate("jobs", "list"),
        timegate("jobs", "ledger", job_id, *LAST_YEAR),
        timegate("jobs", "explain", job_id, "--at", "2026-11-21T07:00:00Z"),
        timegate("jobs", "explain", job_id, "--at", "2026-11-21T06:00:00Z"),
        timegate("runs", "list", job_id),
        timegate("runs", "get", run_id),
        timegate("runs", "cancel", run_id),
        timegate("bulk", "pause", "--tag", "team=ops"),
        timegate("jobs", "backfill", repeated, *LAST_HOUR),
        timegate("jobs", "backfill", repeated, *LAST_HOUR, "--dry-run"),
        timegate("operations", "list"),
    ]

    assert [(outcome.code, outcome.unexpected) for outcome in shown] == [(0, None)] * 12


def test_many_jobs_are_created_and_changed_together(timegate: Timegate, served: World) -> None:
    """From a file, by tag, and waited for; the operator works while the command sleeps."""
    job = {
        "name": "x",
        "tags": {"team": "ops"},
        "schedule": {"kind": "rate", "every_seconds": 60},
        "action": {"type": "webhook", "url": "https://example.com/hook"},
    }
    file = json.dumps([job] * 150 + [{"name": "y"}])
    created = timegate("jobs", "bulk-create", "--file", "-", "--json", stdin=file)
    started = timegate("bulk", "pause", "--tag", "team=ops", "--json")
    served.operate()
    watched = timegate("operations", "watch", started.json["operation_id"], "--json")
    cancelled = timegate("operations", "cancel", started.json["operation_id"])

    assert (created.code, created.json["created"], created.json["failed"]) == (1, 150, 1)
    assert [item["index"] for item in created.json["items"]] == list(range(151))
    assert created.json["items"][150]["error"]["errors"][0]["field"] == "jobs.50.schedule"
    assert (watched.code, watched.json["counts"]["done"]) == (0, 150)
    assert cancelled.err.startswith("error [operation_finished]")


def test_restrictions_live_their_lives_on_the_command_line(
    timegate: Timegate, tmp_path: Path
) -> None:
    """Every view of calendars and freezes can be drawn, and says what was asked for."""
    path = tmp_path / "feed.ics"
    path.write_text(file(event("DTSTART;VALUE=DATE:20261225")))
    office = ("--weekday", "sun", "--window", "fri 18:00-00:00")
    freeze = timegate(
        "freezes", "create", "--tag", "team=ops", "--for", "2h", "--thaw", "latest", "--json"
    ).json
    shown = [
        timegate("calendars", "put", "office", *office, "--if-version", "0"),
        timegate("calendars", "import", "office", str(path), "--if-version", "1"),
        timegate("calendars", "get", "office"),
        timegate("calendars", "list"),
        timegate("calendars", "check", "office", "--at", "2026-12-25T12:00:00Z"),
        timegate("jobs", "create", "--name", "r", "--every", "1d", "--exclude", "office", *HOOK),
        timegate("calendars", "delete", "office", "--if-version", "2"),
        timegate("freezes", "list", "--unended"),
        timegate("freezes", "get", freeze["freeze_id"]),
        timegate("freezes", "lift", freeze["freeze_id"]),
        timegate("freezes", "list"),
    ]

    assert [(outcome.code, outcome.unexpected) for outcome in shown] == [(0, None)] * 11
    assert "office covers 2026-12-25 12:00:00 UTC; so it stays until" in shown[4].out
    assert "exclude office" in shown[5].out
    assert ["active" in shown[8].out, "lifted" in shown[9].out] == [True, True]


def test_what_the_api_shows_it_accepts_again(timegate: Timegate) -> None:
    """A job can be copied by taking out what is not said but found."""
    options = (
        "--payload",
        '{"a": 1}',
        "--lambda",
        "arn:aws:lambda:us-east-1:111122223333:function:timegate-target-f",
    )
    late = ("--catch-up", "latest", "--catch-up-window", "2h", "--start-within", "1m")
    shown = timegate(
        "jobs", "create", "--name", "r", "--every", "5m", *options, *late, "--no-jitter", "--json"
    ).json
    found = {"job_id", "version", "status", "created_at", "updated_at", "next_run_at", "advice"}
    found |= {"auto_pause", "next_unplanned_at", "pause_reason", "payload_size_bytes"}
    copy = {n: v for n, v in shown.items() if n not in found}
    again = timegate("jobs", "create", "--file", "-", "--json", stdin=json.dumps(copy)).json

    assert {name: again[name] for name in copy} == copy
    assert again["job_id"] != shown["job_id"]


def test_the_same_key_gives_the_same_job(timegate: Timegate) -> None:
    """And with another body it is a conflict, told by its code."""
    create = ("jobs", "create", "--now", *HOOK, "--idempotency-key", "k-1", "--json")
    first, second = timegate(*create, "--name", "a"), timegate(*create, "--name", "a")
    other = timegate(*create, "--name", "b")

    assert first.json["job_id"] == second.json["job_id"]
    assert (other.code, json.loads(other.err)["error"]["code"]) == (1, "idempotency_conflict")


def test_a_field_the_api_refuses_is_named(timegate: Timegate) -> None:
    """With the API's own code."""
    outcome = timegate("jobs", "create", "--name", "r", "--cron", "0 0 31 2 *", *HOOK)

    assert outcome.code == 1
    assert "  schedule.cron [never_fires]: " in outcome.err


def test_a_job_is_simulated_by_its_stage(timegate: Timegate) -> None:
    """The coming day without options; what a file says of troubles holds for the job."""
    job = timegate("jobs", "create", "--name", "r", "--every", "6h", *HOOK, "--json").json
    name = ("simulate", "--job", job["job_id"])
    plain = timegate(*name, "--json").json
    outage = {"from": "2026-11-21T08:00:00Z", "to": "2026-11-22T06:00:00Z"}
    what_if = {"planner": {"outages": [outage]}, "catch_up": {"policy": "skip"}}
    troubled = timegate(*name, "-f", "-", stdin=json.dumps(what_if | {"expect": {"runs": 4}}))
    later = timegate(*name, "--from", "2026-11-23T00:00:00Z", "--to", "2026-11-23T06:59:00Z")

    assert [row["scheduled_at"] for row in plain["rows"]] == [
        "2026-11-21T13:00:00.000Z",
        "2026-11-21T19:00:00.000Z",
        "2026-11-22T01:00:00.000Z",
    ]
    assert troubled.code == 4
    assert "3 instants: 0 run, 3 skipped (missed_window)" in troubled.out
    assert troubled.err.strip() == "expected runs to be 4, but it is 0"
    assert "1 instants: 1 run; at most 0 ms late." in later.out


def test_a_job_that_cannot_be_simulated_is_the_stages_to_refuse(timegate: Timegate) -> None:
    """With the codes of scenarios: 1."""
    outcome = timegate("simulate", "--job", "a" * 26)

    assert (outcome.code, outcome.unexpected) == (1, None)
    assert "job_id [unknown_job]" in outcome.err
