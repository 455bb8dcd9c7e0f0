"""``timegate pools pause`` and ``resume`` on the command line."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok

Timegate = Callable[..., Outcome]

PAUSE = {
    "since": "2026-11-21T07:00:00.000Z",
    "until": "2026-11-21T09:00:00.000Z",
    "by": "ops",
    "reason": "Moving.",
}
STANDING = {"pool": "reports", "pause": PAUSE, "last_seen_at": None}


def test_a_pool_is_paused_with_its_terms(api: FakeApi, timegate: Timegate) -> None:
    """The answer says so, and that no worker was ever seen: the name may be a slip."""
    api.will(ok(STANDING))
    terms = ("--until", "2026-11-21T09:00:00Z", "--reason", "Moving.")
    outcome = timegate("pools", "pause", "reports", *terms)
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]

    assert api.asked == ["POST /v1/pools/reports/pause"]
    assert json.loads(api.calls[-1].content) == {
        "reason": "Moving.",
        "until": "2026-11-21T09:00:00.000Z",
    }
    assert lines[1].startswith("paused since 2026-11-21 07:00:00 until 2026-11-21 09:00:00 by ops")
    assert lines[-1] == "last seen not in 90 days"


def test_a_length_counts_from_now(api: FakeApi, timegate: Timegate) -> None:
    """In the machine's own time; without an end, none is said."""
    api.will(ok(STANDING), ok(STANDING))
    timegate("pools", "pause", "reports", "--for", "2h")
    timegate("pools", "pause", "reports")
    first, second = api.calls[-2:]

    assert set(json.loads(first.content)) == {"until"}
    assert second.content == b""


def test_two_ends_are_refused(api: FakeApi, timegate: Timegate) -> None:
    """Nothing is sent."""
    ends = ("--for", "2h", "--until", "2026-11-21T09:00:00Z")
    outcome = timegate("pools", "pause", "reports", *ends)

    assert outcome.code == 2
    assert "At most one of --until and --for" in outcome.err
    assert api.asked == []


@pytest.mark.parametrize("seen_at", [None, "2026-11-21T07:00:00.000Z"])
def test_a_pool_is_resumed(api: FakeApi, timegate: Timegate, seen_at: str | None) -> None:
    """It says that it is not paused any more."""
    api.will(ok({"pool": "reports", "pause": None, "last_seen_at": seen_at}))
    outcome = timegate("pools", "resume", "reports")

    assert api.asked == ["POST /v1/pools/reports/resume"]
    assert ["paused", "no"] in [line.split() for line in outcome.out.splitlines()]
