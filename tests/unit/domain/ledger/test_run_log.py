"""The log of a run: what its records say, in the order in which it happened."""

from tests.support.factories import NOW, after, attempt_factory, attempt_id, running
from tests.support.operations.burying import dead_factory, resolution_factory
from timegate.domain.ledger.run_log import LogKind, log_of
from timegate.domain.runs.checkpoint import Checkpoint, Progress


def test_a_run_that_waits_was_created() -> None:
    """And nothing else happened."""
    (line,) = log_of([attempt_factory()])

    assert (line.at, line.attempt, line.kind) == (NOW, 1, LogKind.CREATED)


def test_lines_are_in_the_order_of_their_instants() -> None:
    """Attempts in any order give one log; lines of one instant keep the run's course."""
    first = dead_factory(0, started_at=NOW, resolution=resolution_factory())
    second = attempt_factory(id=attempt_id(2), created_at=after(5))
    kinds = [line.kind for line in log_of([second, first])]

    assert kinds == [
        *[LogKind.CREATED, LogKind.STARTED, LogKind.ENDED, LogKind.SETTLED],
        LogKind.CREATED,
    ]


def test_what_a_worker_said_and_kept_is_in_it() -> None:
    """A checkpoint that an attempt inherited is its predecessor's, and not said twice."""
    progress = Progress(percent=12.5, message="page 3", at=after(1))
    own = Checkpoint(sequence=4, inline="4", size_bytes=1, written_at=after(2), fence=3)
    held = running(attempt_factory(progress=progress, checkpoint=own, fenced_from=2))
    heir = attempt_factory(id=attempt_id(2), checkpoint=own, fenced_from=3, fence=3)
    texts = [(line.attempt, line.text) for line in log_of([held, heir])]

    assert (1, "12.5 %, page 3") in texts
    assert [number for number, text in texts if text == "checkpoint 4, 1 bytes"] == [1]


def test_progress_may_say_nothing_but_that_there_is_some() -> None:
    """A worker that cannot tell how far it is."""
    held = running(attempt_factory(progress=Progress(at=after(1))))

    assert [line.text for line in log_of([held]) if line.kind is LogKind.PROGRESS] == ["at work"]
