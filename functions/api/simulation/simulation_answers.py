"""Answer of a simulation; ``domain.simulation.report`` builds it."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.jobs.notification import Occasion
from timegate.domain.rules.rule import StreakCondition
from timegate.domain.runs.finishing import FinishOutlook
from timegate.domain.runs.run import Reason, RunState

_Count = Annotated[int, Field(ge=0)]
NoticeType = Occasion | StreakCondition | Literal["recovered"]


_ByReason = dict[Reason, Annotated[int, Field(ge=1)]]


_JobName = Annotated[
    str | None, Field(description="Its job; null where the scenario is that of one job.")
]


class SimulatedFinish(TypedDict):
    """The deadline of a run, and how the run stands to it."""

    at: WrittenInstant
    outlook: FinishOutlook
    usual_duration_ms: Annotated[
        int | None,
        Field(ge=0, description="95 of 100 recent runs took no longer; null: too few have ended."),
    ]
    expected_at: Annotated[
        WrittenInstant | None, Field(description="The end that was forecast last.")
    ]
    margin_ms: Annotated[
        int | None, Field(description="From the end to the deadline; negative: late.")
    ]
    will_be_late: Annotated[
        bool, Field(description="Told before the deadline that it would be missed.")
    ]


class SimulatedTriggerMark(TypedDict):
    """The trigger that a run comes of."""

    key: Annotated[str | None, Field(description="Triggers of one key collapse.")]
    collapsed_into: Annotated[
        WrittenInstant | None,
        Field(description="Instant of the trigger whose run stands for it; null: its own does."),
    ]


class SimulatedRun(TypedDict):
    """An instant that would become a run."""

    job: _JobName
    type: Literal["run"]
    scheduled_at: WrittenInstant
    state: RunState
    reason: Reason | None
    job_version: Annotated[int, Field(ge=1)]
    planned_at: WrittenInstant
    due_at: WrittenInstant
    started_at: WrittenInstant | None
    ended_at: WrittenInstant | None
    lateness_ms: Annotated[int | None, Field(description="started_at minus due_at.")]
    duration_ms: Annotated[int | None, Field(description="ended_at minus started_at.")]
    finish_by: Annotated[
        SimulatedFinish | None,
        Field(description="Null: its job has none, or the run was never looked at."),
    ]
    trigger: Annotated[
        SimulatedTriggerMark | None, Field(description="Null: the schedule names its instant.")
    ]


class SimulatedGap(TypedDict):
    """Instants that would become no runs, all for one reason."""

    job: _JobName
    type: Literal["gap"]
    first: WrittenInstant
    last: WrittenInstant
    count: Annotated[int, Field(ge=1)]
    state: Literal[RunState.SKIPPED, RunState.CANCELLED]
    reason: Reason
    rolled_to: Annotated[
        WrittenInstant | None,
        Field(
            description="Of rolled: where the first moved; the others to their own time "
            "of that day."
        ),
    ]
    job_version: Annotated[int, Field(ge=1)]
    recorded_at: WrittenInstant


class SimulatedNotice(TypedDict):
    """One thing that people would be told."""

    at: WrittenInstant
    job: _JobName
    type: Annotated[
        NoticeType,
        Field(description="An occasion of the job's channels, or a condition of the rule."),
    ]
    rule: Annotated[str | None, Field(description="Null: the job's own channels are told.")]
    scheduled_at: Annotated[
        WrittenInstant | None, Field(description="Of the run; null: the lack of one is told.")
    ]
    since: Annotated[
        WrittenInstant, Field(description="It happened then; quiet hours may hold it back.")
    ]
    text: str


class SimulatedMeeting(TypedDict):
    """An event trigger that an event meets."""

    name: str
    job: Annotated[str | None, Field(description="The job that it triggers.")]
    scheduled_at: Annotated[
        WrittenInstant | None, Field(description="Of the row of its run; null: it makes none.")
    ]
    code: Annotated[str | None, Field(description="Why it starts nothing.")]
    detail: str | None


class SimulatedEventRow(TypedDict):
    """An event, and everything that it meets."""

    at: WrittenInstant
    id: str
    source: str
    type: str
    met: list[SimulatedMeeting]


SimulatedWaitRow = TypedDict(
    "SimulatedWaitRow",
    {
        "name": str,
        "type": str,
        "correlation": str,
        "from": WrittenInstant,
        "to": WrittenInstant | None,
        "met_at": Annotated[WrittenInstant | None, Field(description="Null: no event ends it.")],
        "event": Annotated[str | None, Field(description="The id of the event.")],
    },
)


class SimulationSummary(TypedDict):
    """Sums of the rows."""

    instants: _Count
    runs: Annotated[_Count, Field(description="That succeed.")]
    failed: Annotated[_Count, Field(description="That fail, or are dead letters.")]
    skipped: _ByReason
    cancelled: _ByReason
    undecided: Annotated[_Count, Field(description="Without a record at the end of the range.")]
    max_lateness_ms: _Count
    missed_deadlines: _Count
    will_be_late: Annotated[
        _Count, Field(description="Runs told to miss their deadlines before they did.")
    ]
    notices: Annotated[
        dict[NoticeType, Annotated[int, Field(ge=1)]], Field(description="By their types.")
    ]


class UnmetExpectation(TypedDict):
    """A number of the summary that is not as expect says."""

    job: Annotated[str | None, Field(description="Whose summary; null: that of all jobs together.")]
    field: Annotated[str, Field(description="skipped.missed_window, for example.")]
    expected: int
    actual: int


class RefusedChange(TypedDict):
    """A change that would be answered with a conflict; it changes nothing."""

    at: WrittenInstant
    field: Annotated[str, Field(description="The field of the scenario that asks for it.")]
    code: str


class Simulation(TypedDict):
    """The outcome that every instant of the range would have."""

    rows: Annotated[
        list[Annotated[SimulatedRun | SimulatedGap, Field(discriminator="type")]],
        Field(description="By their first instants."),
    ]
    summary: Annotated[SimulationSummary, Field(description="Of all jobs together.")]
    jobs: Annotated[dict[str, SimulationSummary], Field(description="Of each job that has a name.")]
    notices: Annotated[
        list[SimulatedNotice], Field(description="What people would be told, in order.")
    ]
    events: Annotated[list[SimulatedEventRow], Field(description="Of the scenario, in order.")]
    waits: list[SimulatedWaitRow]
    unmet: Annotated[list[UnmetExpectation], Field(description="Empty when all is as expected.")]
    refused: list[RefusedChange]
