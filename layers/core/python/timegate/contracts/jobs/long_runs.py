"""Long runs, as they are asked for."""

from typing import Annotated

from pydantic import Field

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.domain.jobs.slices import DEFAULT_SLICES, MAX_DURATION_SECONDS, MAX_SLICES, LongRun


class LongRunContract(Contract):
    """Limits of runs that go on in slices; ``timeout_seconds`` bounds each slice."""

    max_duration_seconds: Annotated[
        int,
        Field(
            ge=1,
            le=MAX_DURATION_SECONDS,
            description="From the first start on, waits and retries included.",
        ),
        Duration(),
    ]
    max_slices: Annotated[int, Field(ge=2, le=MAX_SLICES)] = DEFAULT_SLICES

    def to_domain(self) -> LongRun:
        """Return the domain's value."""
        return LongRun(**self.as_domain())
