"""Runs of all jobs in every state over HTTP: who lists them, and what a listing says it lacks."""

from typing import Any

from tests.functional.api.operations.test_dead_letters import NOW_ONLY, ONCE
from tests.functional.api.runs.test_failed_runs import GONE, PATH
from tests.functional.api.tenants.test_tenant_settings import ADMIN
from tests.support.api import Api

ALL = f"{PATH}?which=all"
LATER = {"kind": "at", "at": "2026-11-21T07:01:30Z"}


def listed(api: Api, query: str = "") -> list[tuple[str, str]]:
    """The jobs and states of the runs that a listing names."""
    rows = api.send("GET", f"{ALL}&{query}").body["items"]
    return [(row["job_name"], row["state"]) for row in rows]


def three(api: Api) -> dict[str, str]:
    """Three jobs that list their runs: one succeeds, one fails, one waits; by name."""
    asked: dict[str, dict[str, Any]] = {
        "good": {"schedule": NOW_ONLY, "tags": {"team": "a"}},
        "bad": {"schedule": NOW_ONLY, "retry": ONCE},
        "later": {"schedule": LATER, "tags": {"team": "a"}},
    }
    ids = {}
    for name, fields in asked.items():
        if name == "bad":
            api.world.target.then(GONE)
        ids[name] = str(api.create(name=name, list_runs="all", **fields)["job_id"])
        api.world.settle()
    return ids


def test_runs_of_jobs_that_list_them_are_found_in_every_state(api: Api) -> None:
    """The latest instant first; a job that lists failures alone is not there."""
    three(api)
    api.create(name="silent", schedule=NOW_ONLY)
    api.world.settle()
    found = listed(api)

    assert found[0] == ("later", "queued")
    assert sorted(found[1:]) == [("bad", "failed"), ("good", "succeeded")]


def test_the_answer_says_which_runs_it_cannot_have(api: Api) -> None:
    """Failures and runs of one job are all there are."""
    ids = three(api)
    everything = api.send("GET", ALL).body
    failures = api.send("GET", PATH).body
    of_one = api.send("GET", f"{ALL}&job_id={ids['good']}").body

    assert everything["complete"] is False
    assert "list_runs" in everything["left_out"]
    assert (failures["complete"], failures["left_out"]) == (True, None)
    assert (of_one["complete"], of_one["left_out"]) == (True, None)


def test_criteria_hold_together(api: Api) -> None:
    """By state, reason, name, tag, instant and lateness; each alone, and two at once."""
    three(api)

    assert listed(api, "state=succeeded") == [("good", "succeeded")]
    assert listed(api, "state=succeeded&state=queued") == [
        ("later", "queued"),
        ("good", "succeeded"),
    ]
    assert listed(api, "reason=permanent") == [("bad", "failed")]
    assert listed(api, "name=goo*") == [("good", "succeeded")]
    assert listed(api, "tag=team:a&state=queued") == [("later", "queued")]
    assert listed(api, "from=2026-11-21T07:01:30Z") == [("later", "queued")]
    assert ("later", "queued") not in listed(api, "to=2026-11-21T07:01:29Z")


def test_late_runs_are_found_also_while_they_wait(api: Api) -> None:
    """A run that was due minutes ago and has not begun is late by now."""
    three(api)
    early = listed(api, "late_seconds=60")
    api.world.clock.advance(6 * 60 + 1)
    late, later = listed(api, "late_seconds=60"), listed(api, "late_seconds=3600")

    assert (early, late, later) == ([], [("later", "queued")], [])


def test_late_failures_are_found(api: Api) -> None:
    """A run that was skipped because it was late is a failure; one that began in time is none."""
    three(api)

    assert api.send("GET", f"{PATH}?late_seconds=60").body["items"] == []
    assert len(api.send("GET", f"{PATH}?late_seconds=0").body["items"]) <= 1


def test_all_runs_of_one_job_are_found_whatever_it_lists(api: Api) -> None:
    """They are read from the job itself; also by its key."""
    api.create(name="silent", key="silent", schedule=NOW_ONLY)
    api.world.settle()

    assert listed(api, "job_id=key:silent") == [("silent", "succeeded")]
    assert listed(api, "job_id=key:silent&state=failed") == []
    assert api.send("GET", f"{ALL}&job_id=key:other").status == 404


def test_pages_show_each_run_once_with_filters_and_without(api: Api) -> None:
    """A cursor leads on from the last row that was shown, not from what was looked through."""
    for _ in range(5):
        api.create(schedule=NOW_ONLY, list_runs="all")
        api.world.settle()
        api.world.clock.advance(1)
    for query in ("limit=2", "limit=2&state=succeeded"):
        found: list[str] = []
        cursor = ""
        while True:
            page = api.send("GET", f"{ALL}&{query}{cursor}").body
            found += [row["run_id"] for row in page["items"]]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"

        assert len(found) == len(set(found)) == 5
        assert found == [row["run_id"] for row in api.send("GET", ALL).body["items"]]


def test_a_job_lists_what_its_tenant_has_unless_it_says_otherwise(api: Api) -> None:
    """The default is taken when a job is created or validated; later it is the job's own."""
    before = api.create(schedule=LATER)
    api.send("PUT", f"{ADMIN}/acme", {"list_runs": "all"})
    after = api.create(schedule=LATER)
    own = api.create(schedule=LATER, list_runs="failures")
    body = {"name": "x", "schedule": LATER, "action": after["action"]}
    valid = api.send("POST", "/v1/jobs/validate", body).body["definition"]
    kept = api.send("PATCH", f"/v1/jobs/{after['job_id']}", {"list_runs": None}).body

    assert before["list_runs"] is None
    assert after["list_runs"] == valid["list_runs"] == "all"
    assert (own["list_runs"], kept["list_runs"]) == ("failures", None)
