"""Events that tenants send: one or a batch, in the JSON format of CloudEvents."""

import json
from typing import Any

import pytest

from tests.support.api import Api
from timegate.domain.events.event import KEPT, MAX_EVENT_BYTES, MAX_EVENTS, EventKey

ONE = "application/cloudevents+json"
MANY = "application/cloudevents-batch+json"
KEY = EventKey(type="order.paid", correlation="4711")


def paid(**fields: object) -> dict[str, Any]:
    """An event of an order."""
    known = {"specversion": "1.0", "id": "1", "source": "shop", "type": "order.paid"}
    return {**known, "subject": "4711", "data": {"amount": 42}, **fields}


def send(api: Api, sent: object, media_type: str = ONE) -> Any:  # noqa: ANN401 - an answer
    """Send events as their media type has them."""
    return api.send("POST", "/v1/events", sent, Content_Type=media_type)


def kept(api: Api, key: EventKey = KEY, tenant: str = "acme") -> list[str]:
    """The ids of the events of a key."""
    since = api.world.clock.now() - KEPT
    found = api.world.events.kept(tenant, key, since=since)  # type: ignore[arg-type]
    return [each.event.id for each in found]


def test_an_event_is_received_once(api: Api) -> None:
    """The same event again is known, and another one with its source and id is refused."""
    first = send(api, paid())
    again = send(api, paid(time="2026-11-21T07:00:00Z", traceparent="00-1-2-01"))
    other = send(api, paid(data={"amount": 43}))

    assert (first.status, first.body["received"], first.body["repeated"]) == (202, 1, 0)
    assert first.body["items"][0] == {
        "index": 0,
        "status": 202,
        "id": "1",
        "source": "shop",
        "receipt": "new",
        "met": [],
        "error": None,
    }
    assert (again.status, again.body["items"][0]["status"]) == (202, 200)
    assert (again.body["received"], again.body["repeated"]) == (0, 1)
    assert (other.status, other.code) == (409, "event_conflict")
    assert kept(api) == ["1"]


def test_each_event_of_a_batch_is_decided_by_itself(api: Api) -> None:
    """One that is refused stops no other; the same one twice is received once."""
    batch = [paid(id="1"), paid(id="2", type=""), paid(id="1"), paid(id="1", data=1), "no"]
    answer = send(api, batch, MANY)
    items = answer.body["items"]

    assert answer.status == 207
    assert [each["status"] for each in items] == [202, 400, 200, 409, 400]
    assert [each["index"] for each in items] == [0, 1, 2, 3, 4]
    assert items[1]["error"]["errors"][0]["field"] == "type"
    assert items[3]["error"]["code"] == "event_conflict"
    assert {n: answer.body[n] for n in ("received", "repeated", "failed")} == {
        "received": 1,
        "repeated": 1,
        "failed": 3,
    }
    assert kept(api) == ["1"]


@pytest.mark.parametrize("media_type", [ONE, MANY, "application/json", f"{ONE}; charset=UTF-8"])
def test_the_body_says_if_it_is_a_batch(api: Api, media_type: str) -> None:
    """Senders that know JSON alone can send both."""
    assert send(api, paid(), media_type).status == 202
    assert send(api, [paid(id="2")], media_type).status == 207


def test_other_media_types_are_refused(api: Api) -> None:
    """Other operations take no events."""
    other = send(api, paid(), "application/xml")
    elsewhere = api.send("POST", "/v1/jobs", {}, Content_Type=ONE)

    assert [other.status, elsewhere.status] == [415, 415]


def test_the_key_is_the_correlation_or_else_the_subject(api: Api) -> None:
    """An event without both is received, and no task finds it."""
    send(api, paid(id="subject"))
    send(api, paid(id="both", subject="other", correlationid="4711"))
    send(api, paid(id="none", subject=None))
    send(api, paid(id="of another type", type="order.sent"))

    assert kept(api) == ["both", "subject"]


def test_another_tenant_finds_and_repeats_nothing(api: Api) -> None:
    """The same source and id is another event there."""
    send(api, paid())
    other = api.send("POST", "/v1/events", paid(data=1), tenant="globex")

    assert other.body["received"] == 1
    assert kept(api, tenant="globex") == kept(api, tenant="acme") == ["1"]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"specversion": "0.3"}, "specversion", "invalid_choice"),
        ({"id": ""}, "id", "too_short"),
        ({"source": "x" * 513}, "source", "too_long"),
        ({"time": "yesterday"}, "time", "invalid_instant"),
        ({"Upper": "x"}, "Upper", "invalid_format"),
        ({"list": [1]}, "list", "wrong_type"),
        ({"number": 2**31}, "number", "wrong_type"),
        ({"data": "x" * MAX_EVENT_BYTES}, "data", "event_too_large"),
        ({"data_base64": "eA=="}, "data_base64", "invalid_format"),
    ],
)
def test_an_event_that_is_none_is_refused(
    api: Api, fields: dict[str, object], field: str, code: str
) -> None:
    """The answer names the attribute."""
    refused = send(api, paid(**fields))

    assert refused.status == 400
    assert refused.fields[0] == (field, code)
    assert kept(api) == []


def test_an_event_of_the_largest_size_is_received(api: Api) -> None:
    """One byte more is too large."""
    frame = len(json.dumps(paid(data=""), separators=(",", ":")))
    full = paid(data="x" * (MAX_EVENT_BYTES - frame))

    assert send(api, full).status == 202
    assert send(api, paid(id="2", data=full["data"] + "x")).status == 400


def test_a_batch_has_a_hundred_events_at_most(api: Api) -> None:
    """And one at least."""
    events = [paid(id=str(n)) for n in range(MAX_EVENTS + 1)]

    assert send(api, events[1:], MANY).body["received"] == MAX_EVENTS
    assert [send(api, each, MANY).status for each in (events, [])] == [400, 400]


def test_credentials_are_not_kept(api: Api) -> None:
    """An event with one is refused, and the others of its batch are received."""
    leaked = paid(id="2", data={"password": "correct horse battery"})  # pragma: allowlist secret

    assert send(api, leaked).status == 422
    assert [e["status"] for e in send(api, [paid(), leaked], MANY).body["items"]] == [202, 422]
