"""Queued runs that no worker claims: when the sweeper presumes that their messages are lost."""

import pytest

from tests.support.factories import NOW, after, attempt_factory
from timegate.domain.runs.watch import LookAgain, Publish, QueueDepth, Verdict, judge


@pytest.mark.parametrize("load", list(QueueDepth), ids=lambda load: load.name)
@pytest.mark.parametrize(
    ("overdue", "expected"),
    [
        pytest.param(-60, LookAgain(at=after(120)), id="not due yet"),
        pytest.param(59.999, LookAgain(at=after(0.001)), id="patience left"),
    ],
)
def test_a_message_is_given_time(overdue: float, expected: Verdict, load: QueueDepth) -> None:
    """The depth of the queue does not shorten that time."""
    queued = attempt_factory(due_at=after(-overdue), created_at=after(-3600))

    assert expected == judge(queued, now=NOW, load=load)


@pytest.mark.parametrize(
    ("overdue", "load", "expected"),
    [
        pytest.param(
            60, QueueDepth.IDLE, Publish(watch_at=after(60)), id="lost: the queue is empty"
        ),
        pytest.param(
            60, QueueDepth.READY, LookAgain(at=after(60)), id="most likely in the backlog"
        ),
        pytest.param(
            900, QueueDepth.READY, LookAgain(at=after(900)), id="a quarter of an hour of backlog"
        ),
        pytest.param(900.001, QueueDepth.READY, Publish(watch_at=after(900)), id="more than that"),
    ],
)
def test_an_unclaimed_message_is_presumed_lost(
    overdue: float, expected: Verdict, load: QueueDepth
) -> None:
    """At once when its queue is empty, after a quarter of an hour when it never is."""
    queued = attempt_factory(due_at=after(-overdue), created_at=after(-3600))

    assert expected == judge(queued, now=NOW, load=load)


@pytest.mark.parametrize(
    ("overdue", "watched", "expected"),
    [
        pytest.param(60, 60, Publish(watch_at=after(60)), id="the first look"),
        pytest.param(75, 60, Publish(watch_at=after(75)), id="the first look, late"),
        pytest.param(75, 60.001, LookAgain(at=after(75)), id="put off before"),
        pytest.param(900, 450, LookAgain(at=after(900)), id="again and again"),
        pytest.param(900.001, 450, Publish(watch_at=after(900)), id="longer than a backlog"),
    ],
)
def test_a_message_that_a_worker_took_and_never_claimed_is_sent_once_more(
    overdue: float, watched: float, expected: Verdict
) -> None:
    """No message waits in its queue, so a worker has received it, and died before its claim.

    ``watched``: the watch instant, in seconds after the run was due.
    """
    due_at, watch_at = after(-overdue), after(watched - overdue)
    queued = attempt_factory(due_at=due_at, created_at=after(-3600), watch_at=watch_at)

    assert judge(queued, now=NOW, load=QueueDepth.IN_FLIGHT) == expected
