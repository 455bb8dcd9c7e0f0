"""Overlap, as it is asked for."""

from typing import Annotated

from pydantic import Field

from api.contracts.fields import Contract
from timegate.domain.limits.overlap import CONCURRENCY_KEY, MAX_CONCURRENT, Overlap, OverlapPolicy


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

    def to_domain(self) -> Overlap:
        """Return the domain's value."""
        return Overlap(**self.as_domain())
