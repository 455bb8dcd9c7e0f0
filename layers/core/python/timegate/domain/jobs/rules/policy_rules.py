"""Fields of a job that do not go together: one contradicts another, or has no effect beside it.

``docs/reference/policies.md`` lists every pair, and what is accepted although it says nothing new.
"""

from collections.abc import Callable
from dataclasses import field
from typing import Self

from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import RetryPolicy, longest_delay
from timegate.domain.jobs.rules.calendar_rule_checks import TOO_MANY, rolls_too_many
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_CATCH_UP = CatchUp()
_RETRY = RetryPolicy()
#: Fields from which delays are computed that a policy does not list.
_COMPUTED = ("backoff", "initial_delay_seconds", "max_delay_seconds")


@dataclass(frozen=True, kw_only=True, slots=True)
class Policies:
    """Parts of a job that bear on one another."""

    schedule: Schedule
    catch_up: CatchUp = field(default_factory=CatchUp)
    overlap: Overlap = field(default_factory=Overlap)
    calendars: tuple[CalendarRule, ...] = ()
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    retry: RetryPolicy = field(default_factory=RetryPolicy)

    @classmethod
    def of(cls, job: Job) -> Self:
        """Return the policies of a job."""
        return cls(
            schedule=job.timing.schedule,
            catch_up=job.timing.catch_up,
            overlap=job.overlap,
            calendars=job.timing.calendars,
            delivery=job.delivery,
            retry=job.retry,
        )


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A refused combination; a default never is one."""

    field: str
    code: str
    detail: str
    holds: Callable[[Policies], bool]


def check_policies(policies: Policies, *, before: Policies | None = None) -> None:
    """Refuse what does not go together; raises ``InvalidInput`` naming the field.

    ``before``: of a job that exists. A contradiction accepted at its creation does not refuse an
    unrelated change.
    """
    for each in CONTRADICTIONS:
        if each.holds(policies) and not (before is not None and each.holds(before)):
            raise InvalidInput(each.field, each.code, each.detail)


def _never_tries_again(policies: Policies) -> bool:
    return policies.retry.max_attempts == 1


def _retries_in_vain(policies: Policies) -> bool:
    """It asks for retries of its own, and for a delivery that has none."""
    at_most_once = policies.delivery is DeliveryMode.AT_MOST_ONCE
    return at_most_once and policies.retry != _RETRY and not _never_tries_again(policies)


def _window_closes_first(policies: Policies) -> bool:
    retry = policies.retry
    if retry.window_seconds is None or _never_tries_again(policies):
        return False
    # Jitter spreads retries over the upper half of the delay.
    earliest = longest_delay(retry, 1) * (0.5 if retry.jitter else 1)
    return retry.window_seconds < earliest


def _lists_and_computes(policies: Policies) -> bool:
    """It lists its delays, and says how to compute them."""
    retry = policies.retry
    return bool(retry.delays_seconds) and any(
        getattr(retry, name) != getattr(_RETRY, name) for name in _COMPUTED
    )


def _breaker_never_opens(policies: Policies) -> bool:
    breaker = policies.retry.breaker
    if breaker is None or breaker == _RETRY.breaker:
        return False
    return breaker.failures > policies.retry.max_attempts


CONTRADICTIONS = (
    Contradiction(
        "overlap.max_concurrent",
        "not_for_this_policy",
        "The policy allow has no slots; with forbid, queue or replace so many may work at once.",
        lambda p: p.overlap.policy is OverlapPolicy.ALLOW and p.overlap.max_concurrent != 1,
    ),
    Contradiction(
        "overlap.concurrency_key",
        "not_for_this_policy",
        "The policy allow has no slots to share; forbid, queue and replace have.",
        lambda p: p.overlap.policy is OverlapPolicy.ALLOW and p.overlap.concurrency_key is not None,
    ),
    Contradiction(
        "overlap.key_from",
        "not_for_this_policy",
        "The policy allow has no slots for each key; forbid, queue and replace have.",
        lambda p: p.overlap.policy is OverlapPolicy.ALLOW and p.overlap.key_from is not None,
    ),
    Contradiction(
        "catch_up.limit",
        "not_for_this_policy",
        "Only the policy all has a limit.",
        lambda p: (
            p.catch_up.policy is not CatchUpPolicy.ALL and p.catch_up.limit != _CATCH_UP.limit
        ),
    ),
    Contradiction(
        "catch_up.window_seconds",
        "not_for_this_policy",
        "The policy skip lets nothing run that was missed, however lately.",
        lambda p: (
            p.catch_up.policy is CatchUpPolicy.SKIP
            and p.catch_up.window_seconds != _CATCH_UP.window_seconds
        ),
    ),
    Contradiction(
        "catch_up.grace_seconds",
        "contradictory",
        "It is longer than window_seconds, beyond which nothing runs.",
        lambda p: (
            p.catch_up.grace_seconds != _CATCH_UP.grace_seconds
            and p.catch_up.grace_seconds > p.catch_up.window_seconds
        ),
    ),
    Contradiction(
        "retry",
        "not_for_this_delivery",
        "A run of at_most_once is never tried again; leave it out, or set max_attempts to 1.",
        _retries_in_vain,
    ),
    Contradiction(
        "retry.window_seconds",
        "without_effect",
        "With max_attempts 1 there is no retry that it could prevent.",
        lambda p: _never_tries_again(p) and p.retry.window_seconds is not None,
    ),
    Contradiction(
        "retry.window_seconds",
        "contradictory",
        "It closes before the first delay is over: no retry could ever start.",
        _window_closes_first,
    ),
    Contradiction(
        "retry.delays_seconds",
        "contradictory",
        "It lists the delays; leave out backoff, initial_delay_seconds and max_delay_seconds.",
        _lists_and_computes,
    ),
    Contradiction(
        "retry.delays_seconds",
        "without_effect",
        "It lists more delays than max_attempts allows retries: the last would never be waited.",
        lambda p: len(p.retry.delays_seconds) >= p.retry.max_attempts,
    ),
    Contradiction(
        "retry.breaker.failures",
        "without_effect",
        "They are more than max_attempts: it would never open.",
        _breaker_never_opens,
    ),
    Contradiction(
        "calendars",
        "contradictory",
        "An immediate job runs now, and a calendar may say not now; a delay of 0 seconds heeds it.",
        lambda p: p.schedule.kind is ScheduleKind.IMMEDIATE and bool(p.calendars),
    ),
    Contradiction(
        "calendars",
        "without_effect",
        "A manual schedule names no instant that a calendar could leave out.",
        lambda p: p.schedule.is_manual and bool(p.calendars),
    ),
    Contradiction(
        "catch_up",
        "without_effect",
        "A manual schedule names no instant that could be missed.",
        lambda p: p.schedule.is_manual and p.catch_up != _CATCH_UP,
    ),
    Contradiction(
        "calendars",
        "too_complex",
        TOO_MANY,
        lambda p: rolls_too_many(p.schedule, p.calendars),
    ),
)
