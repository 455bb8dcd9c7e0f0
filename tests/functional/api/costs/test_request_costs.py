"""A request costs no more processor time than it counts, measured against a plain create.

Times are compared within one run. A plain create takes about 2 ms here; 25 of them are the 50 ms
that one request of a tenant's rate may cost.
"""

import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from tests.support.api import Api, new_job
from tests.support.values.effort import least
from timegate.domain.dags.expressions import names_in
from timegate.domain.limits.request_rate import requests_counted
from timegate.domain.values.credential_rules import CREDENTIALS

#: So many creates may one counted request cost.
ALLOWED = 25
#: A request is asked for so often at most, until it costs no more than that.
TRIES = 6
HINTS = " ".join(hint for rule in CREDENTIALS for hint in rule.hints)
#: A schedule whose fires are years apart.
RARE = {"kind": "cron", "cron": "0 0 29 2 1#5", "timezone": "Europe/Berlin"}
MINUTELY = {"kind": "cron", "cron": "* * * * *", "timezone": "Europe/Berlin"}
#: Each instant is looked for on years of days.
ODD = {
    "kind": "rrule",
    "rrule": "FREQ=SECONDLY;INTERVAL=999983;BYHOUR=3",
    "timezone": "Europe/Berlin",
    "starts_at": "1971-11-21T07:00:00Z",
}

#: The most instants of it are compared, on both sides.
SECONDLY = {"kind": "cron", "cron": "* * * * * *", "timezone": "Europe/Berlin"}


def task(number: int, **fields: object) -> dict[str, Any]:
    """A task that calls a web hook."""
    action = {"type": "webhook", "url": "https://hooks.example.com/report"}
    return {"key": f"t{number}", "job": {"action": action}, **fields}


def edges(count: int) -> list[dict[str, str]]:
    """From each of 500 tasks to the next four."""
    pairs = [(n, m) for n in range(500) for m in range(n + 1, min(500, n + 5))]
    return [{"source": f"t{n}", "target": f"t{m}"} for n, m in pairs[:count]]


def dag(*tasks: dict[str, Any], edge_count: int = 2_000) -> dict[str, Any]:
    """A DAG of these tasks."""
    return {"name": "large", "tasks": list(tasks), "edges": edges(edge_count)}


def with_payload(payload: object) -> Callable[[], dict[str, Any]]:
    """A job with it."""
    return lambda: new_job(payload=payload)


def periods(count: int) -> list[dict[str, str]]:
    """Half hours."""
    starts = [(n // 700 % 12 + 1, n // 25 % 28 + 1, n % 24) for n in range(count)]
    return [
        {"start": f"2027-{m:02}-{d:02}T{h:02}:00:00Z", "end": f"2027-{m:02}-{d:02}T{h:02}:30:00Z"}
        for m, d, h in starts
    ]


#: The dearest that was found of each, within what is accepted.
COSTLY: dict[str, tuple[str, Callable[[], object]]] = {
    "a payload of 240 KB": ("validateNewJob", with_payload(HINTS + "-eyJ-" * 48_000)),
    "words in it": ("validateNewJob", with_payload(HINTS + "-pa-pa" * 40_000)),
    "short texts": ("validateNewJob", with_payload([HINTS, *["Basic ab "] * 20_000])),
    "names": ("validateNewJob", with_payload({f"kA{n}b": 1 for n in range(20_000)})),
    "unknown fields": ("validateNewJob", lambda: new_job(**{f"k{n}": 1 for n in range(70_000)})),
    "a large job": ("createJob", with_payload(["abcdefg"] * 20_000)),
    "a hundred jobs": (
        "createJobs",
        lambda: {"jobs": [{**new_job(), "idempotency_key": f"k{n}"} for n in range(100)]},
    ),
    "a batch of large triggers": (
        "triggerMany",
        lambda: {"triggers": [{"payload": ["abcdefg"] * 90}] * 1000},
    ),
    "deadlines of odd instants": (
        "createJob",
        lambda: new_job(schedule=ODD, finish_by={"time": "06:00"}),
    ),
    "a rare schedule": ("previewSchedule", lambda: {"schedule": RARE, "count": 100}),
    "an edit of each second": ("previewJob", lambda: {"schedule": SECONDLY}),
    "a calendar": ("putCalendar", lambda: {"timezone": "Europe/Berlin", "periods": periods(1_000)}),
    "5,000 instants": (
        "simulate",
        lambda: {
            "schedule": MINUTELY,
            "from": "2026-10-20T00:00:00Z",
            "to": "2026-10-23T11:00:00Z",
        },
    ),
    "500 tasks": ("validateNewDag", lambda: dag(*map(task, range(500)))),
    "30,000 references": (
        "validateNewDag",
        lambda: dag(
            *(task(n, input=[{"$ref": f"run.a{m}x{n}"} for m in range(60)]) for n in range(500)),
            edge_count=400,
        ),
    ),
    "long references": (
        "validateNewDag",
        lambda: dag(
            *(task(n, input=[{"$ref": f"run.{'[x,y]|' * 45}a{n}"}]) for n in range(500)),
            edge_count=400,
        ),
    ),
}


def asking(api: Api, route: Route, body: object) -> Callable[[], float]:
    """Ask for it anew, and measure: no request remembers another."""
    path = route.path.replace("<calendar>", "large")
    if "<job_id>" in path:
        job = api.send("POST", "/v1/jobs", new_job(schedule={"kind": "rate", "every_seconds": 1}))
        path = path.replace("<job_id>", job.body["job_id"])

    def ask() -> float:
        names_in.cache_clear()
        began = process_time()
        answer = api.send(route.method, path, body)
        seconds = process_time() - began

        assert answer.status < 300 or answer.status == 400, answer.body
        return seconds

    return ask


def route_of(operation: str) -> Route:
    """The route of an operation."""
    return next(route for route in ROUTES if route.operation == operation)


@pytest.mark.parametrize(("operation", "body"), COSTLY.values(), ids=COSTLY)
def test_a_request_costs_no_more_than_it_counts(
    api: Api, plain: float, operation: str, body: Callable[[], object]
) -> None:
    """A tenant's 500 requests a second cost at most 50 ms each."""
    route, sent = route_of(operation), body()
    counted = requests_counted(route.weight, len(json.dumps(sent)), route.bytes_for_one)
    allowed = ALLOWED * counted * plain

    assert least(asking(api, route, sent), TRIES, allowed) <= allowed


def test_the_rate_is_kept_by_weight(api: Api) -> None:
    """Simulations are refused long before plain requests are."""
    api.send("PUT", "/v1/tenants/acme", {"quotas": {"requests_per_second": 50, "burst": 100}})
    api.world.clock.advance(60)
    scenario = {"schedule": MINUTELY, "from": "2026-10-20T00:00:00Z", "to": "2026-10-20T00:05:00Z"}
    answers = [api.send("POST", "/v1/simulate", scenario).status for _ in range(4)]

    assert answers == [200, 200, 429, 429]
