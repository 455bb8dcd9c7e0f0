"""The sweeper looks at an attempt at its watch instant, and acts on its state."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import (
    MAX_LEASES,
    Abandon,
    BuryKiller,
    LookAgain,
    Publish,
    QueueDepth,
    TimeOut,
    Verdict,
    first_watch,
    is_unsure,
    judge,
    moved_look,
)

AT_MOST_ONCE = DeliveryMode.AT_MOST_ONCE
OFFER = Offer(pool="reports", handler="sales")


@pytest.mark.parametrize(
    ("state", "due", "expected"),
    [
        pytest.param(RunState.WAITING, 3600, 3000, id="ten minutes before it is due"),
        pytest.param(RunState.QUEUED, 3600, 3660, id="a minute after"),
        pytest.param(RunState.QUEUED, 0, 60, id="due now"),
        pytest.param(RunState.QUEUED, -3600, 60, id="caught up: from now on"),
    ],
)
def test_the_first_look(state: RunState, due: float, expected: float) -> None:
    """Early enough to queue what waits, late enough to let a queue do its work."""
    assert after(expected) == first_watch(state, after(due), now=NOW)


@pytest.mark.parametrize(
    ("at", "verdict"),
    [
        pytest.param(59.999, LookAgain(at=after(60)), id="patient"),
        pytest.param(60, LookAgain(at=after(120)), id="its queue is busy"),
        pytest.param(900, LookAgain(at=after(1800)), id="the distance grows with the wait"),
        pytest.param(901, Publish(watch_at=after(1801)), id="too long for a backlog"),
        pytest.param(3600, Publish(watch_at=after(4500)), id="every fifteen minutes at most"),
    ],
)
def test_patience_with_what_is_caught_up_begins_at_its_creation(
    at: float, verdict: Verdict
) -> None:
    """It could not be claimed before, and a backlog must not be amplified."""
    late = attempt_factory(due_at=after(-7200), created_at=NOW)

    assert verdict == judge(late, now=after(at), load=QueueDepth.READY)


@pytest.mark.parametrize(
    ("due", "watch"),
    [
        pytest.param(600, 660, id="on time"),
        pytest.param(-60, 60, id="found late: from now on"),
    ],
)
def test_what_waits_is_queued(due: float, watch: float) -> None:
    """And looked at again, once its message should have been claimed."""
    waiting = attempt_factory(state=RunState.WAITING, due_at=after(due))

    assert judge(waiting, now=NOW, load=QueueDepth.READY) == Publish(watch_at=after(watch))


def held(
    *,
    expires: float,
    deadline: float,
    fence: int = 1,
    alone: int | None = None,
    length: int | None = 60,
    handed_over: bool = False,
    **fields: Any,  # noqa: ANN401 - as the attempt takes them
) -> Attempt:
    """Running, with a lease that expires and a deadline, in seconds from now.

    Every lease but the first was taken beside no other run, unless ``alone`` says how many.
    """
    lease = lease_factory(
        expires_at=after(expires),
        deadline_at=after(deadline),
        fence=fence,
        length=timedelta(seconds=length) if length is not None else None,
    )
    if handed_over:
        lease = replace(lease, handed_over_at=after(-60))
    taken_alone = fence - 1 if alone is None else alone
    return replace(running(lease=lease), alone=taken_alone, **fields)


@pytest.mark.parametrize(
    ("attempt", "expected"),
    [
        pytest.param(held(expires=30, deadline=60), LookAgain(at=after(40)), id="alive"),
        pytest.param(held(expires=60, deadline=30), LookAgain(at=after(70)), id="out of time soon"),
        pytest.param(
            held(expires=60, deadline=30, handed_over=True),
            LookAgain(at=after(35)),
            id="its target is out of time soon",
        ),
        pytest.param(
            held(expires=-9.999, deadline=60), LookAgain(at=after(0.001)), id="just expired"
        ),
        pytest.param(held(expires=-10, deadline=60), Publish(watch_at=after(60)), id="dead"),
        pytest.param(
            held(expires=51, deadline=-9.999), LookAgain(at=after(0.001)), id="just out of time"
        ),
        pytest.param(held(expires=50.001, deadline=-10), TimeOut(), id="renewed out of time"),
        pytest.param(
            held(expires=50, deadline=-10), LookAgain(at=after(60)), id="perhaps dead in time"
        ),
        pytest.param(
            held(expires=5.001, deadline=-10, length=15), TimeOut(), id="a short one, renewed"
        ),
        pytest.param(
            held(expires=5, deadline=-10, length=15),
            LookAgain(at=after(15)),
            id="a short one, perhaps dead in time",
        ),
        pytest.param(
            held(expires=80.001, deadline=-10, length=None), TimeOut(), id="of unknown length"
        ),
        pytest.param(
            held(expires=80, deadline=-10, length=None),
            LookAgain(at=after(90)),
            id="of unknown length, perhaps dead in time",
        ),
        pytest.param(
            held(expires=60, deadline=-4.999, handed_over=True),
            LookAgain(at=after(0.001)),
            id="its target: just out of time",
        ),
        pytest.param(
            held(expires=60, deadline=-5, handed_over=True),
            TimeOut(),
            id="its target: out of time",
        ),
        pytest.param(
            held(expires=-4.999, deadline=60, delivery=AT_MOST_ONCE),
            LookAgain(at=after(0.001)),
            id="at most once: just expired",
        ),
        pytest.param(
            held(expires=-5, deadline=60, delivery=AT_MOST_ONCE), Abandon(), id="at most once: dead"
        ),
        pytest.param(
            held(expires=-4.999, deadline=60, offer=OFFER),
            LookAgain(at=after(0.001)),
            id="a pool's: just expired",
        ),
        pytest.param(
            held(expires=-5, deadline=60, offer=OFFER), Publish(watch_at=after(60)), id="a pool's"
        ),
        pytest.param(
            held(expires=-10, deadline=-10), Publish(watch_at=after(60)), id="dead and out of time"
        ),
        pytest.param(
            held(expires=-10, deadline=60, fence=MAX_LEASES - 1),
            Publish(watch_at=after(60)),
            id="dead, one lease left",
        ),
        pytest.param(
            held(expires=-10, deadline=60, fence=MAX_LEASES), BuryKiller(), id="dead, none left"
        ),
        pytest.param(
            held(expires=-10, deadline=60, fence=MAX_LEASES, alone=MAX_LEASES - 2),
            Publish(watch_at=after(60)),
            id="dead, twice beside others",
        ),
        pytest.param(
            held(expires=60, deadline=60, fence=MAX_LEASES),
            LookAgain(at=after(70)),
            id="alive on its last lease",
        ),
        pytest.param(
            attempt_factory(state=RunState.RUNNING, lease=None),
            Publish(watch_at=after(60)),
            id="no lease at all",
        ),
    ],
)
def test_what_runs_is_judged_by_its_lease_and_its_deadline(
    attempt: Attempt, expected: Verdict
) -> None:
    """Ten seconds after either has passed: a redelivered message should come first.

    Five where no message comes again.
    """
    assert expected == judge(attempt, now=NOW, load=QueueDepth.IDLE)


@pytest.mark.parametrize("seconds", [90, 3600], ids=["soon", "an hour later"])
def test_an_offer_is_left_to_its_pool(seconds: float) -> None:
    """No message can be lost: a worker that looks for work finds it, whenever that is."""
    offered = attempt_factory(offer=OFFER)

    assert judge(offered, now=after(seconds), load=QueueDepth.IDLE) == LookAgain(
        at=after(seconds + 600)
    )


@pytest.mark.parametrize("load", list(QueueDepth), ids=lambda load: load.name)
@pytest.mark.parametrize(
    ("at", "expected"),
    [
        pytest.param(9.999, LookAgain(at=after(10)), id="its creator may still publish it"),
        pytest.param(10, Publish(watch_at=after(70)), id="its creator may have died"),
        pytest.param(300, Publish(watch_at=after(600)), id="found late"),
    ],
)
def test_an_unconfirmed_direct_publication_is_repeated_once(
    at: float, expected: Verdict, load: QueueDepth
) -> None:
    """In seconds, however busy its queue is; after that it is one of the queue's backlog."""
    first = first_watch(RunState.QUEUED, NOW, now=NOW, direct=True)
    direct = attempt_factory(direct=True, watch_at=first)

    assert judge(direct, now=after(at), load=load) == expected


