"""Turns: as many as a limit allows, in the order in which they were asked for."""

import pytest

from tests.support.factories import NOW, after, job_factory
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.jobs.rules.job_rules import check_limits
from timegate.domain.limits.rate_limit import (
    RateLimit,
    RatePeriod,
    RateRequest,
    held_back,
    microseconds,
    take_turns,
)
from timegate.domain.limits.rate_reservation import Pace, whole
from timegate.domain.values.errors import InvalidInput

ARN = "arn:aws:{}:eu-central-1:111122223333:{}"
START = microseconds(NOW)
SECOND = 1_000_000


def turns(limit: RateLimit, count: int, *, at: float = 0, used: float = 0) -> list[float]:
    """The seconds after the start at which so many that ask together may call."""
    asked = take_turns(
        [RateRequest(limit=limit)] * count,
        at=START + int(at * SECOND),
        used_until=START + int(used * SECOND),
    )
    return [(turn - START) / SECOND for turn in asked.at if turn is not None]


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        pytest.param(RateLimit(calls=2), [0, 0.5, 1, 1.5], id="evenly"),
        pytest.param(RateLimit(calls=2, burst=3), [0, 0, 0, 0.5], id="burst"),
        pytest.param(RateLimit(calls=6, per=RatePeriod.MINUTE), [0, 10, 20, 30], id="a-minute"),
        pytest.param(RateLimit(calls=4, per=RatePeriod.HOUR), [0, 900, 1800, 2700], id="an-hour"),
    ],
)
def test_calls_that_come_together_are_spread(limit: RateLimit, expected: list[float]) -> None:
    """After as many as may go at once."""
    assert turns(limit, 4) == expected


def test_a_pause_saves_up_no_more_than_the_burst() -> None:
    """However long it was: the average is of now."""
    assert turns(RateLimit(calls=1, burst=2), 3, at=3600, used=5) == [3600, 3600, 3601]


def test_what_was_given_out_is_not_given_again() -> None:
    """A later run stands behind it, less what may go at once."""
    assert turns(RateLimit(calls=1), 2, used=7) == [7, 8]
    assert turns(RateLimit(calls=1, burst=3), 2, used=7) == [5, 6]


def test_an_interval_is_never_too_short() -> None:
    """A third of a second is rounded up, or a million seconds would have a call too many."""
    assert RateLimit(calls=3).interval == 333_334


@pytest.mark.parametrize(("not_after", "comes"), [(2.0, True), (1.999, False)])
def test_a_turn_that_comes_too_late_is_not_taken(not_after: float, *, comes: bool) -> None:
    """The next one has it: nothing is reserved for whom it does not help."""
    late = RateRequest(limit=RateLimit(calls=1), not_after=after(not_after))
    asked = take_turns(
        [late, RateRequest(limit=RateLimit(calls=1))], at=START, used_until=START + 2 * SECOND
    )

    assert (asked.at[0] is not None) is comes
    assert asked.at[1] == START + (3 if comes else 2) * SECOND
    assert asked.taken == (2 if comes else 1) * SECOND


def test_each_call_takes_what_its_own_limit_says() -> None:
    """Jobs that share a key need not agree."""
    slow, fast = RateRequest(limit=RateLimit(calls=1)), RateRequest(limit=RateLimit(calls=4))
    asked = take_turns([slow, fast, fast], at=START, used_until=0)

    assert asked.at == (START, START + SECOND, START + SECOND + SECOND // 4)


def test_a_run_that_is_asked_to_wait_lets_no_other_pass() -> None:
    """Not even those who might go at once."""
    limit = RateLimit(calls=1, burst=3)

    assert turns(limit, 2, used=(held_back(limit, after(30)) - START) / SECOND) == [30, 31]


@pytest.mark.parametrize(
    ("missed", "seconds"), [(0, 1), (1, 2), (3, 8), (8, 256), (9, 300), (60, 300)]
)
def test_who_missed_turns_may_be_later(missed: int, seconds: int) -> None:
    """Up to five minutes: where all are late, no run would ever be on time."""
    pace = Pace(key="k", since=NOW, turn_at=after(10), fence=0, missed=missed)

    assert pace.lasts_until() == after(10 + seconds)


def test_records_keep_milliseconds_and_no_turn_is_early() -> None:
    """An instant between two milliseconds is stored as the later one."""
    assert whole(after(0.0001)) == after(0.001)
    assert whole(after(0.001)) == after(0.001)


@pytest.mark.parametrize(
    ("action", "name"),
    [
        pytest.param(WebhookAction(url="https://API.example.com/a?b"), "webhook:api.example.com"),
        pytest.param(WebhookAction(url="http://h:8080/"), "webhook:h:8080"),
        pytest.param(LambdaAction(function_arn="arn:f"), "lambda:arn:f"),
        pytest.param(SqsAction(queue_url="https://q"), "sqs:https://q"),
        pytest.param(SnsAction(topic_arn="arn:t"), "sns:arn:t"),
        pytest.param(
            EventBridgeAction(bus_arn="arn:b", source="s", detail_type="d"), "eventbridge:arn:b"
        ),
        pytest.param(StepFunctionsAction(state_machine_arn="arn:m"), "stepfunctions:arn:m"),
    ],
)
def test_jobs_that_call_the_same_share_a_key(action: Action, name: str) -> None:
    """Unless they name one."""
    shared = job_factory(action=action, rate_limit=RateLimit(calls=1))
    named = job_factory(action=action, rate_limit=RateLimit(calls=1, key="crm"))
    free = job_factory(action=action)

    assert shared.rate_key is not None
    assert shared.rate_key.name == name
    assert named.rate_key is not None
    assert named.rate_key.name == "crm"
    assert free.rate_key is None


@pytest.mark.parametrize("key", ["a:b", "", "a b", "x" * 65])
def test_a_name_that_a_target_could_have_is_refused(key: str) -> None:
    """Or it would be counted with calls it has nothing to do with."""
    with pytest.raises(InvalidInput) as refused:
        check_limits(job_factory(rate_limit=RateLimit(calls=1, key=key)))

    assert (refused.value.field, refused.value.code) == ("rate_limit.key", "invalid_format")


def test_workers_are_not_called() -> None:
    """They come when they have time: no reservation says when their turn is."""
    action = WorkerAction(pool="p", handler="h")
    with pytest.raises(InvalidInput) as refused:
        check_limits(job_factory(action=action, rate_limit=RateLimit(calls=1)))

    assert (refused.value.field, refused.value.code) == ("rate_limit", "not_for_this_action")
