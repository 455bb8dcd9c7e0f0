"""Measure the API's processor time for a creation, beside that of its calls alone.

    {"creations": 50, "turns": 30, "kinds": {"one-shot, due soon": {"ms": 3.1, "calls_ms": 3.3, …}}}

The handler runs as it is deployed, with its own client of the tables; a server on loopback answers
each call at once. ``calls_ms`` is what botocore, as it comes, takes for the same calls with the
same bodies, in turns with the handler. Times are medians of all turns, in milliseconds.

    python -m bench.routes.creation > bench/results/creation.json
"""

import contextlib
import importlib
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from statistics import median
from typing import Any
from unittest.mock import patch

from botocore import xform_name
from botocore.client import BaseClient
from botocore.session import Session

from bench.alternatives.origin import origin
from bench.routes.silent_tables import serving
from tests.support.api import SCOPES, Context, Event, gateway_event
from tests.support.deployed.bare_functions import variables_of
from timegate.domain.values.instants import rfc3339

CREATIONS, TURNS = 50, 30
_CLAIMS = {"client_id": "bench", "scope": SCOPES, "iss": variables_of("api")["TOKEN_ISSUER"]}
#: From the request to the instant of a one-shot that is due soon.
_AHEAD = timedelta(minutes=2)
#: Beyond it, the entry of a creation is apart from the record.
_LARGE = "x" * 1_000

Handle = Callable[[Event, Any], dict[str, Any]]
Call = tuple[str, Mapping[str, Any]]


def _soon() -> Mapping[str, object]:
    return {"kind": "at", "at": rfc3339(datetime.now(UTC) + _AHEAD)}


def _nightly() -> Mapping[str, object]:
    return {"kind": "cron", "cron": "30 2 * * *", "timezone": "Europe/Berlin"}


#: Schedule and payload, by the name in the answer.
KINDS: Mapping[str, tuple[Callable[[], Mapping[str, object]], Mapping[str, object]]] = {
    "one-shot, due soon": (_soon, {"invoice": 42}),
    "one-shot, due soon, 1 KB": (_soon, {"text": _LARGE}),
    "nightly": (_nightly, {"invoice": 42}),
}


def main() -> None:
    """Measure each kind of job."""
    os.environ.update(variables_of("api"), ALLOWED_PORTS=json.dumps(["443"]))
    with serving(), contextlib.redirect_stdout(io.StringIO()):
        handle = importlib.import_module("api.handler").handle
        kinds = {name: measured(handle, name) for name in KINDS}
    report = {"creations": CREATIONS, "turns": TURNS, "kinds": kinds}
    sys.stdout.write(f"{json.dumps({**origin(), **report}, indent=2)}\n")


def measured(handle: Handle, name: str) -> dict[str, Any]:
    """Measure creations of a kind, and their calls, in turns."""
    calls = _calls_of(handle, name)
    client = Session().create_client("dynamodb")
    ours, alone = [], []
    for turn in range(TURNS + 1):
        events = list(_requests(name, CREATIONS))
        took = _spent(partial(_create_all, handle, events))
        took_alone = _spent(partial(_repeat, client, calls * CREATIONS))
        if turn:  # The first one warms.
            ours.append(took)
            alone.append(took_alone)
    return {
        "ms": round(median(ours), 2),
        "calls_ms": round(median(alone), 2),
        "ratio": round(median(a / b for a, b in zip(ours, alone, strict=True)), 2),
        "calls": dict(Counter(operation for operation, _ in calls)),
    }


def _requests(name: str, times: int) -> Iterator[Event]:
    schedule, payload = KINDS[name]
    for _ in range(times):
        body = {
            "name": name,
            "schedule": schedule(),
            "action": {"type": "webhook", "url": "https://example.com/invoices"},
            "payload": payload,
        }
        headers = {"Content-Type": "application/json"}
        yield gateway_event(
            "POST", "/v1/jobs", body=json.dumps(body), headers=headers, claims=_CLAIMS
        )


def _create_all(handle: Handle, events: Iterable[Event]) -> None:
    for event in events:
        answer = handle(event, Context())
        if answer["statusCode"] != HTTPStatus.CREATED:
            sys.exit(f"A creation was refused: {answer['body']}")


def _calls_of(handle: Handle, name: str) -> list[Call]:
    """Return the calls of one creation, once its process is warm."""
    calls: list[Call] = []
    make: Any = BaseClient._make_api_call  # type: ignore[attr-defined]  # noqa: SLF001

    def kept(self: BaseClient, operation: str, given: Mapping[str, Any]) -> Any:  # noqa: ANN401
        calls.append((operation, given))
        return make(self, operation, given)

    for event in _requests(name, 2):
        calls.clear()
        with patch.object(BaseClient, "_make_api_call", kept):
            _create_all(handle, [event])
    return calls


def _repeat(client: Any, calls: Iterable[Call]) -> None:  # noqa: ANN401 - any client
    for operation, given in calls:
        getattr(client, xform_name(operation))(**given)


def _spent(work: Callable[[], object]) -> float:
    """Return the processor time of this process for one of the creations, in milliseconds."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000 / CREATIONS


if __name__ == "__main__":
    main()
