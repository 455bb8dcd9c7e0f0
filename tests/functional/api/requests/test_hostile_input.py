"""Hostile input in a field, parameter or header is refused and counted, and stores nothing.

Accepted text is kept as it came, under the keys of the tenant who sent it.
"""

import json
import os
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from tests.functional.api.described import check_exchange
from tests.functional.api.hostile import DESCRIPTION, TEXTS, VALUES, Place, places, put
from tests.support.api import Answer, Api, HeardTelemetry, gateway_event
from tests.support.documents.sample_requests import sample_of
from tests.support.tenants.asked import Ask, asking, body_for, event_for
from tests.support.tenants.sample_tenant import Inhabitant, inhabit
from tests.support.world import World

pytestmark = pytest.mark.wide

#: ``TIMEGATE_FUZZ=long``: each of them in each place.
STEP = 1 if os.environ.get("TIMEGATE_FUZZ") == "long" else 9
OF_TENANTS = [route for route in ROUTES if not route.of_stage]
WITH_BODY = [route for route in OF_TENANTS if route.body is not None]
WITH_QUERY = [route for route in OF_TENANTS if route.query is not None]
WITH_ID = [route for route in OF_TENANTS if "<" in route.path]


@pytest.fixture
def ask(handler: ModuleType, workers_handler: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """A world in memory."""
    for module in (handler, workers_handler):
        monkeypatch.setattr(module, "services", module.services)
    return asking(handler, workers_handler, World(telemetry=HeardTelemetry()))


@pytest.fixture
def owner(ask: Ask) -> Inhabitant:
    """Return the owner of the token."""
    return inhabit(ask.api.world, "acme")


def stored(world: World) -> dict[str, object]:
    """Everything there is: every table, every blob, every message."""
    tables = {name: _kept(value) for name, value in vars(world.tables).items() if name != "lock"}
    return {**tables, "blobs": dict(world.blobs.blobs), "sent": list(world.publisher.sent)}


def _kept(value: object) -> object:
    """Copy the containers of a value; records are frozen."""
    match value:
        case dict():
            return {name: _kept(inner) for name, inner in value.items()}
        case list() | set():
            return type(value)(value)
    return value


def judge(ask: Ask, event: dict[str, Any], before: dict[str, object]) -> Answer:
    """Send it; whatever is answered is described, and a refusal leaves no trace but a count."""
    telemetry = ask.api.world.telemetry
    refused, counted = len(telemetry.named("request_refused")), telemetry.counts["RequestsRefused"]
    # No caller may ask for ever at one instant.
    ask.api.world.clock.advance(1)
    answer = ask.api.deliver(event)

    assert answer.status < 500, event
    assert telemetry.named("request_failed") == []
    for name, text in answer.headers.items():
        assert text.isprintable(), (name, text)
    if answer.status >= 400:
        if answer.code != "route_not_found":
            check_exchange(event, answer)
        assert len(telemetry.named("request_refused")) == refused + 1
        assert telemetry.counts["RequestsRefused"] == counted + 1
        assert stored(ask.api.world) == before
    return answer


def described(route: Route) -> dict[str, Any]:
    """The form of its body."""
    path = route.path.replace("<", "{").replace(">", "}")
    body = DESCRIPTION["paths"][path][route.method.lower()]["requestBody"]
    schema: dict[str, Any] = body["content"]["application/json"]["schema"]
    return schema


def string_places(route: Route) -> list[Place]:
    """Every place of its body, each once."""
    return sorted(set(places(described(route))), key=str)


@pytest.mark.parametrize("route", WITH_BODY, ids=lambda route: route.operation)
def test_no_field_lets_anything_in(ask: Ask, owner: Inhabitant, route: Route) -> None:
    """Each text and each value, in each place of the body that the description knows."""
    world, path = ask.api.world, owner.path(route)
    body, before = body_for(route, owner), stored(world)
    attacks = [*TEXTS.values(), *VALUES.values()]
    for number, place in enumerate(string_places(route)):
        # Each place meets some of them, and each of them most places: what reads one field is
        # what reads its neighbour.
        for value in attacks[number % STEP :: STEP]:
            attack = put(body, place, value)
            answer = judge(ask, event_for(owner.tenant, route, path, attack), before)
            if answer.status < 300:
                before = stored(world)
                assert all(tenant == owner.tenant for tenant, *_ in world.tables.jobs)


@pytest.mark.parametrize("route", WITH_QUERY, ids=lambda route: route.operation)
def test_no_parameter_lets_anything_in(ask: Ask, owner: Inhabitant, route: Route) -> None:
    """Each text as each parameter, and as the name of one."""
    before = stored(ask.api.world)
    assert route.query is not None
    for text in TEXTS.values():
        for parameter in (*route.query.model_fields, text[:60]):
            query = f"{quote(parameter)}={quote(text)}"
            judge(ask, event_for(owner.tenant, route, owner.path(route), query=query), before)


@pytest.mark.parametrize("route", WITH_ID, ids=lambda route: route.operation)
def test_no_path_lets_anything_in(ask: Ask, owner: Inhabitant, route: Route) -> None:
    """Each text in the place of an id, as the gateway hands it on: decoded."""
    first = route.path.index("<")
    head, tail = route.path[:first], route.path[route.path.index(">") + 1 :]
    tail = tail.replace("<version>", "1").replace("<task_key>", "first")
    before, body = stored(ask.api.world), body_for(route, owner)
    for text in TEXTS.values():
        event = event_for(owner.tenant, route, "/", body, query=sample_of(route).query)
        event["rawPath"] = event["requestContext"]["http"]["path"] = f"{head}{text}{tail}"
        answer = judge(ask, event, before)

        assert answer.status >= 400


@pytest.mark.parametrize("header", ["Idempotency-Key", "If-Match", "If-None-Match"])
def test_no_header_lets_anything_in(ask: Ask, owner: Inhabitant, header: str) -> None:
    """A header that is read is refused; any other leaves the request as it is."""
    routes = {route.operation: route for route in ROUTES}
    before = stored(ask.api.world)
    for operation in ("createJob", "updateJob", "putCalendar", "createDag", "startDagRun"):
        route = routes[operation]
        for text in TEXTS.values():
            event = event_for(owner.tenant, route, owner.path(route), body_for(route, owner))
            event["headers"][header.lower()] = text
            if judge(ask, event, before).status < 300:
                before = stored(ask.api.world)


RAW = {
    "duplicate keys": '{"schedule": {"kind": "immediate"}, "schedule": {"kind": "at"}}',
    "NaN": '{"count": NaN}',
    "infinity": '{"count": -Infinity}',
    "half a pair": '{"schedule": {"kind": "\\ud83d"}}',
    "half a pair as a key": '{"\\udc00": 1}',
    "deep list": "[" * 5000 + "]" * 5000,
    "deep object": '{"a":' * 5000 + "1" + "}" * 5000,
    "deep field": '{"payload":' + "[" * 900 + "]" * 900 + "}",
    "cut off": '{"schedule": {"kind": "imm',
    "two documents": "{}{}",
    "comment": '{} // "x"',
    "byte order": "\ufeff{}",
    "a number without end": '{"count": 1' + "0" * 5000 + "}",
    "an exponent": '{"count": 1e999999999}',
    "not an object": '"text"',
}


#: A document that takes long to read is read by one of each kind of reader.
BIG = {
    "a million fields": "{" + ",".join(f'"f{n}":1' for n in range(50_000)) + "}",
    "a million elements": '{"schedule": [' + "0," * 200_000 + "0]}",
    "beyond the limit": '{"x": "' + "y" * (1024 * 1024) + '"}',
}
BIG_READERS = [r for r in WITH_BODY if r.operation in {"createJob", "createJobs", "simulate"}]


@pytest.mark.parametrize("name", RAW)
def test_no_document_lets_anything_in(ask: Ask, owner: Inhabitant, name: str) -> None:
    """Refused whatever the operation; of a callback: it has no token."""
    before = stored(ask.api.world)
    for route in WITH_BODY:
        if route.text is None:
            event = event_for(owner.tenant, route, owner.path(route), RAW[name])

            assert judge(ask, event, before).status in ({401} if route.asks_no_token else {400})


@pytest.mark.parametrize("name", BIG)
@pytest.mark.parametrize("route", BIG_READERS, ids=lambda route: route.operation)
def test_no_large_document_lets_anything_in(
    ask: Ask, owner: Inhabitant, route: Route, name: str
) -> None:
    """Refused, in an answer that does not grow with it."""
    event = event_for(owner.tenant, route, owner.path(route), BIG[name])
    answer = judge(ask, event, stored(ask.api.world))

    assert answer.status == (413 if name == "beyond the limit" else 400)
    assert len(json.dumps(answer.body)) < 10_000


def test_of_two_fields_of_one_name_neither_is_meant(api: Api) -> None:
    """One reader takes the first and another the last: also deep within a payload."""
    for text in ('{"name": "x", "name": "y"}', '{"payload": {"a": [{"b": 1, "b": 2}]}}'):
        claims = {"client_id": "acme", "scope": "timegate/write"}
        answer = api.deliver(gateway_event("POST", "/v1/jobs", body=text, claims=claims))

        assert (answer.status, answer.code) == (400, "malformed_json")
