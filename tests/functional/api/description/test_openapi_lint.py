"""The description as its readers want it: what it says of everything, and what it leaves open.

Rules of our own, where linters of others would know nothing of our meanings (decision 0046).
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from api.http.route import Route
from api.http.table import ROUTES

DESCRIPTION = json.loads(
    (Path(__file__).resolve().parents[4] / "docs" / "reference" / "openapi.json").read_text()
)
SCHEMAS: Mapping[str, Any] = DESCRIPTION["components"]["schemas"]
Schema = Mapping[str, Any]

#: Words that an operation's name begins with.
VERBS = {
    *("backfill", "cancel", "check", "claim", "complete", "continue", "create", "decide", "delete"),
    *(
        "discard",
        "draw",
        "explain",
        "export",
        "fail",
        "forecast",
        "get",
        "heartbeat",
        "import",
        "lift",
    ),
    *("list", "pause", "post", "preview", "put", "read", "receive", "redrive", "release"),
    *(
        "rerun",
        "reschedule",
        "resume",
        "retry",
        "revoke",
        "send",
        "signal",
        "simulate",
        "skip",
        "start",
    ),
    *("suspend", "test", "trigger", "try"),
    *("update", "validate"),
}
#: Objects with fields of names that are not described, and by which standard: CloudEvents name
#: their extensions beside their attributes.
OPEN = {"EventContract"}
#: Texts and lists of requests that the description does not bound, and what does.
UNBOUNDED = {
    "ImportRequest.ical": "512 KB, counted in bytes",
    "ProgressContract.message": "it is cut, and not refused",
    "SimulatedJobScope.job": "a name that is none of the scenario's is unknown",
    "NewDag.tasks": "decided with the rest of the graph, each fault with its place",
    "NewDag.edges": "decided with the rest of the graph, each fault with its place",
    "DagPatch.tasks": "decided with the rest of the graph, each fault with its place",
    "DagPatch.edges": "decided with the rest of the graph, each fault with its place",
}
#: Lists that are always one page, and take no cursor.
WHOLE = {"listAttempts", "listNotifications", "listKeys", "listTenantKeys"}


def described(route: Route) -> dict[str, Any]:
    """The operation in the description."""
    path = route.path.replace("<", "{").replace(">", "}")
    found: dict[str, Any] = DESCRIPTION["paths"][path][route.method.lower()]
    return found


def reachable(node: Any, seen: set[str]) -> set[str]:  # noqa: ANN401 - JSON
    """The names of all schemas that a part of the description is made of."""
    if isinstance(node, list):
        for each in node:
            reachable(each, seen)
    elif isinstance(node, dict):
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if name in SCHEMAS and name not in seen:
            seen.add(name)
            reachable(SCHEMAS[name], seen)
        for each in node.values():
            reachable(each, seen)
    return seen


def parts(schema: Any, place: str) -> Iterator[tuple[str, Schema]]:  # noqa: ANN401 - JSON
    """Every schema within one, each with the field that it is of."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    for name, field in schema.get("properties", {}).items():
        yield from parts(field, f"{place}.{name}")
    for key in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(key, ()):
            yield from parts(each, place)
    for key in ("items", "additionalProperties", "propertyNames"):
        yield from parts(schema.get(key), place)


SENT = sorted(reachable([described(r).get("requestBody") for r in ROUTES], set()))
ANSWERED = sorted(reachable([described(r)["responses"] for r in ROUTES], set()))
PARTS_SENT = [each for name in SENT for each in parts(SCHEMAS[name], name)]
PARAMETERS = [
    (f"{route.operation}:{each['name']}", each)
    for route in ROUTES
    for each in described(route)["parameters"]
]


def is_bounded(schema: Schema) -> bool:
    """No text that fits is longer than some length that it states."""
    pattern = str(schema.get("pattern", ""))
    repeats = re.sub(r"\\.|\[(?:\\.|[^\]])*\]", "x", pattern)
    closed = (
        pattern.startswith("^") and pattern.endswith("$") and not re.search(r"[*+]|,}", repeats)
    )
    return bool({"maxLength", "enum", "const", "format"} & schema.keys()) or closed


def test_operations_are_named_by_what_they_do() -> None:
    """Generators make methods of the names: each once, a verb and what it is done to."""
    names = Counter(route.operation for route in ROUTES)

    assert set(names.values()) == {1}
    assert {re.split("[A-Z]", name)[0] for name in names} == VERBS


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation)
def test_an_operation_says_what_it_does(route: Route) -> None:
    """In a line, in a sentence or two that say more than the line, and with whom it belongs."""
    operation = described(route)
    tags = {each["name"] for each in DESCRIPTION["tags"]}

    assert 0 < len(operation["summary"]) <= 80
    assert not operation["summary"].endswith(".")
    assert operation["description"].endswith(".")
    assert operation["description"] != operation["summary"]
    assert len(operation["tags"]) == 1
    assert set(operation["tags"]) <= tags
    assert "security" in operation


