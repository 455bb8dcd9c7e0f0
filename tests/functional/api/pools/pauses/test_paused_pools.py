"""A pool that is paused hands out nothing, says so, and hands out everything in order after it."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import ACTION, claim, offer, read, say
from timegate.adapters.dynamo.pools import pause_items

PAUSE, RESUME = "/v1/pools/reports/pause", "/v1/pools/reports/resume"
CLAIM = "/v1/pools/reports/claim"
#: The clock of the world when a test begins, and an hour later.
NOW, LATER = "2026-11-21T07:00:00.000Z", "2026-11-21T08:00:00.000Z"
PAUSED = {"since": NOW, "until": None, "by": TENANT, "reason": None}


def send(api: Api, path: str, body: object = None, **named: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the body of an answer that is a success."""
    answer = api.send("POST", path, body, **named)
    assert answer.status == 200, answer.body
    found: dict[str, Any] = answer.body
    return found


def test_a_paused_pool_hands_out_nothing(api: Api) -> None:
    """It says so to the worker, with the reason; the run still waits."""
    job_id = offer(api)
    terms = {"reason": "The warehouse moves.", "until": LATER}
    standing = send(api, PAUSE, terms)
    answer = send(api, CLAIM, {"worker": "host-7"})

    assert standing == {"pool": "reports", "pause": {**PAUSED, **terms}, "last_seen_at": None}
    assert (answer["runs"], answer["pause"]) == ([], {**PAUSED, **terms})
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    assert row["state"] == "queued"


def test_a_pause_tells_when_a_worker_asked_last(api: Api) -> None:
    """The pool is served, though it hands out nothing."""
    claim(api)
    api.world.clock.advance(50)

    assert send(api, PAUSE)["last_seen_at"] == send(api, RESUME)["last_seen_at"] == NOW


def test_what_waited_is_handed_out_in_its_order(api: Api) -> None:
    """The most urgent first, then the first due, no more at once than are asked for."""
    send(api, PAUSE)
    for name in ("first", "second", "third"):
        offer(api, name=name)
        api.world.clock.advance(1)
    offer(api, name="urgent", priority="critical")
    assert claim(api, max=10) == []
    resumed = send(api, RESUME)
    names = [run["job_name"] for _ in range(2) for run in claim(api, max=2)]

    assert resumed["pause"] is None
    assert names == ["urgent", "first", "second", "third"]


def test_a_run_that_is_held_goes_on_in_a_pause(api: Api) -> None:
    """Its heartbeats renew the lease, and its end is recorded."""
    offer(api, timeout_seconds=600)
    (run,) = claim(api)
    send(api, PAUSE)
    api.world.clock.advance(50)
    beat = say(api, "heartbeat", run)
    api.world.clock.advance(50)
    done = say(api, "complete", run, result={"rows": 1})

    assert (beat.status, done.status) == (200, 200)
    assert read(api, run)["state"] == "succeeded"


def test_a_run_of_a_dead_worker_waits_for_the_resumption(api: Api) -> None:
    """It is handed out under a higher fence then, and not before."""
    offer(api)
    (lost,) = claim(api)
    send(api, PAUSE)
    api.world.clock.advance(61)
    during = claim(api, max=10)
    send(api, RESUME)
    (run,) = claim(api, max=10)

    assert during == []
    assert (run["run_id"], run["fence"] > lost["fence"]) == (lost["run_id"], True)


@pytest.mark.parametrize("most", [0, 1])
def test_each_claim_says_that_the_pool_is_paused(api: Api, most: int) -> None:
    """Also one that wants no runs: a pause of null would say that there is none."""
    send(api, PAUSE)
    during = send(api, CLAIM, {"worker": "host-7", "max": most})["pause"]
    send(api, RESUME)
    after = send(api, CLAIM, {"worker": "host-7", "max": most})["pause"]

    assert (during, after) == (PAUSED, None)


@pytest.mark.parametrize(("seconds", "handed"), [(3_599.999, 0), (3_600, 1)])
def test_a_pause_ends_by_itself(api: Api, seconds: float, handed: int) -> None:
    """At its end, and not a moment before: no record has to be written then."""
    offer(api)
    send(api, PAUSE, {"until": LATER})
    api.world.clock.advance(seconds)

    assert len(claim(api)) == handed


def test_a_claim_that_waits_notices_the_resumption(api: Api) -> None:
    """A long poll of a paused pool is one of an empty pool; it asks again within five seconds."""
    send(api, PAUSE)
    offer(api)
    before = api.world.clock.now()
    answer = send(api, CLAIM, {"worker": "host-7", "wait_seconds": 20})
    waited = (api.world.clock.now() - before).total_seconds()

    assert (answer["runs"], answer["ask_again_after_seconds"]) == ([], 5)
    assert waited == 20


@pytest.mark.parametrize(("until", "again"), [("07:00:05", 5), ("07:00:03", 3), ("09:00:00", 5)])
def test_the_worker_asks_again_at_the_end_or_within_five_seconds(
    api: Api, until: str, again: float
) -> None:
    """A caller may resume the pool at any time."""
    send(api, PAUSE, {"until": f"2026-11-21T{until}.000Z"})

    assert send(api, CLAIM, {"worker": "a"})["ask_again_after_seconds"] == again


