"""Windows of triggers whose run a freeze holds back: they last longer than records of runs."""

from datetime import timedelta

import pytest

from tests.support.api import Api
from tests.support.factories import NOW
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.values.expiry import delete_expired
from timegate.domain.values.instants import rfc3339


def on_day(api: Api, days: float) -> None:
    """Step to so many days after the beginning, and delete all that has expired by then."""
    now = NOW + timedelta(days=days)
    api.world.clock.set(now)
    delete_expired(api.world.tables.engine, JOBS_TABLE, RUNS_TABLE, now=now)


@pytest.mark.parametrize("mode", ["first", "single"])
@pytest.mark.parametrize("days", [29, 31, 365])
def test_a_trigger_joins_a_run_that_is_frozen_for_longer_than_runs_are_kept(
    api: Api, mode: str, days: int
) -> None:
    """One run of a key waits, and not two; a freeze lasts 366 days at most."""
    until = rfc3339(NOW + timedelta(days=366))
    job = api.create(schedule={"kind": "manual"}, collapse={"mode": mode, "span_seconds": 5})
    freeze = {"scope": {"kind": "tenant"}, "ends_at": until, "thaw": "all"}
    assert api.send("POST", "/v1/freezes", freeze).status == 201
    first = api.trigger(job["job_id"])
    api.world.settle()
    on_day(api, days)
    second = api.trigger(job["job_id"])
    stands = api.send("GET", f"/v1/runs/{first.body['run_id']}").body

    assert second.body["reason"] == "collapsed"
    assert second.body["collapse"]["into"] == first.body["run_id"]
    assert stands["collapse"]["triggers"] == 2


def test_a_window_is_forgotten_in_the_end(api: Api) -> None:
    """After the longest freeze and the span for which a run is kept, counted from its trigger."""
    job = api.create(schedule={"kind": "manual"}, collapse={"mode": "single"})
    api.trigger(job["job_id"])
    items = api.world.tables.engine.items(JOBS_TABLE)
    (window,) = [item for item in items if str(item["sk"]).startswith("collapse#")]

    assert window["expires_at"] == int((NOW + timedelta(days=366 + 30)).timestamp())
