"""Building the description: every route of the table, and nothing that is not in it."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core.core_schema import TypedDictSchema

from api.http.body import MAX_BODY_BYTES
from api.http.problems import CONTENT_TYPE
from api.http.route import Route
from api.http.statuses import component_of, phrase_of
from api.http.table import ROUTES
from api.openapi.examples import of_operation, of_refusals, sent_parameters
from api.openapi.headings import ANSWER_HEADERS, RATE_HEADERS, TAGS
from api.openapi.parameters import parameters, path_names
from api.openapi.problem_answers import GatewayRefusal, Problem

_COMPONENTS = "#/components/schemas/{model}"
_JSON = "application/json"
#: For browsers, which say in ``Accept`` that they want one.
_PAGE = "text/html"
_INTRODUCTION = (
    "Jobs, their runs, and what a schedule means. The tenant comes from the token alone. "
    "docs/reference/api.md shows how it is used; docs/reference/errors.md has every code. A "
    "request counts as one of the tenant's rate, and as one more for each 16,384 bytes of its "
    "body; operations that cost more say so."
)
#: Answers of any operation; the first three, and 503, also come from the gateway.
_ALWAYS = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_WITH_BODY = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
#: In the words of the gateway.
_GATEWAY = {
    HTTPStatus.UNAUTHORIZED: "Unauthorized",
    HTTPStatus.FORBIDDEN: "Forbidden",
    HTTPStatus.TOO_MANY_REQUESTS: "Too Many Requests",
    HTTPStatus.SERVICE_UNAVAILABLE: "Service Unavailable",
}
#: Suffixes of models whose two modes differ.
_OF_BOTH_MODES = re.compile(r"(?<=\w)-(Input|Output)$")
_ALWAYS_ANSWERED = "X-Request-Id"

Schema = dict[str, Any]
#: By model and by whether it is read or written.
Keyed = Mapping[tuple[Any, JsonSchemaMode], Schema]


class _Exact(GenerateJsonSchema):
    """Titles that repeat a field's name in capitals say nothing; answers have no other fields."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - overrides
        return False

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        """Refuse fields that an answer does not name."""
        return super().typed_dict_schema(schema) | {"additionalProperties": False}


def _counted(route: Route) -> str:
    """Say of an operation that costs more than others as how many requests it counts."""
    if route.weight == 1:
        return ""
    return (
        f" It counts as {route.weight} requests of the tenant's rate, and as one more for each "
        f"{route.bytes_for_one:,} bytes of its body."
    )


