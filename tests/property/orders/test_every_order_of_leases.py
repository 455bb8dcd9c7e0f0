"""Leases in every order: each state that few workers, time-outs and a cancel can lead to.

The machine of ``test_leases`` plays at random and for long. Here all of its steps are taken in
every order, in a scope that is small enough for it, on the stores and use cases of production.
"""

import pytest

from tests.property.orders.leases import LeaseGame, Scope
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.run import RunState

#: One lease, and its end or any time-out.
ONE_WORKER = Scope(workers=1, passes=1)
#: The second may take over from the first.
TWO_WORKERS = Scope(workers=2, passes=1)
CANCELLED = Scope(workers=2, passes=1, cancels=1)

#: States of runs that no caller cancels.
WITHOUT_CANCELS = {
    RunState.QUEUED,
    RunState.RUNNING,
    RunState.SUCCEEDED,
    RunState.FAILED,
    RunState.TIMED_OUT,
}


@pytest.mark.parametrize("mode", DeliveryMode)
def test_promises_hold_in_every_order_of_one_worker(mode: DeliveryMode) -> None:
    game = LeaseGame(mode, ONE_WORKER)

    assert game.explore()
    assert game.reached == WITHOUT_CANCELS
    assert game.calls == 1


@pytest.mark.wide
@pytest.mark.parametrize("mode", DeliveryMode)
def test_promises_hold_in_every_order_of_two_workers(mode: DeliveryMode) -> None:
    game = LeaseGame(mode, TWO_WORKERS)

    assert game.explore()
    assert game.reached == WITHOUT_CANCELS
    assert game.calls == _most_calls(mode)


@pytest.mark.deep
@pytest.mark.parametrize("mode", DeliveryMode)
def test_promises_hold_in_every_order_of_two_workers_and_a_cancel(mode: DeliveryMode) -> None:
    game = LeaseGame(mode, CANCELLED)

    assert game.explore()
    assert game.reached == WITHOUT_CANCELS | {RunState.CANCELLED}
    assert game.calls == _most_calls(mode)


def _most_calls(mode: DeliveryMode) -> int:
    """Each worker calls at most once, and ``at_most_once`` lets one call."""
    return 1 if mode is DeliveryMode.AT_MOST_ONCE else 2
