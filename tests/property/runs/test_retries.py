"""Retries: bounded delays, bounded numbers, the same decision every time."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.factories import NOW, attempt_factory, running
from timegate.domain.jobs.retry import (
    MAX_RETRY_AFTER_SECONDS,
    Backoff,
    Failure,
    FailureKind,
    Retry,
    RetryPolicy,
    Trial,
    decide_retry,
    delay_before,
)
from timegate.domain.runs.conclusion import fail
from timegate.domain.runs.run import Reason, RunState

#: Delays that the API accepts, and well beyond.
delays = st.floats(0, 600) | st.floats(0, 1e9)
policies = st.builds(
    RetryPolicy,
    max_attempts=st.integers(1, 50),
    backoff=st.sampled_from(Backoff),
    initial_delay_seconds=delays,
    max_delay_seconds=delays,
    jitter=st.booleans(),
    delays_seconds=st.just(()) | st.lists(delays, min_size=1, max_size=49).map(tuple),
)


def _computed(policy: RetryPolicy) -> RetryPolicy:
    """The same policy, with no delay of its own choice."""
    return replace(policy, delays_seconds=())


failures = st.builds(
    Failure,
    kind=st.sampled_from(FailureKind),
    code=st.just("code"),
    type=st.just("Type"),
    message=st.text(max_size=5),
    retry_after_seconds=st.none()
    | st.floats(0, 200_000)
    | st.floats(0, allow_nan=False, allow_infinity=True),
)


@given(policy=policies, attempt=st.integers(1, 10_000), seed=st.text())
def test_a_delay_is_bounded_by_its_policy(policy: RetryPolicy, attempt: int, seed: str) -> None:
    """Between half of the back-off and all of it, and never beyond the longest."""
    delay = delay_before(policy, attempt, seed)
    full = delay_before(replace(policy, jitter=False), attempt, seed)

    assert full / 2 <= delay <= full
    if listed := policy.delays_seconds:
        assert full == [*listed, *[listed[-1]] * attempt][attempt - 1]
        return
    assert 0 <= full <= policy.max_delay_seconds
    if policy.backoff is Backoff.FIXED:
        assert full == min(policy.initial_delay_seconds, policy.max_delay_seconds)


@given(policy=policies.map(_computed), attempt=st.integers(1, 10_000))
def test_back_off_never_shrinks(policy: RetryPolicy, attempt: int) -> None:
    """Jitter aside, each wait is at least as long as the one before, and at most twice."""
    steady = replace(policy, jitter=False)
    before, after = delay_before(steady, attempt, ""), delay_before(steady, attempt + 1, "")

    assert before <= after <= 2 * before or after == before == 0


@settings(max_examples=some(400))
@given(policy=policies, attempt=st.integers(1, 12), failure=failures, seed=st.text())
def test_a_retry_is_due_within_bounds_that_no_target_can_move(
    policy: RetryPolicy, attempt: int, failure: Failure, seed: str
) -> None:
    """After the wait its target asks for, up to a day; never before the back-off."""
    trial = Trial(number=attempt, scheduled_at=NOW, seed=seed)
    decision = decide_retry(policy, trial, failure, now=NOW)
    again = decide_retry(policy, trial, failure, now=NOW)
    goes_on = failure.kind is not FailureKind.PERMANENT and attempt < policy.max_attempts

    assert decision == again
    assert goes_on is isinstance(decision, Retry)
    if isinstance(decision, Retry):
        wait = (decision.due_at - NOW) / timedelta(seconds=1)
        longest = max(policy.max_delay_seconds, *policy.delays_seconds, MAX_RETRY_AFTER_SECONDS)
        assert 0 <= wait <= longest + 1e-6
        assert wait >= delay_before(policy, attempt, seed) - 1e-6
        asked = min(failure.retry_after_seconds or 0, MAX_RETRY_AFTER_SECONDS)
        assert wait >= asked - 1e-6


@settings(max_examples=some(60))
@given(policy=policies, kinds=st.lists(st.sampled_from(FailureKind), min_size=50, max_size=50))
def test_a_run_that_always_fails_ends(policy: RetryPolicy, kinds: list[FailureKind]) -> None:
    """After ``max_attempts`` at the latest, each with a record of its own."""
    attempt, now, seen = attempt_factory(), NOW, []
    for kind in kinds:
        failure = Failure(kind=kind, code="code", type="Type", message="")
        concluded = fail(running(attempt), failure, policy, started_at=now, now=now)
        seen.append(concluded.ended)
        if concluded.retry is None:
            break
        attempt = concluded.retry
        now = max(now, attempt.due_at) if attempt.due_at < NOW.replace(year=9000) else now

    permanent = [n for n, kind in enumerate(kinds, start=1) if kind is FailureKind.PERMANENT]
    expected = min([policy.max_attempts, *permanent])
    assert [ended.id.number for ended in seen] == list(range(1, expected + 1))
    assert all(ended.reason is Reason.RETRIED for ended in seen[:-1])
    assert seen[-1].state in {RunState.FAILED, RunState.DEAD_LETTERED}
    assert seen[-1].ends_run