def document() -> Schema:
    """The whole description; the same for the same code."""
    schemas, definitions = _schemas()
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        path = re.sub(r"<(\w+)>", r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route, schemas, definitions)
    tags = dict(TAGS.values())
    queries = {route.query.__name__ for route in ROUTES if route.query is not None}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Timegate", "version": "1", "description": _INTRODUCTION},
        "servers": [{"url": "/", "description": "The stage's ApiUrl."}],
        "tags": [{"name": name, "description": meaning} for name, meaning in tags.items()],
        "paths": paths,
        "components": {
            "schemas": {k: v for k, v in sorted(definitions.items()) if k not in queries},
            "responses": _refusals(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


def _schemas() -> tuple[Keyed, dict[str, Schema]]:
    asked = [model for route in ROUTES for model in (route.body, route.query) if model]
    told: list[Any] = [Problem, GatewayRefusal]
    told += [model for route in ROUTES for model in (route.answer, *route.others.values())]
    models: dict[tuple[Any, JsonSchemaMode], None] = {}
    models |= {(model, "validation"): None for model in asked}
    models |= {(model, "serialization"): None for model in told}
    schemas, whole = TypeAdapter.json_schemas(
        [(model, mode, TypeAdapter(model)) for model, mode in models],
        ref_template=_COMPONENTS,
        schema_generator=_Exact,
    )
    return _named(schemas), _named(whole["$defs"])


def _named(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Name a model that is read otherwise than it is answered ``RetryContractInput``.

    Pydantic writes ``RetryContract-Input`` and ``RetryContract-Output``, which no language takes
    for a type's name.
    """
    if isinstance(value, dict):
        return {_renamed(name): _named(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_named(each) for each in value]
    return _renamed(value)


def _renamed(name: Any) -> Any:  # noqa: ANN401 - any JSON
    if not isinstance(name, str):
        return name
    return _OF_BOTH_MODES.sub(lambda found: found[1].replace("Output", ""), name)


def _operation(route: Route, schemas: Keyed, definitions: dict[str, Schema]) -> Schema:
    summary, description = route.words
    operation: Schema = {
        "operationId": route.operation,
        "tags": [TAGS[route.path.split("/")[2]][0]],
        "summary": summary,
        "description": description + _counted(route),
        "security": [] if route.asks_no_token else [{"token": [f"timegate/{route.scope}"]}],
        # infra/constructs/api/served_operations.py connects this function with it.
        "x-timegate-function": route.served_by,
        "parameters": [
            *parameters(route, definitions, sent_parameters(route)),
        ],
        "responses": _responses(route, schemas),
    }
    if route.body is not None:
        schema = schemas[route.body, "validation"]
        content = {name: {"schema": schema} for name in (_JSON, *route.also_json)}
        if route.text is not None:
            content[route.text] = {"schema": {"type": "string", "maxLength": MAX_BODY_BYTES}}
        if example := of_operation(route.operation):
            content[example["media_type"]]["example"] = example["body"]
        operation["requestBody"] = {"required": not route.body_is_optional, "content": content}
    return operation


def _responses(route: Route, schemas: Keyed) -> Schema:
    shown = (*route.answer_headers, *(("ETag",) if route.is_conditional else ()))
    headers = {name: _answer_header(name) for name in (*shown, _ALWAYS_ANSWERED)}
    pages = {_PAGE: {"schema": {"type": "string"}}} if route.page is not None else {}
    answers: Schema = {
        str(status): {
            "description": meaning,
            "headers": headers,
            "content": {route.media_type: _answer(route, status, schemas), **pages},
        }
        for status, meaning in route.success.items()
    }
    if route.is_conditional:
        unchanged = "If-None-Match names the answer: the caller has it, and no body is sent."
        answers["304"] = {"description": unchanged, "headers": headers}
    refusals = {
        *_ALWAYS,
        *map(HTTPStatus, route.refusals),
        *(() if route.method == "GET" else _WITH_BODY),
    }
    if route.method != "GET" and route.served_by == "api":
        # A body may carry a credential; those of workers are read without.
        refusals.add(HTTPStatus.UNPROCESSABLE_ENTITY)
    if path_names(route):
        # A text that cannot be an id, a name or a key names nothing.
        refusals.add(HTTPStatus.NOT_FOUND)
    if route.method != "GET":
        # Every change may be refused: to a suspended tenant, and by the region that is passive.
        refusals.add(HTTPStatus.CONFLICT)
    for status in sorted(refusals):
        answers[str(status.value)] = {"$ref": f"#/components/responses/{component_of(status)}"}
    return answers


def _answer(route: Route, status: int, schemas: Keyed) -> Schema:
    schema = schemas[route.others.get(status, route.answer), "serialization"]
    example = of_operation(route.operation)
    if example.get("status") != status:
        return {"schema": schema}
    return {"schema": schema, "example": example["answer"]}


def _refusals() -> Schema:
    every = {*_ALWAYS, *_WITH_BODY, *(HTTPStatus(s) for each in ROUTES for s in each.refusals)}
    return {component_of(status): _refusal(status) for status in sorted(every)}


def _refusal(status: HTTPStatus) -> Schema:
    problem: Schema = {"schema": {"$ref": _COMPONENTS.format(model="Problem")}}
    if examples := of_refusals(component_of(status)):
        problem["examples"] = examples
    content: Schema = {CONTENT_TYPE: problem}
    if status in _GATEWAY:
        content[_JSON] = {
            "schema": {"$ref": _COMPONENTS.format(model="GatewayRefusal")},
            "example": {"message": _GATEWAY[status]},
        }
    headers = {_ALWAYS_ANSWERED: _answer_header(_ALWAYS_ANSWERED)}
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        headers |= {name: _answer_header(name) for name in RATE_HEADERS}
    return {"description": f"{phrase_of(status)}.", "headers": headers, "content": content}


def _answer_header(name: str) -> Schema:
    return {"description": ANSWER_HEADERS[name], "schema": {"type": "string"}}
