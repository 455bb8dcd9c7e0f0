"""The examples of the description: the samples in ``events``, sent, and what they are answered.

``python -m tests.support.documents.described_examples`` writes them to
``docs/reference/openapi-examples.json``; ``test_openapi_examples.py`` compares.
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from api.openapi.examples import KEPT
from tests.support.api import (
    ADMIN_SCOPES,
    SCOPES,
    VARIABLES,
    Api,
    Event,
    HeardTelemetry,
    api_services,
    gateway_event,
    is_workers,
)
from tests.support.documents.refused_examples import refused_examples
from tests.support.documents.sample_requests import sample_of
from tests.support.documents.sample_world import furnish
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import claim, offer
from tests.support.targets import calling_back
from tests.support.world import World

#: They change what a request means; others are about how it travels.
_SHOWN = (
    *("Idempotency-Key", "If-Match", "If-None-Match", "traceparent"),
    *("webhook-id", "webhook-timestamp", "webhook-signature"),
)
_LONG_RUN = {"max_duration_seconds": 3600}
Sent = dict[str, Any]


def open_api(*, furnished: bool = True) -> Api:
    """The way to a world with what the samples name, or with nothing."""
    world = World(telemetry=HeardTelemetry())
    if furnished:
        furnish(world)
    services = api_services(world)
    handler, workers = map(importlib.import_module, ("api.handler", "workers.handler"))

    def handle(event: Event, context: object) -> dict[str, Any]:
        serving: Any = workers if is_workers(event) else handler
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(serving, "services", world.working if is_workers(event) else services)
            answered: dict[str, Any] = serving.handle(event, context)
        return answered

    return Api(handle, world)


def event_of(route: Route, example: Mapping[str, Any]) -> Event:
    """The request of an example, as it is described."""
    body, headers = example.get("body"), dict(example["headers"])
    if body is not None:
        headers["Content-Type"] = example["media_type"]
    scope = ADMIN_SCOPES if route.of_stage else SCOPES
    return gateway_event(
        route.method,
        f"{example['path']}?{urlencode(_texts(example['query']), doseq=True)}",
        body=body if body is None or isinstance(body, str) else json.dumps(body),
        headers=headers,
        claims=None if route.asks_no_token else {"client_id": TENANT, "scope": scope},
    )


def _texts(query: Mapping[str, Any]) -> dict[str, Any]:
    """Write values as a query string does."""
    return {
        name: str(said).lower() if isinstance(said, bool) else said for name, said in query.items()
    }


def prepared(api: Api, route: Route) -> Sent:
    """The sample's request, about what there is now in this world."""
    sample = sample_of(route)
    sent: Sent = {
        "path": sample.path,
        "query": _parameters(sample.query),
        "headers": {
            name: sample.own[name.lower()] for name in _SHOWN if name.lower() in sample.own
        },
    }
    if route.body is not None:
        body = {} if sample.body is None else sample.body
        sent |= {"media_type": sample.media_type, "body": body}
    match route.operation:
        case "claimRuns" | "getPool":
            offer(api)
        case "listTenants" | "readTenantAudit":
            api.send("PUT", "/v1/tenants/acme", {"display_name": "Acme Ltd"})
        case "readStageAudit":
            api.send("DELETE", sample_of(_named("liftStageFreeze")).path)
        case "readAudit" | "readJobAudit":
            api.send("POST", sample_of(_named("pauseJob")).path)
    return sent


def example_of(route: Route) -> tuple[Api, Sent]:
    """A world, and a request that succeeds in it."""
    body = sample_of(route).body
    if not (isinstance(body, dict) and "lease_token" in body):
        api = open_api()
        return api, prepared(api, route)
    # A worker holds the run: the sample's has no holder.
    api = open_api(furnished=False)
    sent = prepared(api, route)
    run_id, token = _held(api, route)
    path = route.path.replace("<run_id>", run_id)
    return api, {**sent, "path": path, "body": {**body, "lease_token": token}}


def _held(api: Api, route: Route) -> tuple[str, str]:
    """A run that is held, and the token that speaks for it."""
    more = {"long_run": _LONG_RUN} if route.operation.startswith("continue") else {}
    if route.by_lease:
        call = calling_back.begin(api, **more)
        return str(call.attempt.run), calling_back.token_of(call)
    offer(api, **more)
    (run,) = claim(api)
    return str(run["run_id"]), str(run["lease_token"])


def _named(operation: str) -> Route:
    (found,) = [route for route in ROUTES if route.operation == operation]
    return found


def _parameters(query: str) -> Sent:
    """By name; of what is repeated, a list."""
    pairs: dict[str, list[str]] = {}
    for name, text in parse_qsl(query):
        pairs.setdefault(name, []).append(text)
    return {name: _said(name, texts) for name, texts in pairs.items()}


def _said(name: str, texts: list[str]) -> object:
    if name == "tag":
        return texts
    (text,) = texts
    return json.loads(text) if text in {"true", "false"} or text.isdecimal() else text


def answered(route: Route) -> Sent:
    """The request, and what it is answered."""
    api, sent = example_of(route)
    answer = api.deliver(event_of(route, sent))
    assert answer.status < 300, (route.operation, answer.body)
    return {**sent, "status": int(answer.status), "answer": answer.body}


def examples() -> dict[str, Any]:
    """Every operation, and problems of every status."""
    return {
        "operations": {route.operation: answered(route) for route in ROUTES},
        "problems": refused_examples(open_api),
    }


def rendered() -> str:
    """Return the text that is kept."""
    return json.dumps(examples(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    os.environ.update(VARIABLES)
    # The functions' logs and metrics are not asked for.
    with redirect_stdout(StringIO()):
        text = rendered()
    (Path(sys.argv[1]) if len(sys.argv) > 1 else KEPT).write_text(text, encoding="utf-8")
