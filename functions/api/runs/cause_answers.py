"""Answers about causes of runs: a run or an event that triggered one, and what its ends trigger."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.values.ids import JOB_ID, RUN_ID
from timegate.domain.runs.run import Reason, RunState

_JobId = Annotated[str, Field(pattern=JOB_ID)]
_RunId = Annotated[str, Field(pattern=RUN_ID)]


class TriggeredBy(TypedDict):
    """The run whose end triggered another one."""

    run_id: _RunId
    job_id: _JobId
    attempt: Annotated[int, Field(ge=1, description="The attempt that ended.")]
    state: Annotated[RunState, Field(description="How it ended.")]
    depth: Annotated[
        int, Field(ge=1, description="How many runs triggered one another until this one.")
    ]


class Triggered(TypedDict):
    """A run that was triggered."""

    run_id: _RunId
    job_id: _JobId
    by_attempt: Annotated[int, Field(ge=1, description="Whose end it followed.")]
    state: RunState
    reason: Reason | None


class MatchedEvent(TypedDict):
    """The event that started a run, and the event trigger that it matched."""

    event_trigger: Annotated[str, Field(description="As it was named then.")]
    source: str
    id: Annotated[str, Field(description="Of a web hook: its message's.")]