def test_nothing_else_is_said() -> None:
    """Groups of what there is no more."""
    used = {name for route in ROUTES for name in described(route)["tags"]}

    assert [each["name"] for each in DESCRIPTION["tags"] if each["name"] not in used] == []
    assert all(each["description"].endswith(".") for each in DESCRIPTION["tags"])


@pytest.mark.parametrize(("place", "parameter"), PARAMETERS, ids=[name for name, _ in PARAMETERS])
def test_a_parameter_is_described(place: str, parameter: Schema) -> None:
    """It has a meaning, an example and a bound on its length."""
    assert parameter["description"].endswith(".")
    assert "example" in parameter
    for _, schema in parts(parameter["schema"], place):
        assert schema.get("type") != "string" or is_bounded(schema)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation)
def test_refusals_are_problems(route: Route) -> None:
    """Each of them; what may be asked of any tenant's id can be answered with 404."""
    responses = described(route)["responses"]
    refused = {status: each for status, each in responses.items() if int(status) >= 400}
    components = DESCRIPTION["components"]["responses"]
    contents = [components[each["$ref"].rpartition("/")[2]]["content"] for each in refused.values()]

    assert {"400", "401", "403", "429", "500", "503"} <= set(refused)
    assert ("<" not in route.path) or "404" in refused
    for content in contents:
        schema = content["application/problem+json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/Problem"}


def test_what_is_sent_is_closed_and_bounded() -> None:
    """A field that no code reads is refused, and nothing is endless without a reason."""
    objects = [(place, each) for place, each in PARTS_SENT if "properties" in each]
    texts = {
        place for place, each in PARTS_SENT if each.get("type") == "string" and not is_bounded(each)
    }
    lists = {
        place
        for place, each in PARTS_SENT
        if each.get("type") == "array" and "maxItems" not in each
    }

    open_ones = {place for place, each in objects if each.get("additionalProperties") is not False}
    assert open_ones == OPEN
    assert texts | lists == set(UNBOUNDED)


def test_what_is_answered_is_closed() -> None:
    """An answer has the fields that are described, and all of them."""
    open_ones = [
        place
        for name in ANSWERED
        for place, each in parts(SCHEMAS[name], name)
        if "properties" in each and each.get("additionalProperties") is not False
    ]

    assert open_ones == []


def test_lists_are_read_alike() -> None:
    """``items``, ``next_cursor`` and ``cursor``; ``limit``, unless lines say how long a page is.

    Forecasts have pages of counts, which their reader adds up.
    """
    for route in ROUTES:
        operation = described(route)
        if route.media_type != "application/json":
            continue
        (answer,) = [
            each["content"]["application/json"]["schema"]
            for status, each in operation["responses"].items()
            if status in {"200", "201", "202", "207"}
        ][:1]
        fields = SCHEMAS.get(str(answer.get("$ref", "")).rpartition("/")[2], {}).get(
            "properties", {}
        )
        asked = {each["name"]: each["schema"] for each in operation["parameters"]}
        paged = route.method == "GET" and "items" in fields
        if not paged:
            assert ("cursor" in asked) == ("next_cursor" in fields and route.method == "GET")
            continue
        assert ("cursor" in asked) == (route.operation not in WHOLE), route.operation
        assert {"type": "null"} in fields["next_cursor"].get("anyOf", [{"type": "null"}])
        if "cursor" in asked:
            assert asked["cursor"] == {"type": "string", "maxLength": 512}
        if "limit" in asked:
            bounds = asked["limit"]["minimum"], asked["limit"]["maximum"]
            assert bounds == ((1, 500) if route.operation == "readLedger" else (1, 100))


@pytest.mark.parametrize(
    ("schema", "bounded"),
    [
        pytest.param({"pattern": "^[a-z]{1,9}$"}, True, id="counted"),
        pytest.param({"pattern": r"^[\x21-\x7e*+]{1,255}$"}, True, id="signs-in-a-class"),
        pytest.param({"pattern": "^[a-z]+$"}, False, id="any-number"),
        pytest.param({"pattern": "^a{2,}$"}, False, id="at-least"),
        pytest.param({"pattern": "[a-z]{1,9}"}, False, id="anywhere"),
        pytest.param({"maxLength": 3}, True, id="length"),
        pytest.param({}, False, id="nothing"),
    ],
)
def test_what_bounds_a_text(schema: Schema, *, bounded: bool) -> None:
    """The rule itself is checked."""
    assert is_bounded(schema) == bounded
