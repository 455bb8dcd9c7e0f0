"""A claim meets a failure after it has leased runs: they reach their worker all the same."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import claim, offer, read
from timegate.domain.jobs.demands import Priority
from timegate.domain.values.errors import Throttled
from timegate.ports.pools import Shelf
from timegate.ports.stores import AttemptRef, Loaded

PATH = "/v1/pools/reports/claim"


def strike(api: Api, patch: pytest.MonkeyPatch, at: Priority, error: Exception) -> None:
    """Let the query for offers of one priority fail."""
    offered = api.world.pools.offered

    def struck(shelf: Shelf, **asked: Any) -> Any:  # noqa: ANN401 - as the store has it
        if shelf.priority is at:
            raise error
        return offered(shelf, **asked)

    patch.setattr(api.world.pools, "offered", struck)


@pytest.mark.parametrize("at", [Priority.NORMAL, Priority.LOW], ids=str)
@pytest.mark.parametrize(
    "error", [Throttled("busy"), OSError("the network is gone")], ids=["throttled", "failed"]
)
def test_runs_that_are_leased_reach_their_worker(
    api: Api, monkeypatch: pytest.MonkeyPatch, at: Priority, error: Exception
) -> None:
    """It would be taken for dead, and the run for what killed it."""
    offer(api, priority="high")
    strike(api, monkeypatch, at, error)
    (run,) = claim(api, max=2)
    told = api.world.telemetry.named("claim_failed")

    assert read(api, run)["state"] == "running"
    assert [each.fields["code"] for each in told] == [getattr(error, "code", "OSError")]


def test_a_claim_that_leased_nothing_is_refused(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker asks again, and gets the run then."""
    offer(api, priority="low")
    with monkeypatch.context() as patch:
        strike(api, patch, Priority.HIGH, Throttled("busy"))
        refused = api.send("POST", PATH, {"worker": "host-7"})

    assert refused.status == 503
    assert len(claim(api)) == 1


def test_a_second_batch_of_claims_takes_none_from_the_first(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the first two is claimed by another worker meanwhile; looking further is refused."""
    for _ in range(3):
        offer(api)
    load_all, calls = api.world.runs.load_all, []

    def busy(refs: Sequence[AttemptRef]) -> list[Loaded]:
        calls.append(refs)
        if len(calls) > 1:
            raise Throttled("busy")
        first, second = load_all(refs)
        return [first, replace(second, attempt=None)]

    monkeypatch.setattr(api.world.runs, "load_all", busy)

    assert len(claim(api, max=2)) == 1
    assert len(calls) == 2


def test_an_unreadable_neighbour_takes_no_run_with_it(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Showing it later is refused."""
    for _ in range(2):
        offer(api)
    load_all = api.world.runs.load_all

    def damaged(refs: Sequence[AttemptRef]) -> list[Loaded]:
        first, second = load_all(refs)
        return [first, replace(second, unreadable="no state")]

    monkeypatch.setattr(api.world.runs, "load_all", damaged)
    monkeypatch.setattr(api.world.pools, "put_off", Mock(side_effect=Throttled("busy")))

    assert len(claim(api, max=2)) == 1
