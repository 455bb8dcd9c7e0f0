"""Retry policies as maps within a job's item."""

from collections.abc import Mapping, Sequence

from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    optional_number,
    real,
    text,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.retry import Backoff, Breaker, RetryPolicy
from timegate.domain.values.errors import Malformed

Fields = Mapping[str, Plain]

#: Stands for a breaker that is switched off; one that is absent is the default's.
_OFF = "off"


def retry_to_fields(policy: RetryPolicy) -> Fields:
    """A retry policy; of what most jobs do not have, only what differs from the default."""
    fields: dict[str, Plain] = {
        "max_attempts": policy.max_attempts,
        "backoff": policy.backoff,
        "initial_delay_seconds": policy.initial_delay_seconds,
        "max_delay_seconds": policy.max_delay_seconds,
        "jitter": policy.jitter,
        "window_seconds": policy.window_seconds,
        "breaker": _breaker_to_field(policy.breaker),
        "retry_on": list(policy.retry_on) or None,
        "give_up_on": list(policy.give_up_on) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def retry_from_fields(fields: Fields) -> RetryPolicy:
    """Read a retry policy back."""
    return RetryPolicy(
        max_attempts=number(fields["max_attempts"]),
        backoff=Backoff(text(fields["backoff"])),
        initial_delay_seconds=real(fields["initial_delay_seconds"]),
        max_delay_seconds=real(fields["max_delay_seconds"]),
        jitter=fields["jitter"] is True,
        window_seconds=optional_number(fields.get("window_seconds")),
        breaker=_breaker_from_field(fields.get("breaker")),
        retry_on=_texts(fields.get("retry_on")),
        give_up_on=_texts(fields.get("give_up_on")),
    )


def _breaker_to_field(breaker: Breaker | None) -> Plain:
    if breaker is None:
        return _OFF
    if breaker == Breaker():
        return None
    return {"failures": breaker.failures, "window_seconds": breaker.window_seconds}


def _breaker_from_field(value: Plain) -> Breaker | None:
    if value is None:
        return Breaker()
    if value == _OFF:
        return None
    fields = mapping(value)
    return Breaker(
        failures=number(fields["failures"]), window_seconds=real(fields["window_seconds"])
    )


def _texts(value: Plain) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(text(each) for each in value)
    raise Malformed(f"{value!r} is no list.")
