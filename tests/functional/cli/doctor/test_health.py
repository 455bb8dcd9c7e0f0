"""``timegate health`` on the command line."""

from collections.abc import Callable

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]


def test_problems_are_told_with_what_to_do(timegate: Timegate, api: FakeApi) -> None:
    """The exit code tells a script that the stage is unhealthy."""
    api.will(ok(answered("getHealth")))
    outcome = timegate("health")

    assert outcome.code == 4
    assert "unhealthy [no_shard_open]: No shard is open" in outcome.out
    assert "docs/operations/runbooks.md#planner-silence" in outcome.out
    assert "normal-short" in outcome.out


def test_a_healthy_stage_is_said_to_be_one(timegate: Timegate, api: FakeApi) -> None:
    """With the lag of its worst shard, and the oldest audit."""
    healthy = answered("getHealth", status="healthy", problems=[], lanes=None)
    healthy["shards"] |= {"open": 2, "planner_lag_seconds": 125, "sweeper_lag_seconds": 0}
    healthy["audit"] |= {"oldest_at": "2026-11-21T06:55:00.000Z"}
    api.will(ok(healthy))
    outcome = timegate("health")

    assert outcome.code == 0
    assert "Nothing is wrong." in outcome.out
    assert "125 s behind in the worst shard" in outcome.out
    assert "2 open, 0 behind" in outcome.out
    assert timegate("health", "--json").json["status"] == "healthy"


def test_findings_are_counted(timegate: Timegate, api: FakeApi) -> None:
    """By instants and records, and when the last one was."""
    found = answered("getHealth", status="degraded")
    found["audit"] |= {"found_at": "2026-11-21T06:55:00.000Z", "unaccounted": 3, "lost": 1}
    api.will(ok(found))
    outcome = timegate("health")

    assert outcome.code == 0
    assert "3 instants, 1 records, last at 2026-11-21 06:55:00" in outcome.out
