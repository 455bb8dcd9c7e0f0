"""Every example of the description is true: it is sent, and answered as it says."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from api.http.route import Route
from api.http.table import ROUTES
from api.openapi.catalogue.problems import PROBLEMS
from api.openapi.examples import KEPT
from tests.functional.api.described import check_exchange
from tests.support.documents.described_examples import event_of, example_of, open_api, rendered
from tests.support.documents.refused_examples import REFUSALS

DESCRIPTION = json.loads(
    (Path(__file__).resolve().parents[4] / "docs" / "reference" / "openapi.json").read_text()
)
IN_PLACE = ("path", "query", "header")


@pytest.fixture(autouse=True)
def functions(handler: ModuleType, workers_handler: ModuleType) -> None:
    """Both can be asked."""


def described(route: Route) -> dict[str, Any]:
    """The operation in the description."""
    path = route.path.replace("<", "{").replace(">", "}")
    found: dict[str, Any] = DESCRIPTION["paths"][path][route.method.lower()]
    return found


def shown(operation: Mapping[str, Any]) -> Iterator[tuple[int, Any]]:
    """The answers of which there are examples."""
    for status, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():
            if "example" in content:
                yield int(status), content["example"]


def read_request(route: Route, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The request that the description shows: of what may be left out, what the sample has."""
    operation, path = described(route), route.path
    said: dict[str, dict[str, Any]] = {place: {} for place in IN_PLACE}
    for parameter in operation["parameters"]:
        name, place = parameter["name"], parameter["in"]
        if parameter.get("required") or name in {**sent["query"], **sent["headers"]}:
            said[place][name] = parameter["example"]
    for name, text in said["path"].items():
        path = path.replace(f"<{name}>", text)
    request = {"path": path, "query": said["query"], "headers": said["header"]}
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        if "example" in content:
            request |= {"media_type": media_type, "body": content["example"]}
    return request


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation)
def test_an_operation_is_answered_as_its_example_says(route: Route) -> None:
    """The request that is described, and nothing else; its answer, to the letter."""
    api, sent = example_of(route)
    event = event_of(route, read_request(route, sent))
    answer = api.deliver(event)

    check_exchange(event, answer)
    assert [(answer.status, answer.body)] == list(shown(described(route)))


def test_the_kept_examples_are_what_the_code_answers() -> None:
    """Run ``tests.support.documents.described_examples`` after a change, then ``api.openapi``."""
    assert KEPT.read_text() == rendered()


def test_every_refusal_is_shown() -> None:
    """Each status that the description has, with codes of the catalogue."""
    responses = DESCRIPTION["components"]["responses"]
    examples = {
        name: response["content"]["application/problem+json"].get("examples", {})
        for name, response in responses.items()
    }

    assert {(status, code) for status in examples for code in examples[status]} == {
        (refusal.status, refusal.code) for refusal in REFUSALS
    }
    assert all(examples.values())
    for problem in (each for codes in examples.values() for each in codes.values()):
        assert problem["value"]["code"] in PROBLEMS
        assert _errors({"$ref": "#/components/schemas/Problem"}, problem["value"]) == []


def test_every_parameter_has_an_example_of_its_form() -> None:
    """Also those that the example of a request leaves out."""
    parameters = [each for route in ROUTES for each in described(route)["parameters"]]

    assert [each["name"] for each in parameters if _errors(each["schema"], each["example"])] == []


def test_an_example_that_went_stale_is_found() -> None:
    """A world in which the job is called otherwise."""
    (route,) = [each for each in ROUTES if each.operation == "getJob"]
    api, sent = example_of(route)
    api.send("PATCH", sent["path"], {"name": "another"})
    answer = api.deliver(event_of(route, sent))

    assert [(answer.status, answer.body)] != list(shown(described(route)))
    assert open_api().deliver(event_of(route, sent)).body["name"] == "send the report"


def _errors(schema: Mapping[str, Any], value: object) -> list[str]:
    whole = {**schema, "components": DESCRIPTION["components"]}
    validator = Draft202012Validator(whole, format_checker=FormatChecker())
    return [error.message for error in validator.iter_errors(value)]
