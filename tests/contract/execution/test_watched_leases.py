"""``RunStore``: the watch instant moves with a lease, in the very write of the lease."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.factories import after, attempt_factory, lease_factory
from tests.support.stores.contract_stores import SHARD, Stores
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import minute_of
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef

FIRST, MOVED = after(600), after(90)


def watched_at(stores: Stores, attempt: Attempt) -> list[float]:
    """The instants, in seconds, under whose minutes the index shows the attempt."""
    ref = AttemptRef(tenant=attempt.tenant, id=attempt.id)
    return [
        seconds
        for seconds in (90, 600)
        if ref in stores.runs.overdue(minute_of(after(seconds)), SHARD, until=after(900))
    ]


def claimed(stores: Stores, *, moved: bool) -> Attempt:
    """A claimed attempt, first watched in ten minutes unless the claim moves that."""
    read = stores.add(attempt_factory(watch_at=FIRST))
    lease = lease_factory(fence=1)
    watch_at = MOVED if moved else None
    claim = LeaseClaim(attempt=read, job_version=1, lease=lease, watch_at=watch_at)
    assert stores.runs.claim_all([claim]) == [True]
    return stores.stored(read)


@pytest.mark.parametrize(("moved", "seconds"), [(True, 90), (False, 600)], ids=["moved", "kept"])
def test_a_claim_moves_the_watch_instant_or_leaves_it(
    stores: Stores, seconds: float, *, moved: bool
) -> None:
    """An attempt is in one bucket of the index, after any of its moves."""
    held = claimed(stores, moved=moved)

    assert held.watch_at == after(seconds)
    assert watched_at(stores, held) == [seconds]


def _hand_over(stores: Stores, held: Attempt, *, moved: bool) -> None:
    watch_at = MOVED if moved else None
    assert stores.runs.hand_over(held, expires_at=after(80), at=after(5), watch_at=watch_at)


def _extend(stores: Stores, held: Attempt, *, moved: bool) -> None:
    watch_at = MOVED if moved else None
    stores.runs.extend(held, expires_at=after(80), handed_over_at=after(5), watch_at=watch_at)


@pytest.mark.parametrize("write", [_hand_over, _extend], ids=["hand-over", "heartbeat"])
@pytest.mark.parametrize(("moved", "seconds"), [(True, 90), (False, 600)], ids=["moved", "kept"])
def test_a_lease_that_becomes_shorter_moves_it_too(
    stores: Stores, write: Callable[..., None], seconds: float, *, moved: bool
) -> None:
    """The lease is written in any case, and nothing else of the attempt."""
    held = claimed(stores, moved=False)
    assert held.lease is not None
    write(stores, held, moved=moved)
    lease = replace(held.lease, expires_at=after(80), handed_over_at=after(5))

    assert stores.stored(held) == replace(held, lease=lease, watch_at=after(seconds))
    assert watched_at(stores, held) == [seconds]
