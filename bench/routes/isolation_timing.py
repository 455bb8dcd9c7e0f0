"""Times of answers to strangers, as a ratio per route: they must not tell what another tenant has.

    {"routes": {"getJob": {"foreign_ms": 0.61, "unknown_ms": 0.61, "ratio": 1.0, "noise": 1.02}}}

Each route is asked for a thing of another tenant's and for an id that never was, in turns, by
tenants who never asked before: the handler's processor time, on stores in memory, medians. Noise is
the same ratio of two halves of the unknown ones, which differ in nothing. Most of a request's time
are its calls to AWS: they are compared one by one elsewhere, and are the same
(``tests/functional/api/tenants/test_isolation.py``).

    python -m bench.routes.isolation_timing [REQUESTS] > bench/results/isolation_timing.json
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
from collections.abc import Iterator
from itertools import count
from statistics import median
from typing import Any

from api.http.route import Route
from bench.alternatives.origin import origin
from tests.functional.api.tenants.test_isolation import (
    GUESSED,
    WITH_ID,
    as_seen_by,
    parameter,
    within,
)
from tests.support.api import VARIABLES, Context, HeardTelemetry
from tests.support.documents.sample_requests import sample_of
from tests.support.tenants.asked import Ask, asking, body_for, event_for
from tests.support.tenants.sample_tenant import Inhabitant, inhabit
from tests.support.world import World

REQUESTS = 400
WARM_UP = 20
#: Names that every tenant may give: there is nothing to find out.
MEASURED = [route for route in WITH_ID if parameter(route) not in {"calendar", "pool"}]

_strangers = map("stranger-{:06}".format, count(1))


def events(route: Route, owner: Inhabitant, ids: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Requests of strangers, each for one of the ids."""
    name, query = parameter(route), sample_of(route).query
    for value in ids:
        who = next(_strangers)
        path = within(re.sub(rf"<{name}>", value, route.path))
        body = body_for(route, as_seen_by(owner, who, value) if route.by_lease else owner)
        yield event_for(who, route, path, body, query=query)


def own_time(ask: Ask, event: dict[str, Any]) -> float:
    """Milliseconds of processor time."""
    began = time.thread_time()
    ask.api.handle(event, Context())
    return (time.thread_time() - began) * 1000


def measured(route: Route, ask: Ask, owner: Inhabitant, requests: int) -> dict[str, float]:
    """A route's row."""
    name = parameter(route)
    # Foreign, unknown, unknown again: in turns, so that whatever else happens meets each of them.
    turn = (owner.ids[name][0], GUESSED[name], GUESSED[name])
    asked = list(events(route, owner, iter(turn * (requests + WARM_UP))))
    gc.collect()
    gc.freeze()
    times = [own_time(ask, event) for event in asked][WARM_UP * len(turn) :]
    gc.unfreeze()
    foreign, unknown, again = (median(times[place :: len(turn)]) for place in range(len(turn)))
    return {
        "foreign_ms": round(foreign, 3),
        "unknown_ms": round(unknown, 3),
        "ratio": round(foreign / unknown, 3),
        "noise": round(again / unknown, 3),
    }


def main() -> None:
    """Measure every route that takes an id."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    os.environ.update(VARIABLES)
    # Log lines and metrics are written as in Lambda, and not looked at.
    with contextlib.redirect_stdout(io.StringIO()):
        api, workers = (importlib.import_module(f"{name}.handler") for name in ("api", "workers"))
        rows = {}
        for route in MEASURED:
            world = World(telemetry=HeardTelemetry())
            ask, owner = asking(api, workers, world), inhabit(world, "acme")
            rows[route.operation] = measured(route, ask, owner, requests)
    ratios = sorted(row["ratio"] for row in rows.values())
    noises = sorted(row["noise"] for row in rows.values())
    summary = {"ratio": [ratios[0], ratios[-1]], "noise": [noises[0], noises[-1]]}
    print(
        json.dumps({**origin(), "requests": requests, "between": summary, "routes": rows}, indent=2)
    )


if __name__ == "__main__":
    main()
