"""Requests that schemathesis makes of the description, and what it finds in their answers."""

import json
import logging
import os
import secrets
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode, Response
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.schemas import APIOperation

from api.http.route import Route
from tests.courses import COURSE, Course
from tests.support.api import ADMIN_SCOPES, SCOPES, Event, gateway_event

DESCRIPTION = Path(__file__).resolve().parents[3] / "docs" / "reference" / "openapi.json"
BASE = "http://api.example.com"
#: Requests as described, or with a part that is not.
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
#: Checks of each answer.
ASKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
)


#: Requests are drawn by it; each process of the deep course has another one.
SEED = int(
    os.environ.get("TIMEGATE_SEED") or (secrets.randbits(32) if COURSE is Course.DEEP else 0)
)


@cache
def operations() -> Mapping[str, APIOperation[Any, Any, Any, Any]]:
    """Return the operations by their ids, without tokens: each asking test decides on them."""
    document = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    del document["components"]["securitySchemes"]
    for methods in document["paths"].values():
        for operation in methods.values():
            del operation["security"]
    schema = schemathesis.openapi.from_dict(document)
    every: Any = schema.get_all_operations()
    found = [each.ok() for each in every]
    return {each.definition.raw["operationId"]: each for each in found}


def cases(operation: str, mode: GenerationMode, count: int) -> Iterator[Case[Any]]:
    """The same for a seed; none where nothing can be wrong with a request.

    A test that fails shows the seed.
    """
    logging.getLogger(__name__).warning("TIMEGATE_SEED=%d", SEED)
    found: list[Case[Any]] = []
    strategy = operations()[operation].as_strategy(generation_mode=mode)

    @seed(SEED)
    @settings(
        max_examples=count,
        derandomize=False,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(case: Case[Any]) -> None:
        found.append(case)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            collect()
        except Unsatisfiable:
            return
    yield from found


def about(case: Case[Any], ids: Mapping[str, Sequence[str]], number: int) -> Case[Any]:
    """The case about something that there is, where its path names one."""
    for name in case.path_parameters or {}:
        if name in ids:
            case.path_parameters[name] = ids[name][number % len(ids[name])]
    return case


def request_of(case: Case[Any]) -> requests.PreparedRequest:
    """Prepare the request of a case."""
    return requests.Request(**case.as_transport_kwargs(base_url=BASE)).prepare()


def event_of(route: Route, request: requests.PreparedRequest, tenant: str) -> Event:
    """Build the gateway's event of a request: paths decoded, the token checked."""
    parts, body = urlsplit(str(request.url)), request.body or b""
    scope = ADMIN_SCOPES if route.of_stage else SCOPES
    event = gateway_event(
        route.method,
        f"/?{parts.query}",
        body=body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body),
        headers={name: str(text) for name, text in request.headers.items()},
        claims=None if route.asks_no_token else {"client_id": tenant, "scope": scope},
    )
    path = unquote(str(parts.path))
    event["rawPath"] = event["requestContext"]["http"]["path"] = path
    return event


def judge(case: Case[Any], request: requests.PreparedRequest, answered: Mapping[str, Any]) -> None:
    """Raise for an answer that breaks the description's word."""
    response = Response(
        status_code=int(answered["statusCode"]),
        headers={name.lower(): [text] for name, text in answered["headers"].items()},
        content=str(answered["body"]).encode(),
        request=request,
        elapsed=0.0,
        verify=False,
        encoding="utf-8",
    )
    validate(case, response)


def validate(case: Case[Any], response: Response) -> None:
    """The same of an answer that came over the wire."""
    load_all_checks()
    checks: Any = [CHECKS.get_one(name) for name in ASKED]
    case.validate_response(response, checks=checks)
