"""Holds what the API takes and answers against its description."""

import base64
import json
import re
from functools import cache
from typing import Any
from urllib.parse import unquote

from jsonschema_rs import Draft202012Validator

from api.openapi.catalogue.fields import FIELDS
from api.openapi.catalogue.problems import PROBLEMS
from api.openapi.document import document
from tests.support.api import Answer, Event


def check_exchange(event: Event, answer: Answer) -> None:
    """An answer is as described, and so is every request that was carried out."""
    _check_codes(event, answer)
    method = event["requestContext"]["http"]["method"].lower()
    operation = _operation(method, event["rawPath"])
    if operation is None:
        assert answer.status in {404, 405}
        return
    described = operation["responses"][str(answer.status)]
    if answer.status == 304:
        assert answer.body is None
        assert set(operation_headers(described)) >= set(answer.headers) - _EVERYWHERE
        return
    content = _resolve(described)["content"]
    media_type = answer.headers["content-type"]
    _check(content[media_type]["schema"], answer.body)
    if answer.status < 300:
        assert set(operation_headers(described)) >= set(answer.headers) - _EVERYWHERE
        if "requestBody" in operation and (operation["requestBody"]["required"] or "body" in event):
            said = event["headers"].get("content-type", "").partition(";")[0].strip().lower()
            content = operation["requestBody"]["content"]
            text = said in content and not said.endswith("json")
            sent = content[said if text else "application/json"]["schema"]
            _check(sent, _body_of(event) if text else _sent(event))


def check_sample(method: str, path: str, status: int, body: object) -> None:
    """An answer that a test made up is one that the API may give."""
    _check(_answer_schema(method, path, status), body)


def damage_of(method: str, path: str) -> dict[str, Any]:
    """Return the ``damaged`` part of a listing's answer that has no damaged rows."""
    properties = _resolve(_answer_schema(method, path, 200)).get("properties", {})
    if "damaged" not in properties:
        return {}
    told = _resolve(properties["damaged"])["properties"]
    return {"damaged": {name: 0 if name == "count" else [] for name in told}}


def _answer_schema(method: str, path: str, status: int) -> dict[str, Any]:
    operation = _operation(method.lower(), path)
    assert operation is not None, f"There is no {method} {path}."
    described = operation["responses"]
    assert str(status) in described, f"{method} {path} does not answer {status}."
    schema: dict[str, Any] = _resolve(described[str(status)])["content"]["application/json"][
        "schema"
    ]
    return schema


def _check_codes(event: Event, answer: Answer) -> None:
    """A refusal has a documented code and an id that the logs contain."""
    assert answer.headers["x-request-id"] == event["requestContext"]["requestId"]
    if answer.status >= 400:
        assert answer.code in PROBLEMS
        # docs/guides/simulate.md has those of scenarios.
        if event["rawPath"] != "/v1/simulate":
            assert {code for _, code in answer.fields} <= set(FIELDS)


def operation_headers(described: dict[str, Any]) -> list[str]:
    """The headers an answer may carry, as Python compares them."""
    return [name.lower() for name in described["headers"]]


#: ISO 8601 knows fractions of a second; the grammar that JSON Schema names for durations does not.
_READ_ELSEWHERE = {"duration": lambda _: True}
_EVERYWHERE = {"content-type", "cache-control"}


def _body_of(event: Event) -> str:
    body: str = event["body"]
    return base64.b64decode(body).decode() if event["isBase64Encoded"] else body


def _sent(event: Event) -> object:
    """The JSON that was sent; an event in binary mode of CloudEvents as its JSON format has it."""
    headers = {name.lower(): unquote(text) for name, text in event["headers"].items()}
    attributes = {n.removeprefix("ce-"): x for n, x in headers.items() if n.startswith("ce-")}
    media_type = headers.get("content-type", "application/json")
    if not attributes or media_type.startswith("application/cloudevents"):
        return json.loads(_body_of(event))
    if "body" not in event:
        return attributes
    is_text = media_type.startswith("text/")
    data = _body_of(event) if is_text else json.loads(_body_of(event))
    return {**attributes, "data": data}


@cache
def _description() -> dict[str, Any]:
    return document()


@cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    return [
        (re.compile(re.sub(r"{\w+}", "[^/]+", template)), operations)
        for template, operations in _description()["paths"].items()
    ]


def _operation(method: str, path: str) -> dict[str, Any] | None:
    for pattern, operations in _paths():
        if method in operations and pattern.fullmatch(path):
            found: dict[str, Any] = operations[method]
            return found
    return None


def _resolve(node: dict[str, Any]) -> dict[str, Any]:
    for part in node.get("$ref", "").split("/")[1:]:
        node = (_description() if part == "components" else node)[part]
    return node


def _check(schema: dict[str, Any], value: object) -> None:
    _validator(json.dumps(schema)).validate(value)


@cache
def _validator(schema: str) -> Draft202012Validator:
    whole = {**json.loads(schema), "components": _description()["components"]}
    return Draft202012Validator(whole, validate_formats=True, formats=_READ_ELSEWHERE)
