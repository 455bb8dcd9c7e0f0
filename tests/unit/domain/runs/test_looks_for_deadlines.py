"""The sweeper looks at a run with a deadline behind that deadline."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE, look_limit, looked_at_for_finish, moved_look

#: A millisecond behind a deadline: an end at the deadline is in time.
PAST = 0.001
JUDGED = {"is_judged": True, "usual_ms": 100_000}


def finish(by: float, **fields: Any) -> Finish:  # noqa: ANN401 - as the dataclass takes them
    """A deadline in so many seconds."""
    return Finish(by=after(by), **fields)


def looked_at(finish: Finish | None, *, watch: float = 3600, **fields: Any) -> Attempt:  # noqa: ANN401
    """A queued run that is due now and would be looked at then, as it is watched."""
    given = {"due_at": NOW, "watch_at": after(watch), "finish": finish}
    return looked_at_for_finish(attempt_factory(**(given | fields)), now=NOW)


@pytest.mark.parametrize(
    ("deadline", "expected"),
    [
        pytest.param(None, 60, id="without"),
        pytest.param(finish(59.998), 59.999, id="before-the-lease-is-over"),
        pytest.param(finish(59.999), 60, id="as-the-lease-is-over"),
        pytest.param(finish(60), 60, id="behind-it"),
        pytest.param(finish(20, will_be_late=True), 20 + PAST, id="expected-too-late"),
        pytest.param(finish(20, missed=True), 60, id="missed-and-told"),
    ],
)
def test_a_lease_is_looked_at_behind_its_deadline(deadline: Finish | None, expected: float) -> None:
    """Unless its miss was told: then the lease alone decides."""
    for expires, returns in ((50, True), (55, False)):
        assert look_limit(after(expires), returns=returns, finish=deadline) == after(expected)
        assert moved_look(None, after(expires), now=NOW, returns=returns, finish=deadline) == after(
            expected
        )


@pytest.mark.parametrize(
    ("deadline", "expected"),
    [
        pytest.param(None, 3600, id="without"),
        pytest.param(finish(300, missed=True), 3600, id="missed-and-told"),
        pytest.param(finish(300, will_be_late=True, **JUDGED), 300 + PAST, id="lateness-told"),
        pytest.param(finish(300, **JUDGED), 200 + PAST, id="its-forecast-passes-then"),
        pytest.param(finish(100, **JUDGED), PAST, id="fits-to-the-millisecond"),
        pytest.param(finish(99.999, **JUDGED), 0, id="fits-no-longer"),
        pytest.param(finish(-1), 0, id="passed"),
        pytest.param(finish(300), 60, id="not-judged"),
        pytest.param(finish(59.998), 59.999, id="not-judged-and-near"),
        pytest.param(finish(300, is_judged=True), 300 + PAST, id="without-history"),
    ],
)
def test_a_run_that_waits_is_looked_at_when_there_may_be_news(
    deadline: Finish | None, expected: float
) -> None:
    """One look comes when the forecast passes the deadline, one behind the deadline."""
    waiting = looked_at(deadline, state=RunState.WAITING)

    assert looked_at(deadline).watch_at == waiting.watch_at == after(expected)


def test_a_run_at_work_is_looked_at_behind_its_deadline_alone() -> None:
    """Its forecast was made when it began."""
    for known in ({}, JUDGED):
        running = looked_at(finish(300, **known), state=RunState.RUNNING)

        assert running.watch_at == after(300 + PAST)


@pytest.mark.parametrize(("watch", "expected"), [(59, 59), (60, 60), (61, 60)])
def test_a_look_for_a_deadline_is_never_put_off(watch: float, expected: float) -> None:
    """It comes nearer where it would be too late, and stays where it is near enough."""
    assert timedelta(seconds=60) == PATIENCE
    assert looked_at(finish(300), watch=watch).watch_at == after(expected)


def test_a_run_that_is_not_watched_stays_so() -> None:
    """Its end is followed already."""
    ended = attempt_factory(watch_at=None, finish=finish(300))

    assert looked_at_for_finish(ended, now=NOW) == ended
    assert looked_at_for_finish(replace(ended, watch_at=after(900)), now=NOW) != ended
