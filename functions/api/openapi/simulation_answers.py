"""What a simulation is answered with; ``domain.simulation.report`` builds it."""

from typing import Annotated, Literal

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import Answer
from timegate.domain.runs.finishing import FinishOutlook
from timegate.domain.runs.run import Reason, RunState

_Count = Annotated[int, Field(ge=0)]
_ByReason = dict[Reason, Annotated[int, Field(ge=1)]]


_JobName = Annotated[
    str | None, Field(description="Its job; null where the scenario is that of one job.")
]


class SimulatedFinish(Answer):
    """The deadline of a run, and how the run stands to it."""

    at: Instant
    outlook: FinishOutlook
    usual_duration_ms: int | None = Field(
        ge=0, description="95 of 100 recent runs took no longer; null: too few have ended."
    )
    expected_at: Instant | None = Field(description="The end that was forecast last.")
    margin_ms: int | None = Field(description="From the end to the deadline; negative: late.")
    will_be_late: bool = Field(description="Told before the deadline that it would be missed.")


class SimulatedRun(Answer):
    """An instant that would become a run."""

    job: _JobName
    type: Literal["run"]
    scheduled_at: Instant
    state: RunState
    reason: Reason | None
    job_version: int = Field(ge=1)
    planned_at: Instant
    due_at: Instant
    started_at: Instant | None
    ended_at: Instant | None
    lateness_ms: int | None = Field(description="started_at minus due_at.")
    duration_ms: int | None = Field(description="ended_at minus started_at.")
    finish_by: SimulatedFinish | None = Field(
        description="Null: its job has none, or the run was never looked at."
    )


class SimulatedGap(Answer):
    """Instants that would become no runs, all for one reason."""

    job: _JobName
    type: Literal["gap"]
    first: Instant
    last: Instant
    count: int = Field(ge=1)
    state: Literal[RunState.SKIPPED, RunState.CANCELLED]
    reason: Reason
    rolled_to: Instant | None = Field(
        description="Of rolled: where the first moved; the others to their own time of that day."
    )
    job_version: int = Field(ge=1)
    recorded_at: Instant


class SimulationSummary(Answer):
    """What the rows add up to."""

    instants: _Count
    runs: _Count = Field(description="That succeed.")
    skipped: _ByReason
    cancelled: _ByReason
    undecided: _Count = Field(description="Without a record at the end of the range.")
    max_lateness_ms: _Count
    missed_deadlines: _Count
    will_be_late: _Count = Field(description="Runs told to miss their deadlines before they did.")


class UnmetExpectation(Answer):
    """A number of the summary that is not as expect says."""

    job: str | None = Field(description="Whose summary; null: that of all jobs together.")
    field: str = Field(description="skipped.missed_window, for example.")
    expected: int
    actual: int


class RefusedChange(Answer):
    """A change that would be answered with a conflict; it changes nothing."""

    at: Instant
    field: str = Field(description="The field of the scenario that asks for it.")
    code: str


class Simulation(Answer):
    """What would become of every instant of the range."""

    rows: list[Annotated[SimulatedRun | SimulatedGap, Field(discriminator="type")]] = Field(
        description="By their first instants."
    )
    summary: SimulationSummary = Field(description="Of all jobs together.")
    jobs: dict[str, SimulationSummary] = Field(description="Of each job that has a name.")
    unmet: list[UnmetExpectation] = Field(description="Empty when all is as expected.")
    refused: list[RefusedChange]
