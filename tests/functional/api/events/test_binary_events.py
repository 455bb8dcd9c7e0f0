"""Events in the binary mode of CloudEvents: attributes in headers, data as the body."""

import json
from typing import Any

import pytest

from tests.functional.api.events.test_sent_events import KEY, kept, paid, send
from tests.support.api import SCOPES, Answer, Api, gateway_event
from timegate.domain.events.event import KEPT, Event, EventKey

HEADERS = {"ce-specversion": "1.0", "ce-id": "1", "ce-source": "shop", "ce-type": "order.paid"}
JSON = "application/json"


def sent(api: Api, body: str | None, media_type: str | None = JSON, **headers: str) -> Answer:
    """Send an event of order 4711."""
    named = {f"ce-{name}": text for name, text in headers.items()}
    own = {**HEADERS, "ce-subject": "4711", **named}
    given = own if media_type is None else {**own, "content-type": media_type}
    claims = {"client_id": "acme", "scope": SCOPES}
    event = gateway_event("POST", "/v1/events", body=body, headers=given, claims=claims)
    return api.deliver(event)


def event_of(api: Api, key: EventKey = KEY) -> Event:
    """The one event that is kept of a key."""
    since = api.world.clock.now() - KEPT
    (found,) = api.world.events.kept("acme", key, since=since)  # type: ignore[arg-type]
    return found.event


def read(text: str | None) -> Any:  # noqa: ANN401 - JSON
    """Read JSON that may be absent."""
    return None if text is None else json.loads(text)


@pytest.mark.parametrize(
    ("body", "media_type", "data"),
    [
        ('{"amount": 42}', JSON, {"amount": 42}),
        ("[1]", "application/vnd.shop.order+json; charset=utf-8", [1]),
        ("42", None, 42),
        ("paid", "text/plain; charset=utf-8", "paid"),
        (None, JSON, None),
        (None, None, None),
    ],
)
def test_the_body_is_the_data(
    api: Api, body: str | None, media_type: str | None, data: object
) -> None:
    """JSON or text, as its media type says, which the event keeps; an event may have none."""
    answer = sent(api, body, media_type)
    attributes = read(event_of(api).attributes)

    assert (answer.status, answer.body["received"]) == (202, 1)
    assert read(event_of(api).data) == data
    assert attributes.get("datacontenttype") == (None if body is None else media_type)


def test_headers_are_its_attributes(api: Api) -> None:
    """In any case; quotes and percent encoding are taken off once, and extensions are kept."""
    answer = sent(
        api,
        "{}",
        correlationid="Euro%20%E2%82%AC%2525",
        comexampleregion='"a \\"b\\""',
        time="2026-11-21T07:00:00Z",
    )
    own = {"CE-Type": "order.paid", "Ce-Id": "2", "ce-source": "shop", "CE-SpecVersion": "1.0"}
    claims = {"client_id": "acme", "scope": SCOPES}
    other = api.deliver(gateway_event("POST", "/v1/events", headers=own, claims=claims))
    event = event_of(api, EventKey(type="order.paid", correlation="Euro €%25"))

    assert (answer.status, other.status) == (202, 202)
    assert read(event.attributes)["comexampleregion"] == 'a "b"'
    assert read(event.attributes)["time"] == "2026-11-21T07:00:00.000Z"


def test_it_is_the_same_event_in_either_mode(api: Api) -> None:
    """Sent again in the JSON format it is known."""
    sent(api, '{"amount": 42}')

    assert send(api, paid()).body["repeated"] == 1
    assert kept(api) == ["1"]


@pytest.mark.parametrize(
    ("body", "media_type", "headers", "status", "code"),
    [
        ("{}", JSON, {"specversion": "0.3"}, 400, "invalid_request"),
        ("{}", JSON, {"id": ""}, 400, "invalid_request"),
        ("{}", JSON, {"data": "1"}, 400, "invalid_request"),
        ("{}", JSON, {"datacontenttype": JSON}, 400, "invalid_request"),
        ("{", JSON, {}, 400, "malformed_json"),
        ("<a/>", "application/xml", {}, 415, "unsupported_media_type"),
        ("a", "text/plain; charset=utf-16", {}, 415, "unsupported_media_type"),
        (f'"{"x" * 65_536}"', JSON, {}, 400, "invalid_request"),
    ],
)
def test_an_event_that_is_none_is_refused(
    api: Api, body: str, media_type: str, headers: dict[str, str], status: int, code: str
) -> None:
    """With nothing kept of it."""
    refused = sent(api, body, media_type, **headers)

    assert (refused.status, refused.code) == (status, code)
    assert kept(api) == []


def test_a_whole_event_is_read_from_the_body_alone(api: Api) -> None:
    """The media type says that it is one, whatever headers a proxy added."""
    claims = {"client_id": "acme", "scope": SCOPES}
    headers = {"content-type": "application/cloudevents+json", "ce-id": "other"}
    text = json.dumps(paid())
    event = gateway_event("POST", "/v1/events", body=text, headers=headers, claims=claims)

    assert api.deliver(event).body["items"][0]["id"] == "1"


def test_keys_in_data_of_others_name_no_job(api: Api) -> None:
    """The body is the sender's own, and not a request that names jobs."""
    data = '{"tasks": [{"job_id": "key:theirs"}]}'

    assert sent(api, data).status == 202
    assert event_of(api).data == data.replace(" ", "")
