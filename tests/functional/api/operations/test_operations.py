"""Bulk changes and backfills over HTTP: what is asked for, what is told, what is refused."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Answer, Api
from tests.support.documents.http_examples import agrees, read_examples
from tests.support.factories import OTHER_TENANT, after
from timegate.domain.values.instants import rfc3339

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "guides" / "bulk.md"
PAUSE: dict[str, Any] = {"kind": "pause", "filter": {"tags": {"team": "ops"}}}
LAST_TEN = {"from": "2026-11-21T06:50:00Z", "to": "2026-11-21T07:00:00Z"}
MINUTELY = {"kind": "rate", "every_seconds": 60, "starts_at": "2026-11-21T06:00:00Z"}


def start(api: Api, body: object = PAUSE, **headers: str) -> Answer:
    """Ask for a bulk change."""
    return api.send("POST", "/v1/operations", body, **headers)


def fill(api: Api, job_id: str, **fields: object) -> Answer:
    """Ask for a backfill of ten minutes."""
    return api.send("POST", f"/v1/jobs/{job_id}/backfill", {**LAST_TEN, **fields})


@pytest.fixture
def job_id(api: Api) -> str:
    """A job of every minute since six, created at seven."""
    return str(api.create(schedule=MINUTELY, tags={"team": "ops"})["job_id"])


def test_a_bulk_change_is_accepted_and_then_worked_on(api: Api, job_id: str) -> None:
    """202 with where to look; the operator does the rest."""
    accepted = start(api)
    api.world.operate()
    done = api.send("GET", accepted.headers["location"])

    assert (accepted.status, accepted.body["status"]) == (202, "running")
    assert accepted.body["parameters"] == {
        "filter": {
            "tags": {"team": "ops"},
            "status": None,
            "kind": None,
            "priority": None,
            "name": None,
        },
        "catch_up": False,
        "reason": None,
    }
    assert (done.body["status"], done.body["counts"]) == (
        "succeeded",
        {"matched": 1, "done": 1, "unchanged": 0, "failed": 0, "in_progress": 0},
    )
    assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "paused"


def test_a_pause_in_bulk_gives_its_reason_to_each_job(api: Api) -> None:
    """The operation shows it as well, and the name that it is selected by."""
    job_id = api.create(name="nightly one", schedule=MINUTELY)["job_id"]
    reason = "The ledger moves."
    begun = start(api, {"kind": "pause", "filter": {"name": "nightly*"}, "reason": reason})
    api.world.operate()
    job = api.send("GET", f"/v1/jobs/{job_id}").body
    parameters = begun.body["parameters"]

    assert (job["status"], job["pause_reason"]) == ("paused", reason)
    assert (parameters["reason"], parameters["filter"]["name"]) == (reason, "nightly*")


def test_a_backfill_shows_its_runs(api: Api, job_id: str) -> None:
    """Each run carries the operation's id."""
    accepted = fill(api, job_id, max_concurrent=4)
    api.world.operate()
    begun = api.send("GET", accepted.headers["location"])
    runs = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    own = [run for run in runs if run["operation_id"] == begun.body["operation_id"]]
    api.world.settle()
    done = api.send("GET", accepted.headers["location"])

    assert (accepted.status, begun.body["counts"]["in_progress"]) == (202, 4)
    assert begun.body["waits_for"] == "runs"
    assert (len(own), own[0]["origin"]) == (4, "schedule")
    assert done.body["counts"]["done"] == done.body["counts"]["matched"] == 11


def test_a_dry_run_says_what_would_be_done(api: Api, job_id: str) -> None:
    """200, and nothing is started."""
    answer = fill(api, job_id, dry_run=True)

    assert answer.status == 200
    assert (answer.body["instants"], answer.body["new"]) == (11, 11)
    assert answer.body["first"][0] == {"instant": rfc3339(after(-600)), "fate": "new"}
    assert api.send("GET", "/v1/operations").body["items"] == []


def test_a_repeated_request_is_the_same_operation(api: Api, job_id: str) -> None:
    """200 and a header; under another body, or on another path, the key is a conflict."""
    first = start(api, Idempotency_Key="k")
    api.world.clock.advance(1)
    again = start(api, Idempotency_Key="k")
    other = start(api, PAUSE | {"kind": "resume"}, Idempotency_Key="k")
    elsewhere = api.send("POST", f"/v1/jobs/{job_id}/backfill", LAST_TEN, Idempotency_Key="k")

    assert (first.status, again.status, other.status, elsewhere.status) == (202, 200, 409, 409)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.body == first.body


def test_a_backfill_is_repeated_without_harm(api: Api, job_id: str) -> None:
    """Also when the job cannot be filled any more."""
    path = f"/v1/jobs/{job_id}/backfill"
    first = api.send("POST", path, LAST_TEN, Idempotency_Key="k")
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    again = api.send("POST", path, LAST_TEN, Idempotency_Key="k")

    assert (first.status, again.status) == (202, 200)
    assert again.body == first.body


def test_an_operation_is_cancelled_until_it_has_ended(api: Api, job_id: str) -> None:
    """Then 409; asking twice is asking once."""
    path = start(api).headers["location"]
    asked = [api.send("POST", f"{path}/cancel") for _ in range(2)]
    api.world.operate()
    cancelled = api.send("POST", f"{path}/cancel")
    finished = start(api).headers["location"]
    api.world.operate()
    refused = api.send("POST", f"{finished}/cancel")

    assert [(each.status, each.body["cancel_requested"]) for each in asked] == [(200, True)] * 2
    assert (cancelled.status, cancelled.body["status"]) == (200, "cancelled")
    assert (refused.status, refused.code) == (409, "operation_finished")


