"""Measure each route of the API: its own time, and the calls to AWS of one request (N5).

    {"commit": …, "routes": {"getJob": {"ms": {"p50": 0.9, "p99": 1.6}, "calls": {"GetItem": 1}}}}

Own time is that of the handler from event to response, on stores in memory: parsing, checking,
deciding, writing the answer, telemetry, and no network. It is processor time: other work on the
machine is not in it, nor are other processes (``importCalendar`` reads its file in one). Calls are
counted on the real adapters, against DynamoDB inside this process. A request is the operation's
sample, from a tenant that has one of everything, and that asks for the first time.

Tenants are made once. Each route is measured in a process of its own that begins with them: it may
change what it likes, and the next one finds them as they were.

    python -m bench.routes.api_routes [REQUESTS] > bench/results/api_routes.json
"""

import contextlib
import gc
import importlib
import io
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median, quantiles
from typing import Any

from botocore.config import Config

from api.http.route import Route
from api.http.table import ROUTES
from bench.alternatives.origin import origin
from tests.support.api import VARIABLES, Context, HeardTelemetry
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.tabled import TabledWorld
from tests.support.tenants.asked import Ask, asking, body_for, event_for, headers_for, query_for
from tests.support.tenants.sample_tenant import Inhabitant, inhabit
from tests.support.world import World

#: Tenants' own; the stage's administration asks seldom.
MEASURED = [route for route in ROUTES if not route.of_stage]
REQUESTS = 100
WARM_UP = 10
#: Which of a tenant's things a request is about, where it cannot be the first.
PLACES = {
    **dict.fromkeys(["redriveDeadLetter", "redriveRun", "discardDeadLetter", "getDeadLetter"], 2),
    **dict.fromkeys(["retryDagRun", "getResult"], 1),
    # A DAG run that waits for an approval.
    **dict.fromkeys(["decideDagTask", "createDagTaskLink"], 2),
    # One that waits for an event.
    "signalDagTask": 3,
}
#: The run that a worker holds.
HELD = 3

_tenants = map("bench-{:06}".format, count(1))


def place_of(route: Route) -> int:
    """Name the thing of its kind that the request is about."""
    speaks_for_a_lease = route.served_by == "workers" and "<run_id>" in route.path
    return HELD if speaks_for_a_lease else PLACES.get(route.operation, 0)


def calls_of(route: Route, ask: Ask) -> tuple[int, Counter[str]]:
    """The status of one request, and the calls it made by operation."""
    tenant = inhabit(ask.world, next(_tenants))
    path, body = tenant.path(route, place_of(route)), body_for(route, tenant)
    with ask.world.counted() as calls:
        query, proof = query_for(route, tenant), headers_for(route, tenant)
        answer = ask(tenant.tenant, route, path, body, query=query, **proof)
    return answer.status, Counter(calls)


def own_times(route: Route, ask: Ask, tenants: Sequence[Inhabitant]) -> list[float]:
    """Milliseconds of a request of each tenant, after a few that are not counted."""
    events = []
    for tenant in tenants:
        path, body = tenant.path(route, place_of(route)), body_for(route, tenant)
        query, proof = query_for(route, tenant), headers_for(route, tenant)
        events.append(event_for(tenant.tenant, route, path, body, query=query, **proof))
    # All these tenants are the bench's, and not for a function's collector to look through.
    gc.collect()
    gc.freeze()
    found = []
    for event in events:
        began = time.thread_time()
        ask.api.handle(event, Context())
        found.append((time.thread_time() - began) * 1000)
    return found[WARM_UP:]


def main() -> None:
    """Measure every route."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    report = {**origin(), "requests": requests}
    os.environ.update(VARIABLES)
    # Log lines and metrics are written as in Lambda, and not looked at.
    with closing(client_inside(Config())) as client, contextlib.redirect_stdout(io.StringIO()):
        api, workers = (importlib.import_module(f"{name}.handler") for name in ("api", "workers"))
        world = World(telemetry=HeardTelemetry())
        tenants = [inhabit(world, next(_tenants)) for _ in range(WARM_UP + requests)]
        times = {
            route.operation: _timed(route, asking(api, workers, world), tenants)
            for route in MEASURED
        }
        counted = asking(api, workers, TabledWorld(client))
        report["routes"] = {
            route.operation: _row(route, times[route.operation], counted) for route in MEASURED
        }
    print(json.dumps(report, indent=2))


def _timed(route: Route, ask: Ask, tenants: Sequence[Inhabitant]) -> list[float]:
    """Return the own times of a route, measured by a copy of this process."""
    fork = get_context("fork")
    receives, sends = fork.Pipe(duplex=False)
    copy = fork.Process(target=_tell_times, args=(sends, route, ask, tenants))
    copy.start()
    sends.close()
    with receives:
        times: list[float] = receives.recv()
    copy.join()
    return times


def _tell_times(sends: Connection, route: Route, ask: Ask, tenants: Sequence[Inhabitant]) -> None:
    with sends:
        sends.send(own_times(route, ask, tenants))


def _row(route: Route, times: Sequence[float], counted: Ask) -> dict[str, Any]:
    status, calls = calls_of(route, counted)
    return {
        "method": route.method,
        "path": re.sub(r"<(\w+)>", r"{\1}", route.path),
        "status": int(status),
        "ms": {"p50": round(median(times), 2), "p99": round(quantiles(times, n=100)[-1], 2)},
        "calls": dict(sorted(calls.items())),
    }


if __name__ == "__main__":
    main()
