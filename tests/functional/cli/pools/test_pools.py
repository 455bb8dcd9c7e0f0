"""``timegate pools`` and ``timegate worker`` on the command line."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from timegate.worker import Worker

Timegate = Callable[..., Outcome]

POOL = {
    "pool": "reports",
    "depth": 3,
    "depth_is_partial": False,
    "depth_by_priority": {"critical": 0, "high": 2, "normal": 1, "low": 0},
    "oldest_age_seconds": 12.5,
    "workers": [
        {
            "worker": "host-7",
            "seen_at": "2026-11-21T07:00:12.500Z",
            "handlers": ["sales"],
            "capacity": 4,
            "in_use": 3,
        },
        {
            "worker": "host-8",
            "seen_at": "2026-11-21T07:00:13.500Z",
            "handlers": [],
            "capacity": None,
            "in_use": None,
        },
    ],
    "capacity": 4,
    "in_use": 3,
    "last_seen_at": "2026-11-21T07:00:13.500Z",
    "pause": None,
}


def test_a_pool_shows_what_waits_and_who_comes(api: FakeApi, timegate: Timegate) -> None:
    """It shows waiting runs by priority, the oldest one's age, and the workers."""
    api.will(ok(POOL))
    outcome = timegate("pools", "get", "reports")
    words = [line.split() for line in outcome.out.splitlines()]

    assert api.asked == ["GET /v1/pools/reports"]
    assert words[:5] == [
        ["pool", "reports"],
        ["waiting", "3", "(2", "high,", "1", "normal)"],
        ["oldest", "12.5", "s"],
        ["in", "use", "3", "of", "4"],
        ["last", "seen", "2026-11-21", "07:00:13"],
    ]
    assert words[5] == ["paused", "no"]
    assert [line[0] for line in words[6:]] == ["worker", "host-7", "host-8"]
    assert (words[-2][-4:], words[-1][-2:]) == (["3", "of", "4", "sales"], ["-", "all"])


def test_an_empty_pool_shows_nothing(api: FakeApi, timegate: Timegate) -> None:
    """JSON output is the API's answer."""
    empty = {**POOL, "depth": 0, "depth_by_priority": {}, "oldest_age_seconds": None}
    api.will(ok({**empty, "workers": []}))

    assert timegate("pools", "get", "reports").out.split()[:4] == [
        "pool",
        "reports",
        "waiting",
        "0",
    ]
    assert json.loads(timegate("pools", "get", "reports", "--json").out)["depth"] == 0


def test_pools_are_listed_with_who_serves_them(api: FakeApi, timegate: Timegate) -> None:
    """A pool without workers says so; offers that were not counted are a dash."""
    oldest = "2026-11-21T04:00:00.000Z"
    waiting = {"count": 25, "is_partial": True, "oldest_at": oldest}
    silent = {"capacity": None, "in_use": None, "pause": None}
    unserved = {"pool": "reports", "workers": 0, "last_seen_at": None, "jobs": 2, **silent}
    served = {"pool": "etl", "workers": 3, "last_seen_at": oldest, "jobs": 0, "waiting": None}
    served |= {**silent, "capacity": 8}
    api.will(ok({"pools": [{**unserved, "waiting": waiting}, served], "is_partial": True}))
    output = timegate("pools", "list").out

    assert api.asked == ["GET /v1/pools"]
    assert "not in 90 days" in output
    assert "? of 8" in output
    assert "at least 25" in output
    assert [line.split()[0] for line in output.splitlines()[1:3]] == ["reports", "etl"]
    assert "there may be more pools" in output


def test_no_pools_are_a_sentence(api: FakeApi, timegate: Timegate) -> None:
    """No table without lines."""
    api.will(ok({"pools": [], "is_partial": False}))

    assert "no job names a pool" in timegate("pools", "list").out


def test_a_job_is_offered_in_a_pool(api: FakeApi, timegate: Timegate) -> None:
    """The options name it like any other target."""
    api.will(ok({}, 201))
    timegate(
        *("jobs", "create", "--name", "x", "--now", "--pool", "reports", "--handler", "sales"),
        "--json",
    )

    assert json.loads(api.calls[-1].content)["action"] == {
        "type": "worker",
        "pool": "reports",
        "handler": "sales",
    }


def test_a_worker_is_run_by_its_name(timegate: Timegate, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module, and what it calls its worker."""
    ran: list[str] = []
    monkeypatch.setattr(Worker, "run", lambda worker: ran.append(worker.pool))
    outcome = timegate("worker", "run", "examples.worker.closing:worker")

    assert (outcome.code, ran) == (0, ["ledgers"])


@pytest.mark.parametrize(
    ("where", "why"),
    [("no_such_module:worker", "cannot be imported"), ("examples.worker.closing:x", "no worker")],
)
def test_what_is_no_worker_is_refused(timegate: Timegate, where: str, why: str) -> None:
    """Before anything is claimed."""
    outcome = timegate("worker", "run", where)

    assert outcome.code == 2
    assert why in " ".join(outcome.err.split())