def test_operations_are_listed_page_by_page(api: Api) -> None:
    """Newest first, and only one's own."""
    started = []
    for _ in range(3):
        started.append(start(api).body["operation_id"])
        api.world.clock.advance(1)
    first = api.send("GET", "/v1/operations?limit=2").body
    rest = api.send("GET", f"/v1/operations?limit=2&cursor={first['next_cursor']}").body
    others = api.send("GET", "/v1/operations", tenant=OTHER_TENANT).body

    listed = [each["operation_id"] for each in (*first["items"], *rest["items"])]
    assert listed == started[::-1]
    assert (rest["next_cursor"], others["items"]) == (None, [])


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", ["x", "a" * 26, "%2e%2e"])
def test_an_operation_that_is_not_there_is_not_found(api: Api, method: str, name: str) -> None:
    """An id of any form is not found, nor is another tenant's."""
    path = f"/v1/operations/{name}" + ("/cancel" if method == "POST" else "")
    own = start(api).headers["location"] + ("/cancel" if method == "POST" else "")

    assert (api.send(method, path).status, api.send(method, path).code) == (
        404,
        "operation_not_found",
    )
    assert api.send(method, own, tenant=OTHER_TENANT).status == 404


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({}, "kind", "missing"),
    ({"kind": "pause"}, "filter", "missing"),
    ({"kind": "pause", "filter": {}}, "filter", "empty_filter"),
    ({"kind": "pause", "filter": {"all": False}}, "filter", "empty_filter"),
    (
        {"kind": "pause", "filter": {"all": True, "priority": "low"}},
        "filter.all",
        "contradicts_filter",
    ),
    ({"kind": "pause", "filter": {"tag": "x"}}, "filter.tag", "unknown_field"),
    ({"kind": "pause", "filter": {"status": "late"}}, "filter.status", "invalid_choice"),
    ({"kind": "backfill", "filter": {"all": True}}, "kind", "invalid_choice"),
    (
        {"kind": "cancel", "filter": {"all": True}, "catch_up": True},
        "catch_up",
        "not_for_this_kind",
    ),
    ({"kind": "pause", "filter": {"tags": {"": "x"}}}, "filter.tags.", "too_short"),
    ({**PAUSE, "kind": "resume", "reason": "why"}, "reason", "not_for_this_kind"),
    ({**PAUSE, "reason": ""}, "reason", "too_short"),
]


@pytest.mark.parametrize(("body", "field", "code"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_bulk_change_that_is_refused_says_why(
    api: Api, body: dict[str, Any], field: str, code: str
) -> None:
    """400 with the field; nothing is started."""
    answer = start(api, body)

    assert answer.status == 400
    assert (field, code) in answer.fields
    assert api.world.tables.operations == {}


REFUSED_BACKFILLS: list[tuple[dict[str, Any], str, str]] = [
    ({"from": None}, "from", "wrong_type"),
    ({"to": "2026-11-21T07:00:00"}, "to", "no_utc_offset"),
    ({"to": "2026-11-21T06:49:00Z"}, "to", "range_reversed"),
    ({"to": "2026-11-21T07:00:00.001Z"}, "to", "in_the_future"),
    ({"to": "2026-11-21T06:50:30Z", "from": "2026-11-21T06:50:01Z"}, "from", "no_instants"),
    ({"reprocess": "some"}, "reprocess", "invalid_choice"),
    ({"max_concurrent": 0}, "max_concurrent", "too_small"),
    ({"max_concurrent": 101}, "max_concurrent", "too_large"),
    ({"limit": 5}, "limit", "unknown_field"),
]


@pytest.mark.parametrize("dry_run", [True, False], ids=["dry run", "for real"])
@pytest.mark.parametrize(
    ("fields", "field", "code"), REFUSED_BACKFILLS, ids=lambda value: str(value)[:40]
)
def test_a_backfill_that_is_refused_says_why(
    api: Api, job_id: str, fields: dict[str, Any], field: str, code: str, *, dry_run: bool
) -> None:
    """A dry run as well: it would not do what is asked."""
    answer = fill(api, job_id, **fields, dry_run=dry_run)

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize(
    ("change", "code"), [("pause", "job_paused"), (None, "job_cancelled")], ids=str
)
def test_a_job_that_runs_nothing_is_not_filled(
    api: Api, job_id: str, change: str | None, code: str
) -> None:
    """409; another tenant's job is not there."""
    path = f"/v1/jobs/{job_id}"
    api.send("POST", f"{path}/{change}") if change else api.send("DELETE", path)
    refused = fill(api, job_id)

    assert (refused.status, refused.code) == (409, code)
    assert (
        api.send("POST", f"{path}/backfill", LAST_TEN, tenant=OTHER_TENANT).code == "job_not_found"
    )


def test_the_page_on_operations_shows_what_is_answered(api: Api) -> None:
    """Its examples, one after the other; in between every function does its part."""
    seen: dict[str, str] = {}
    for request, shown in read_examples(DOCUMENT.read_text()):
        method, target = request.first.split(" ", 1)
        headers = {name.replace("-", "_"): text for name, text in request.headers.items()}
        answer = api.send(method, target.format(**seen), request.body, **headers)
        ids = ("job_id", "operation_id")
        seen.update({name: answer.body[name] for name in ids if name in answer.body})
        api.world.settle()
        api.world.clock.advance(1)

        assert int(shown.first.split(" ", 1)[0]) == answer.status, request
        assert agrees(shown.body, answer.body), (request, answer.body)
