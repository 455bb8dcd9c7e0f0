"""Retry policies, as they are asked for."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.domain.jobs.retry import MAX_BREAKER_FAILURES, Backoff, Breaker, RetryPolicy
from timegate.domain.jobs.rules.error_patterns import ERROR_PATTERN
from timegate.domain.values.durations import MAX_SECONDS

MAX_DELAY_SECONDS = 86_400
MAX_ATTEMPTS = 50
_Delay = Annotated[float, Field(ge=0, le=MAX_DELAY_SECONDS), Duration()]
_Pattern = Annotated[str, StringConstraints(pattern=f"^{ERROR_PATTERN.pattern}$")]
_Patterns = Annotated[list[_Pattern], Field(max_length=20)]
#: One retry less than there may be attempts.
_Delays = Annotated[list[_Delay], Field(max_length=MAX_ATTEMPTS - 1)]
_DEFAULT = RetryPolicy()
_DEFAULT_BREAKER = Breaker()


class BreakerContract(Contract):
    """Rule by which a run is given up although attempts are left."""

    failures: Annotated[
        int,
        Field(
            ge=2,
            le=MAX_BREAKER_FAILURES,
            description="So many in which the target took the call and broke on it.",
        ),
    ] = _DEFAULT_BREAKER.failures
    window_seconds: Annotated[
        float,
        Field(gt=0, le=MAX_DELAY_SECONDS, description="From the first to the last."),
        Duration(),
    ] = _DEFAULT_BREAKER.window_seconds

    def to_domain(self) -> Breaker:
        """Return the domain's value."""
        return Breaker(**self.as_domain())


class RetryContract(Contract):
    """Number of attempts at a run, and the time between them."""

    max_attempts: Annotated[
        int,
        Field(
            ge=1,
            le=MAX_ATTEMPTS,
            description="The first included; left out, delays_seconds makes it one more than them.",
            # Forms read it: the default beside a list is another one.
            json_schema_extra={"x-timegate-one-more-than": "delays_seconds"},
        ),
    ] = _DEFAULT.max_attempts
    backoff: Backoff = _DEFAULT.backoff
    initial_delay_seconds: _Delay = _DEFAULT.initial_delay_seconds
    max_delay_seconds: _Delay = _DEFAULT.max_delay_seconds
    jitter: bool = _DEFAULT.jitter
    delays_seconds: Annotated[
        _Delays,
        Field(
            description="The delay before each retry in turn, in place of backoff; the last"
            " stands for those that follow."
        ),
    ] = Field(default_factory=list)
    window_seconds: Annotated[
        Annotated[int, Field(ge=1, le=MAX_SECONDS), Duration()] | None,
        Field(description="No retry starts later than so long after the nominal instant."),
    ] = _DEFAULT.window_seconds
    breaker: Annotated[
        BreakerContract | None,
        Field(description="Dead-letters a run that breaks its target again and again; null: off."),
    ] = Field(default_factory=BreakerContract)
    retry_on: Annotated[
        _Patterns,
        Field(description="Errors tried again although they are permanent: http_409, http_4xx."),
    ] = Field(default_factory=list)
    give_up_on: Annotated[
        _Patterns,
        Field(description="Errors not tried again: timeout, http_501, function_error/ValueError."),
    ] = Field(default_factory=list)

    def to_domain(self) -> RetryPolicy:
        """Return the domain's value."""
        return RetryPolicy(**self._attempts_of_delays(), **self.as_domain())

    def _attempts_of_delays(self) -> dict[str, Any]:
        """One attempt more than the delays, where they alone are given."""
        if not self.delays_seconds or "max_attempts" in self.model_fields_set:
            return {}
        return {"max_attempts": len(self.delays_seconds) + 1}
