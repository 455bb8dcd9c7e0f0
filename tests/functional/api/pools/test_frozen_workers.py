"""A freeze begins while workers hold runs of a pool: the last holder's word counts (B4, N7)."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT, after
from tests.support.pools.worker_requests import BROKE, claim, offer, read, say
from timegate.domain.values.instants import rfc3339

#: The freeze outlasts the lease (60 s), the run's timeout and the pause between two looks (600 s).
FROZEN_SECONDS, TIMEOUT_SECONDS = 3_600, 120
FIRST_LOOK = 600
FROZEN_UNTIL = rfc3339(after(FROZEN_SECONDS))


def frozen(api: Api, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - as the API takes them
    """A run that a worker holds, and then a freeze of its tenant."""
    offer(api, timeout_seconds=TIMEOUT_SECONDS, **fields)
    (run,) = claim(api)
    freeze = {"scope": {"kind": "tenant"}, "ends_at": FROZEN_UNTIL, "thaw": "skip"}
    assert api.send("POST", "/v1/freezes", freeze).status == 201
    return run


def live(api: Api, seconds: float) -> list[dict[str, Any]]:
    """Another worker asks every half minute, and the sweeper ticks; the runs that it was given."""
    got: list[dict[str, Any]] = []
    for _ in range(int(seconds // 30)):
        api.world.clock.advance(30)
        api.world.sweep()
        got += claim(api, worker="another")
    return got


@pytest.mark.parametrize("seconds", [90, 300, FROZEN_SECONDS - 30], ids=str)
@pytest.mark.parametrize(
    ("what", "fields", "state"),
    [("complete", {"result": "done"}, "succeeded"), ("fail", {"error": BROKE}, "dead_lettered")],
    ids=["complete", "fail"],
)
def test_an_end_counts_that_arrives_in_a_freeze(
    api: Api, seconds: int, what: str, fields: dict[str, Any], state: str
) -> None:
    """Long after its lease and its timeout, though others asked for work all the time."""
    run = frozen(api, retry={"max_attempts": 1})
    others = live(api, seconds)
    answer = say(api, what, run, **fields)

    assert (others, answer.status) == ([], 200)
    assert read(api, run)["state"] == state


def test_a_heartbeat_brings_the_holder_back(api: Api) -> None:
    """Its lease lives again: at its end it is taken over as ever, once the freeze is over."""
    run = frozen(api)
    live(api, 90)
    beat = say(api, "heartbeat", run)
    lifted = api.send("GET", "/v1/freezes").body["items"][0]["freeze_id"]
    assert api.send("DELETE", f"/v1/freezes/{lifted}").status == 200
    api.world.clock.advance(59.999)
    early = claim(api, worker="another")
    api.world.clock.advance(0.001)
    (taken,) = claim(api, worker="another")

    assert beat.status == 200
    assert (early, taken["fence"]) == ([], 2)


def test_a_returned_holder_that_dies_again_is_looked_at_in_time(api: Api) -> None:
    """The look had moved to the freeze's end: the heartbeat moves it back to its lease."""
    run = frozen(api)
    live(api, 90)
    say(api, "heartbeat", run)
    (attempt,) = api.world.attempts()

    assert attempt.lease is not None
    assert attempt.watch_at is not None
    assert (attempt.watch_at - attempt.lease.expires_at).total_seconds() == 5


def test_a_heartbeat_after_the_timeout_ends_the_run(api: Api) -> None:
    """A freeze does not extend the run's time."""
    run = frozen(api)
    live(api, TIMEOUT_SECONDS)
    answer = say(api, "heartbeat", run)

    assert (answer.status, answer.code) == (409, "lease_lost")
    assert read(api, run)["attempts"][0]["state"] == "timed_out"


def test_after_the_freeze_the_run_is_begun_anew(api: Api) -> None:
    """By the next worker that asks, in the freeze's last instant and not before."""
    run = frozen(api)
    before = live(api, FROZEN_SECONDS - 30)
    api.world.clock.advance(29.999)
    last = claim(api, worker="another")
    api.world.clock.advance(0.001)
    (taken,) = claim(api, worker="another")
    late = say(api, "complete", run)

    assert (before, last) == ([], [])
    assert (taken["run_id"], taken["fence"]) == (run["run_id"], 2)
    assert (late.status, late.code) == (409, "lease_lost")
    assert say(api, "complete", taken).status == 200


def test_only_the_last_holder_is_heard(api: Api) -> None:
    """An earlier fence, and another tenant with the very token, are refused in a freeze as ever."""
    offer(api, timeout_seconds=TIMEOUT_SECONDS)
    (first,) = claim(api)
    api.world.clock.advance(60)
    (second,) = claim(api, worker="another")
    freeze = {"scope": {"kind": "tenant"}, "ends_at": FROZEN_UNTIL}
    assert api.send("POST", "/v1/freezes", freeze).status == 201
    live(api, 120)
    stale = say(api, "complete", first)
    foreign = say(api, "complete", second, tenant=OTHER_TENANT)

    assert (stale.status, stale.code) == (409, "lease_lost")
    assert foreign.status == 409
    assert say(api, "complete", second).status == 200


def test_resting_runs_hide_nothing_that_may_run(api: Api) -> None:
    """A look into a pool takes some entries of each lane: frozen ones must not fill it."""
    for _ in range(4):
        offer(api, name="resting", tags={"team": "billing"})
    held = claim(api, max=4)
    freeze = {
        "scope": {"kind": "tag", "key": "team", "value": "billing"},
        "ends_at": FROZEN_UNTIL,
    }
    assert api.send("POST", "/v1/freezes", freeze).status == 201
    api.world.clock.advance(61)
    hidden = claim(api, worker="another", max=4)
    shown = api.send("GET", "/v1/pools/reports").body["depth"]

    assert (len(held), hidden, shown) == (4, [], 0)


def test_a_resting_run_costs_a_write_in_ten_minutes(api: Api) -> None:
    """However often workers ask, and the sweeper looks."""
    frozen(api)
    live(api, 90)
    images = len(api.world.tables.images)
    live(api, FROZEN_SECONDS - 120)

    assert len(api.world.tables.images) - images <= FROZEN_SECONDS // FIRST_LOOK


def test_what_may_begin_once_ends_in_a_freeze(api: Api) -> None:
    """At most once: its worker's death is on record in time."""
    run = frozen(api, delivery="at_most_once")
    live(api, 120)

    assert read(api, run)["reason"] == "worker_died"
