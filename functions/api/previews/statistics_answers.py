"""Answers about a job's recent runs in numbers."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.previews.preview_answers import ProspectAnswer
from api.values.ids import JOB_ID, RUN_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.runs.run import RunState

_RunId = Annotated[str, Field(pattern=RUN_ID)]


class EndedRun(TypedDict):
    """A run that ended."""

    run_id: _RunId
    state: RunState
    scheduled_at: WrittenInstant
    started_at: Annotated[WrittenInstant | None, Field(description="Null: it never started.")]
    ended_at: WrittenInstant | None


class StreakAnswer(TypedDict):
    """Runs in a row that succeeded or that failed; those that were skipped are passed over."""

    outcome: Literal["succeeded", "failed"]
    count: Annotated[int, Field(ge=1)]
    since: Annotated[WrittenInstant, Field(description="The instant of the first of them.")]
    is_partial: Annotated[
        bool, Field(description="It may have begun before the runs that were read.")
    ]


class SpreadAnswer(TypedDict):
    """Milliseconds of some runs; percentiles by nearest rank."""

    count: Annotated[int, Field(ge=1, description="Runs that were measured.")]
    p50: int
    p95: int
    max: int


class JobStatistics(TypedDict):
    """A job's recent runs in numbers, and its next instants."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]
    runs: Annotated[
        int, Field(ge=0, description="Runs that were read: the latest 100 whose instant has come.")
    ]
    is_partial: Annotated[bool, Field(description="There are earlier runs.")]
    runs_by_state: dict[RunState, int]
    last_run: Annotated[EndedRun | None, Field(description="The latest instant that has ended.")]
    last_success: EndedRun | None
    streak: Annotated[StreakAnswer | None, Field(description="Null: none succeeded or failed.")]
    duration_ms: Annotated[
        SpreadAnswer | None, Field(description="Of last attempts that succeeded.")
    ]
    lateness_ms: Annotated[
        SpreadAnswer | None,
        Field(description="From due to started, of last attempts that started."),
    ]
    next_fires: Annotated[
        list[ProspectAnswer],
        Field(description="The next five instants under calendars; none of a job that is paused."),
    ]
