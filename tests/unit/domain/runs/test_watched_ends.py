"""Ends that something follows: watched from the write that ends the attempt."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, running
from timegate.domain.dag_runs.run_identity import TaskRunMark
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import called_off, end, fail, succeed
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import (
    FOLLOW_AT_LEAST_EVERY,
    FOLLOW_WITHIN,
    awaits_outcomes,
    show_end_again,
    watched_end,
)
from timegate.domain.values.identity import AttemptId, DagRunId, OperationId, TaskKey

TASK = AttemptId(
    run=TaskRunMark(dag_run_id=DagRunId("a" * 26), key=TaskKey("load"), round=1).run_id(NOW),
    number=1,
)


FAILURE = Failure(kind=FailureKind.RETRYABLE, code="oops", type="Oops", message="It broke.")


def held(**fields: Any) -> Attempt:  # noqa: ANN401 - as the factory takes them
    """An attempt that a worker holds."""
    return running(attempt_factory(**fields))


@pytest.mark.parametrize(
    ("attempt", "watched"),
    [
        pytest.param(running(), False, id="nothing follows"),
        pytest.param(held(final=True), True, id="completes its job"),
        pytest.param(held(operation=OperationId("o" * 26)), True, id="an operation waits"),
        pytest.param(held(notify=(Occasion.SUCCEEDED,)), True, id="a hook hears of it"),
        pytest.param(held(notify=(Occasion.FAILED,)), False, id="a hook hears of others"),
        pytest.param(held(id=TASK), True, id="a task of a DAG run"),
    ],
)
def test_an_end_is_watched_if_something_follows_it(attempt: Attempt, *, watched: bool) -> None:
    """By the write that ends it, and by no other."""
    ended = succeed(attempt, started_at=NOW, now=after(1), result="")

    assert awaits_outcomes(ended) is watched
    assert ended.watch_at == (attempt.watch_at if watched else None)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(after(10), after(10 + 90), id="passed"),
        pytest.param(after(10.001), after(10.001), id="next"),
        pytest.param(after(10 + 180), after(10 + 180), id="near"),
        pytest.param(after(10 + 181), after(10 + 90), id="far"),
    ],
)
def test_a_near_watch_instant_stays(known: datetime, expected: datetime) -> None:
    """A watch instant in the past or a day ahead moves near."""
    attempt = held(final=True, watch_at=known)

    assert end(attempt, RunState.SUCCEEDED, now=after(10)).watch_at == expected


def test_an_end_that_a_retry_follows_is_not_watched() -> None:
    """The retry is; when a cancel comes first, the end is the run's and is watched."""
    policy = RetryPolicy(max_attempts=2)
    concluded = fail(held(final=True), FAILURE, policy, started_at=NOW, now=after(1))

    assert concluded.ended.reason is Reason.RETRIED
    assert concluded.ended.watch_at is None
    assert called_off(concluded).ended.watch_at == after(1) + FOLLOW_WITHIN


def test_what_is_learned_after_the_end_counts_as_well() -> None:
    """The canceller of an unclaimed run finds out who hears of it when it has ended."""
    ended = end(attempt_factory(), RunState.CANCELLED, now=NOW)
    heard = watched_end(replace(ended, notify=(Occasion.CANCELLED,)))

    assert (awaits_outcomes(ended), awaits_outcomes(heard)) == (False, True)


@pytest.mark.parametrize(
    ("since", "pause"),
    [(44, None), (45, 90), (90, 90), (91, 91), (400, 400), (900, 900), (901, 900)],
)
def test_an_end_is_shown_again_at_growing_intervals(since: float, pause: float | None) -> None:
    """From 90 s to 15 min; one that has just ended is most likely being followed."""
    ended = end(held(final=True), RunState.SUCCEEDED, now=NOW)

    until = show_end_again(ended, now=after(since))

    assert until == (None if pause is None else after(since + pause))
    assert until is None or until - after(since) <= FOLLOW_AT_LEAST_EVERY
