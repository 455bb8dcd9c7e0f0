"""Overlap, collapse and rate limits, as they are asked for."""

from typing import Annotated, Any

from pydantic import Field

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.domain.limits.collapse import (
    DEFAULT_SPANS,
    MAX_POINTER_LENGTH,
    MAX_SPAN_SECONDS,
    MAX_WAIT_SECONDS,
    POINTER,
    Collapse,
    CollapseMode,
)
from timegate.domain.limits.overlap import CONCURRENCY_KEY, MAX_CONCURRENT, Overlap, OverlapPolicy
from timegate.domain.limits.rate_limit import MAX_BURST, MAX_CALLS, RATE_KEY, RateLimit, RatePeriod
from timegate.domain.values.errors import InvalidInput


def _pointer(description: str) -> Any:  # noqa: ANN401 - pydantic's field has any type
    return Field(max_length=MAX_POINTER_LENGTH, pattern=POINTER, description=description)


class OverlapContract(Contract):
    """Policy for a run that is due while others of its job, or of its key, still work."""

    policy: Annotated[
        OverlapPolicy,
        Field(description="forbid: skip it; queue: wait; replace: stop the oldest, then run."),
    ] = OverlapPolicy.ALLOW
    max_concurrent: Annotated[
        int, Field(ge=1, le=MAX_CONCURRENT, description="So many may work at once.")
    ] = 1
    concurrency_key: Annotated[
        str | None,
        Field(
            pattern=f"^{CONCURRENCY_KEY.pattern}$",
            description="Jobs that name the same key share its slots; null: the job has its own.",
        ),
    ] = None
    key_from: Annotated[
        str | None,
        _pointer(
            "JSON pointer into the payload (RFC 6901): runs with the same value there have slots of"
            " their own; null: all share them."
        ),
    ] = None

    def to_domain(self) -> Overlap:
        """Return the domain's value."""
        return Overlap(**self.as_domain())


class CollapseContract(Contract):
    """Rule by which triggers of one key that come close together are one run."""

    mode: Annotated[
        CollapseMode,
        Field(
            description=(
                "last: a trigger takes the place of the run that waits; first: it joins the run"
                " while that waits; single: and while it runs."
            )
        ),
    ] = CollapseMode.LAST
    span_seconds: Annotated[
        int,
        Field(ge=0, le=MAX_SPAN_SECONDS, description="The run is due so long after."),
        Duration(),
    ] = 0
    max_wait_seconds: Annotated[int, Field(ge=1, le=MAX_WAIT_SECONDS), Duration()] | None = Field(
        None,
        description=(
            "Of last: it is due so long after the first trigger, whatever comes; null:"
            f" {DEFAULT_SPANS} spans."
        ),
    )
    key_from: Annotated[
        str | None,
        _pointer(
            "JSON pointer into the payload (RFC 6901): triggers with the same value there"
            " collapse; null: all do."
        ),
    ] = None

    def to_domain(self) -> Collapse:
        """Return the domain's value."""
        return Collapse(**self.as_domain())


_Calls = Annotated[int, Field(ge=1, le=MAX_CALLS)]


class RateLimitContract(Contract):
    """Limit of calls of a target: so many a second, a minute or an hour."""

    per_second: _Calls | None = None
    per_minute: _Calls | None = None
    per_hour: _Calls | None = None
    burst: Annotated[
        int, Field(ge=1, le=MAX_BURST, description="So many at once after a pause.")
    ] = 1
    key: Annotated[
        str | None,
        Field(
            pattern=f"^{RATE_KEY.pattern}$",
            description="Jobs that name the same key share its calls; null: those with one target.",
        ),
    ] = None
    key_from: Annotated[
        str | None,
        _pointer(
            "JSON pointer into the payload (RFC 6901): runs with the same value there are counted"
            " by themselves; null: all together."
        ),
    ] = None

    def to_domain(self) -> RateLimit:
        """Return the domain's limit; raise ``InvalidInput`` unless it names one period."""
        asked = {
            RatePeriod.SECOND: self.per_second,
            RatePeriod.MINUTE: self.per_minute,
            RatePeriod.HOUR: self.per_hour,
        }
        given = [(calls, per) for per, calls in asked.items() if calls is not None]
        if len(given) != 1:
            detail = "It names one of per_second, per_minute and per_hour."
            raise InvalidInput("rate_limit", "not_one_period", detail)
        ((calls, per),) = given
        return RateLimit(
            calls=calls, per=per, burst=self.burst, key=self.key, key_from=self.key_from
        )
