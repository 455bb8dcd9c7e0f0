"""Records of events that a later release wrote, or that are damaged: they stop no others."""

from collections.abc import Mapping
from typing import Any

from tests.support.api import Answer, Api
from tests.support.event_triggers.triggering import cloud_event
from tests.support.factories import TENANT
from tests.support.stores.corrupt_record import from_later_release
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from timegate.adapters.dynamo.events.trigger_items import trigger_key
from timegate.adapters.dynamo.tables.keys import Key
from timegate.domain.values.identity import Origin

PATH = "/v1/event-triggers"


def put(api: Api, name: str) -> None:
    """Store a trigger of paid orders, which starts a job of its own."""
    starts = {"type": "job", "job_id": api.create(name=name)["job_id"]}
    answer = api.send("PUT", f"{PATH}/{name}", {"pattern": {}, "starts": starts})

    assert answer.status == 200, answer.body


def damage_trigger(api: Api, name: str) -> None:
    """Let a trigger be one that this release cannot read."""
    from_later_release(api.world.tables.engine, JOBS_TABLE, trigger_key(TENANT, name))


def send(api: Api, *sent: dict[str, Any]) -> Answer:
    """Send events together."""
    return api.send("POST", "/v1/events", list(sent))


def is_identity(item: Mapping[str, object]) -> bool:
    """Tell if an item says when an event came first."""
    return item["sk"] == "event"


def met(answer: Answer, index: int = 0) -> list[tuple[str, bool, str | None]]:
    """Name each trigger that an event met, if a run began by it, and the refusal."""
    found = answer.body["items"][index]["met"]
    return [(each["name"], each["run_id"] is not None, each["code"]) for each in found]


def test_a_damaged_trigger_keeps_no_other_from_an_event(api: Api) -> None:
    """The sender is told that it started nothing, and operators that it cannot be read."""
    for name in ("a", "b", "c"):
        put(api, name)
    damage_trigger(api, "b")
    answer = send(api, cloud_event())
    (told,) = api.world.telemetry.named("event_trigger_unreadable")

    assert answer.body["items"][0]["status"] == 202
    assert met(answer) == [("a", True, None), ("c", True, None), ("b", False, "internal_error")]
    assert told.fields["event_trigger"] == "b"
    assert api.world.telemetry.counts["RecordsUnreadable"] == 1


def test_a_listing_leaves_a_damaged_trigger_out(api: Api) -> None:
    """Its page leads on behind it."""
    for name in ("a", "b", "c"):
        put(api, name)
    damage_trigger(api, "b")
    first = api.send("GET", f"{PATH}?limit=2").body
    second = api.send("GET", f"{PATH}?limit=2&cursor={first['next_cursor']}").body

    assert [each["name"] for each in first["items"]] == ["a"]
    assert [each["name"] for each in second["items"]] == ["c"]
    assert second["next_cursor"] is None
    assert len(api.world.telemetry.named("event_trigger_unreadable")) == 1


def test_a_damaged_identity_stops_no_other_event_of_its_batch(api: Api) -> None:
    """Its own event is given to its consumers again, which start nothing twice."""
    put(api, "a")
    events = [cloud_event(id="1"), cloud_event(id="2")]
    before = send(api, events[0])
    (identity,) = (item for item in api.world.tables.engine.items(RUNS_TABLE) if is_identity(item))
    key = Key(pk=str(identity["pk"]), sk=str(identity["sk"]))
    from_later_release(api.world.tables.engine, RUNS_TABLE, key)
    after = send(api, *events)

    assert [each["status"] for each in after.body["items"]] == [202, 202]
    assert [met(after, index) for index in (0, 1)] == [[("a", True, None)]] * 2
    assert after.body["items"][0]["met"] == before.body["items"][0]["met"]
    assert sum(each.id.run.origin is Origin.TRIGGER for each in api.world.attempts()) == 2
