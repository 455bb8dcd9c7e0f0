"""Pauses, catching up after them, and when a run is too late to start."""

from typing import Annotated

from pydantic import Field, StringConstraints

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import PRINTABLE, Contract
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy

_DEFAULT = CatchUp()
#: Characters of a pause's reason: each change of a paused job bills it again.
MAX_PAUSE_REASON = 200

#: A run that has not started so many seconds after its instant does not start at all.
StartWithin = Annotated[int, Field(ge=1, le=86_400), Duration()]


class CatchUpContract(Contract):
    """Choice of the instants that run although they passed while nothing was planned."""

    policy: Annotated[CatchUpPolicy, Field(description="latest: the last one.")] = _DEFAULT.policy
    limit: Annotated[
        int, Field(ge=1, le=10_000, description="Of all: at most so many, the latest.")
    ] = _DEFAULT.limit
    window_seconds: Annotated[
        int, Field(ge=1, le=31_536_000, description="None that are older."), Duration()
    ] = _DEFAULT.window_seconds
    grace_seconds: Annotated[
        int,
        Field(
            ge=0,
            le=86_400,
            description="An instant planned at most so late was not missed; at most the window.",
        ),
        Duration(),
    ] = _DEFAULT.grace_seconds

    def to_domain(self) -> CatchUp:
        """Return the domain's value."""
        return CatchUp(**self.as_domain())


#: Words of a person on why a job is paused.
PauseReason = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_PAUSE_REASON, pattern=PRINTABLE)
]


class PauseRequest(Contract):
    """Terms of a pause; without a body, no reason."""

    reason: PauseReason | None = Field(
        default=None,
        description="For people: shown until the job goes on, and in the audit trail.",
    )


class ResumeRequest(Contract):
    """Terms of a resumption; without a body, from now."""

    catch_up: bool = Field(
        default=False,
        description="Settle what passed during the pause as the job's catch-up policy says.",
    )
