"""Measure requests by API key beside requests by token: p50 and p99, in turns, and their ratios.

    {"function": {"known": {"token": {"p50": 0.23, "p99": 0.6}, "key": …, "ratio": …}, …},
     "stack": {…}}

``function`` is the handler's processor time on stores in memory, as ``api_routes`` measures it: the
check of a key, and no network. ``stack`` is a caller's time on a local stack, whose gateway checks
the signature of each token. A ``known`` key was read by the process within the last ten seconds; a
``new`` one is read for the request. The tenant is new as well in ``function``, by token and by key,
and known in ``stack``. Noise is the same ratio of two halves of the requests by token, which differ
in nothing.

    python -m bench.routes.api_keys [REQUESTS] > bench/results/api_keys.json
"""

import contextlib
import gc
import importlib
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, repeat
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bench.alternatives.origin import origin
from tests.support.api import SCOPES, VARIABLES, Context, Event, HeardTelemetry, gateway_event
from tests.support.deployed.stack import Stack, deployed
from tests.support.tenants.api_keys import by_key, key_factory, text_of
from tests.support.tenants.asked import Ask, asking
from tests.support.world import World

REQUESTS = 400
WARM_UP = 20
#: A page of jobs: the cheapest request that asks of its tenant.
PATH = "/v1/jobs?limit=1"
#: New keys of the stack, by tenant: it lists fifty.
TENANTS, KEYS = 8, 49
#: By token, by key, and by token again: whatever else happens meets each of them.
TURN = 3
#: No request of the bench is refused for its rate.
AMPLE = {"requests_per_second": 10_000, "burst": 10_000}

Timed = Callable[[], float]


def main() -> None:
    """Measure the function, then the stack."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    report = {"requests": requests, "function": function(requests), "stack": stack(requests)}
    sys.stdout.write(f"{json.dumps({**origin(), **report}, indent=2)}\n")


def compared(turns: Iterable[Timed]) -> dict[str, Any]:
    """Compare requests by token and by key that come in turns; each returns milliseconds."""
    found = [request() for request in turns][WARM_UP * TURN :]
    token, key, again = (found[place::TURN] for place in range(TURN))
    return {
        "token": _summary(token),
        "key": _summary(key),
        "ratio": {
            name: round(_summary(key)[name] / each, 2) for name, each in _summary(token).items()
        },
        "noise": {
            name: round(_summary(again)[name] / each, 2) for name, each in _summary(token).items()
        },
    }


def _summary(times: Sequence[float]) -> dict[str, float]:
    return {"p50": round(median(times), 2), "p99": round(quantiles(times, n=100)[-1], 2)}


# --- the handler's own time


def function(requests: int) -> dict[str, Any]:
    """Measure the handler on stores in memory."""
    os.environ.update(VARIABLES)
    # Log lines and metrics are written as in Lambda, and not looked at.
    with contextlib.redirect_stdout(io.StringIO()):
        api, workers = (importlib.import_module(f"{name}.handler") for name in ("api", "workers"))
        world = World(telemetry=HeardTelemetry())
        ask = asking(api, workers, world)
        names = map("bench-{:06}".format, count(1))
        rows = {}
        for row, tenants in {"known": repeat("bench"), "new": names}.items():
            events = list(_events(world, tenants, requests + WARM_UP))
            gc.collect()
            gc.freeze()
            rows[row] = compared(partial(_own_time, ask, each) for each in events)
            gc.unfreeze()
    return rows


def _events(world: World, tenants: Iterator[str], turns: int) -> Iterator[Event]:
    """Requests of tenants, the second of each three by a key of its tenant's."""
    for _ in range(turns):
        for place in range(TURN):
            tenant = next(tenants)
            event = gateway_event("GET", PATH, claims={"client_id": tenant, "scope": SCOPES})
            key = key_factory(tenant=tenant)
            if place == 1:
                world.api_keys.put(None, key)
                event = by_key(event, text_of(key))
            yield event


def _own_time(ask: Ask, event: Event) -> float:
    began = time.thread_time()
    ask.api.handle(event, Context())
    return (time.thread_time() - began) * 1000


# --- a caller's time


def stack(requests: int) -> dict[str, Any]:
    """Measure a deployed stack of its own."""
    with TemporaryDirectory() as home, deployed(Path(home), auth=True) as local:
        tenants = [list(_keys(local, f"bench-{number}")) for number in range(TENANTS)]
        by_token, by_known = _request(local, None), _request(local, tenants[0][0])
        known = [by_token, by_known, by_token] * (requests + WARM_UP)
        return {"known": compared(known), "new": compared(_new(local, tenants))}


def _new(local: Stack, tenants: Iterable[Sequence[str]]) -> Iterator[Timed]:
    """Requests of keys that the process has not read, of tenants that their first key has shown."""
    by_token = _request(local, None)
    for first, *others in tenants:
        _request(local, first)()
        for key in others:
            yield from (by_token, _request(local, key), by_token)


def _keys(local: Stack, tenant: str) -> Iterator[str]:
    """Make a tenant, and keys for it."""
    asked = {"tenant": tenant, "quotas": AMPLE, "key": {"name": "0"}}
    yield local.admin.post("/v1/tenants", json=asked).raise_for_status().json()["key"]["api_key"]
    for number in range(1, KEYS):
        answer = local.admin.post(f"/v1/tenants/{tenant}/keys", json={"name": f"{number}"})
        yield answer.raise_for_status().json()["api_key"]


def _request(local: Stack, key: str | None) -> Timed:
    client, path, headers = local.api, PATH, {}
    if key is not None:
        path, headers = f"/key{PATH}", {"authorization": f"Bearer {key}"}

    def timed() -> float:
        began = time.perf_counter()
        answer: httpx.Response = client.get(path, headers=headers)
        taken = (time.perf_counter() - began) * 1000
        answer.raise_for_status()
        return taken

    return timed


if __name__ == "__main__":
    main()
