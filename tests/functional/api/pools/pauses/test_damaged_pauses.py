"""A pause whose record cannot be read holds its pool, says so, and is replaced."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import claim, offer
from tests.support.stores.records import JOBS_TABLE
from timegate.adapters.dynamo.pools.pause_items import pause_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.values.tenant import TenantId

PAUSE, RESUME = "/v1/pools/reports/pause", "/v1/pools/reports/resume"
CLAIM = "/v1/pools/reports/claim"
WHY = "The record of this pause cannot be read: pause or resume the pool to replace it."
HELD = {"since": "1970-01-01T00:00:00.000Z", "until": None, "by": "unknown", "reason": WHY}
#: Attributes of a record that a later release may write, or a hand spoil.
DAMAGE = [
    {"since": "yesterday"},
    {"since": None},
    {"until": {"local": "08:00"}},
    {"reason": 7},
    {"revision": "seven"},
    {"shape": 99},
]


def damage(api: Api, **fields: Any) -> None:  # noqa: ANN401 - as a store holds them
    """Set, or remove, attributes of the record of the pool's pause."""
    key = pause_key(TenantId(TENANT), "reports")
    spoilt = Update(table=JOBS_TABLE, key=key, fields=fields, where={})
    assert api.world.tables.engine.write(spoilt).done


@pytest.mark.parametrize("fields", DAMAGE, ids=str)
def test_the_pool_is_held_and_says_so(api: Api, fields: dict[str, Any]) -> None:
    """A claim of it was answered 500; each answer names the cause, and an alarm counts it."""
    job_id = offer(api)
    api.send("POST", PAUSE)
    damage(api, **fields)
    answer = api.send("POST", CLAIM, {"worker": "host-7"})
    shown, listed = api.send("GET", "/v1/pools/reports").body, api.send("GET", "/v1/pools").body
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    explained = api.send("GET", f"/v1/runs/{row['run_id']}").body["explanation"]

    assert (answer.status, answer.body["runs"], answer.body["pause"]) == (200, [], HELD)
    assert (shown["pause"], listed["pools"][0]["pause"]) == (HELD, HELD)
    assert explained.endswith(f"Pool reports is held. {WHY}")
    assert api.world.telemetry.counts["RecordsUnreadable"] == 1
    assert [each.fields["pool"] for each in api.world.telemetry.named("pause_unreadable")] == [
        "reports"
    ]


@pytest.mark.parametrize("fields", DAMAGE, ids=str)
def test_a_resumption_replaces_the_record(api: Api, fields: dict[str, Any]) -> None:
    """The run that waited is handed out, and its record tells the end of the pause."""
    offer(api)
    api.send("POST", PAUSE)
    damage(api, **fields)
    api.world.clock.advance(60)
    resumed = api.send("POST", RESUME)
    (run,) = claim(api)
    told = api.send("GET", f"/v1/runs/{run['run_id']}").body["explanation"]

    assert (resumed.status, resumed.body["pause"]) == (200, None)
    assert told.endswith("its pool was paused until 2026-11-21T07:01:00.000Z.")
    assert api.world.telemetry.counts["RecordsUnreadable"] == 0


@pytest.mark.parametrize("fields", DAMAGE, ids=str)
def test_a_pause_replaces_the_record(api: Api, fields: dict[str, Any]) -> None:
    """It begins anew, and the audit trail has it."""
    api.send("POST", PAUSE)
    damage(api, **fields)
    api.world.clock.advance(60)
    paused = api.send("POST", PAUSE, {"reason": "Moving."})
    entries = api.send("GET", "/v1/audit?resource=pool/reports").body["items"]

    since = "2026-11-21T07:01:00.000Z"
    assert paused.body["pause"] == {
        "since": since,
        "until": None,
        "by": TENANT,
        "reason": "Moving.",
    }
    assert {"field": "reason", "before": WHY, "after": "Moving."} in entries[0]["changes"]
    assert api.send("POST", CLAIM, {"worker": "a"}).body["pause"]["reason"] == "Moving."


@pytest.mark.parametrize(("seconds", "handed"), [(59.999, 0), (60, 1)])
def test_an_end_that_can_be_read_holds(api: Api, seconds: float, handed: int) -> None:
    """A record that is spoilt elsewhere keeps no run beyond the end of its pause."""
    offer(api)
    api.send("POST", PAUSE, {"until": "2026-11-21T07:01:00Z"})
    damage(api, reason=7)
    api.world.clock.advance(seconds)

    assert len(claim(api)) == handed


def test_a_spoilt_pause_that_was_ended_stays_over(api: Api) -> None:
    """Nothing is held by it, and the next pause counts on."""
    offer(api)
    api.send("POST", PAUSE)
    api.send("POST", RESUME)
    damage(api, by=7)
    (run,) = claim(api)

    assert run["handler"] == "sales"
    assert api.send("POST", PAUSE).body["pause"]["by"] == TENANT


def test_the_sweeper_ends_what_expires_in_a_held_pool(api: Api) -> None:
    """It was put off as unreadable itself, and ended up to ten minutes late."""
    job = api.create(
        schedule={"kind": "manual"},
        action={"type": "worker", "pool": "reports", "handler": "sales"},
    )
    run_id = api.trigger(job["job_id"], {"expires_after_seconds": "PT1M"}).body["run_id"]
    api.send("POST", PAUSE)
    damage(api, since=7)
    api.world.clock.advance(61)
    api.world.sweep()
    body = api.send("GET", f"/v1/runs/{run_id}").body

    assert (body["state"], body["reason"]) == ("skipped", "expired")
    assert body["explanation"].endswith(f"Pool reports was held. {WHY}")


def test_a_pause_without_a_revision_is_changed(api: Api) -> None:
    """The change is conditional on the record as it is stored."""
    api.send("POST", PAUSE)
    damage(api, revision=None)

    assert api.send("POST", RESUME).body["pause"] is None