@pytest.mark.parametrize(
    ("attempt", "expected"),
    [
        pytest.param(attempt_factory(direct=True, watch_at=after(10)), True, id="new"),
        pytest.param(attempt_factory(direct=True, watch_at=after(10.001)), False, id="looked at"),
        pytest.param(attempt_factory(watch_at=after(10)), False, id="the stream's"),
        pytest.param(
            attempt_factory(
                direct=True, watch_at=after(10), offer=Offer(pool="reports", handler="sales")
            ),
            False,
            id="offered",
        ),
        pytest.param(running(attempt_factory(direct=True)), False, id="claimed"),
    ],
)
def test_a_publication_is_unsure_until_a_look(attempt: Attempt, *, expected: bool) -> None:
    """Only one that its creator should have made."""
    assert is_unsure(attempt) is expected


@pytest.mark.parametrize(
    ("known", "expires", "moved"),
    [
        pytest.param(60, 50, None, id="at the limit"),
        pytest.param(60.001, 50, 60, id="too late for this lease"),
        pytest.param(0.001, 50, None, id="soon"),
        pytest.param(0, 50, 60, id="passed: the sweeper may be moving it"),
    ],
)
def test_a_look_moves_with_a_lease_only_where_it_would_come_too_late(
    known: float, expires: float, moved: float | None
) -> None:
    """Ten seconds after the lease's expiry at the latest; an index is not written without need.

    Five seconds where no message comes again.
    """
    expected = after(moved) if moved is not None else None
    look = after(known)

    assert moved_look(look, after(expires), now=NOW, returns=True) == expected
    assert moved_look(look, after(expires + 5), now=NOW, returns=False) == expected
    assert moved_look(None, after(expires), now=NOW, returns=True) == after(expires + 10)
    assert moved_look(None, after(expires), now=NOW, returns=False) == after(expires + 5)