def test_a_waiting_claim_gets_its_run_at_the_end_of_the_pause(api: Api) -> None:
    """In its instant, as with a run that is due then."""
    offer(api)
    send(api, PAUSE, {"until": "2026-11-21T07:00:03.700Z"})
    answer = send(api, CLAIM, {"worker": "host-7", "wait_seconds": 5})

    assert [run["job_name"] for run in answer["runs"]] != []
    assert api.world.clock.now().second == 3
    assert answer["pause"] is None


def test_terms_are_set_anew(api: Api) -> None:
    """The pause goes on since it began; the same terms change nothing, and are no entry."""
    send(api, PAUSE, {"reason": "One."})
    api.world.clock.advance(60)
    other = send(api, PAUSE, {"until": LATER})
    send(api, PAUSE, {"until": LATER})
    entries = api.send("GET", "/v1/audit?resource=pool/reports").body["items"]

    assert other["pause"] == {**PAUSED, "until": LATER}
    assert [each["operation"] for each in entries] == ["pausePool", "pausePool"]
    assert entries[0]["changes"] == [
        {"field": "reason", "before": "One.", "after": None},
        {"field": "until", "before": None, "after": LATER},
    ]


def test_a_pause_after_another_begins_anew(api: Api) -> None:
    """One that is over, by itself or by a caller, has no part in it."""
    send(api, PAUSE)
    api.world.clock.advance(60)
    send(api, RESUME)
    api.world.clock.advance(60)

    assert send(api, PAUSE)["pause"]["since"] == "2026-11-21T07:02:00.000Z"


def test_resuming_is_recorded_once(api: Api) -> None:
    """A pool that is not paused stays as it is."""
    nothing = send(api, RESUME)
    send(api, PAUSE)
    api.world.clock.advance(1)
    send(api, RESUME)
    send(api, RESUME)
    entries = api.send("GET", "/v1/audit?resource=pool/reports").body["items"]

    assert nothing == {"pool": "reports", "pause": None, "last_seen_at": None}
    assert [each["operation"] for each in entries] == ["resumePool", "pausePool"]
    assert {each["actor"]["subject"] for each in entries} == {TENANT}


def test_the_pool_shows_its_pause(api: Api) -> None:
    """Also one that no worker and no job knows; after the resumption none does."""
    send(api, PAUSE, {"reason": "Moving."})
    shown, listed = api.send("GET", "/v1/pools/reports").body, api.send("GET", "/v1/pools").body
    send(api, RESUME)

    assert shown["pause"] == {**PAUSED, "reason": "Moving."}
    assert [(each["pool"], each["pause"]) for each in listed["pools"]] == [
        ("reports", {**PAUSED, "reason": "Moving."})
    ]
    assert api.send("GET", "/v1/pools/reports").body["pause"] is None
    assert api.send("GET", "/v1/pools").body["pools"] == []


@pytest.mark.parametrize(("most", "is_partial"), [(2, True), (3, False)])
def test_a_listed_pool_shows_its_pause_behind_many_others(
    api: Api, monkeypatch: pytest.MonkeyPatch, most: int, is_partial: bool
) -> None:
    """Pauses that are over take places of those that are read; a list that lacks pools says so."""
    monkeypatch.setattr(pause_items, "MOST_READ", most)
    for pool in ("a", "b", "reports"):
        send(api, f"/v1/pools/{pool}/pause")
    send(api, "/v1/pools/a/resume")
    claim(api)
    listed = api.send("GET", "/v1/pools").body

    assert [(each["pool"], each["pause"] is None) for each in listed["pools"]] == [
        ("b", False),
        ("reports", False),
    ]
    assert listed["is_partial"] is is_partial


def test_a_pause_concerns_one_tenant_and_one_pool(api: Api) -> None:
    """Another tenant's pool of the same name hands out its runs."""
    send(api, PAUSE)
    api.create(tenant="other", schedule={"kind": "immediate"}, action=ACTION)
    send(api, "/v1/pools/other/pause", tenant="third")

    assert len(claim(api, tenant="other")) == 1
    assert send(api, CLAIM, {"worker": "a"}, tenant="third")["pause"] is None


@pytest.mark.parametrize(
    ("path", "body", "field", "code"),
    [
        (PAUSE, {"until": NOW}, "until", "in_the_past"),
        (PAUSE, {"until": "2027-11-23T07:00:00Z"}, "until", "range_too_long"),
        (PAUSE, {"reason": ""}, "reason", "too_short"),
        (PAUSE, {"reason": "x" * 201}, "reason", "too_long"),
        ("/v1/pools/Reports/pause", None, "pool", "invalid_format"),
        ("/v1/pools/Reports/resume", None, "pool", "invalid_format"),
    ],
)
def test_what_is_wrong_is_refused(api: Api, path: str, body: object, field: str, code: str) -> None:
    """With the field and what is wrong with it."""
    answer = api.send("POST", path, body)

    assert answer.status == 400
    assert [(e["field"], e["code"]) for e in answer.body["errors"]] == [(field, code)]
