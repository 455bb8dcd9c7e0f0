"""Answers about jobs."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.http.field_problems import FieldProblem
from api.values.costs import CostEstimate
from api.values.ids import JOB_ID
from timegate.contracts.jobs.job import job_fields
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.jobs.job import JobStatus
from timegate.domain.previews.advice import AdviceCode

_JobId = Annotated[str, Field(pattern=JOB_ID)]


class _DefinedJob(TypedDict):
    """Everything that a job's owner says of it; nothing is left unsaid."""


#: Fields that are shown in another type than they are taken in; the first two head an answer.
_HEADING: dict[str, Any] = {"name": str, "description": str}


_SHOWN: dict[str, Any] = {
    "payload": Annotated[Any, Field(description="Null for a job without one.")],
    "timeout_seconds": int,
    "tags": dict[str, str],
    "metadata": dict[str, str],
}


if TYPE_CHECKING:
    DefinedJob = _DefinedJob
else:
    #: Derived, so that each field is listed once.
    DefinedJob = TypedDict("DefinedJob", _HEADING | job_fields() | _HEADING | _SHOWN)
    DefinedJob.__doc__ = _DefinedJob.__doc__


class AdviceAnswer(TypedDict):
    """Something that nothing forbids, and that its owner may want to change."""

    field: Annotated[str, Field(description="The field to look at.")]
    code: Annotated[AdviceCode, Field(description="Stable: programs may depend on it.")]
    detail: Annotated[str, Field(description="For people; it may change.")]


class AutoPause(TypedDict):
    """The pause of a job by its failures."""

    by: Annotated[Literal["timegate"], Field(description="Who paused it.")]
    reason: Literal["failures"]
    at: WrittenInstant
    failures: Annotated[int, Field(ge=1, description="So many runs had failed in a row.")]
    run_id: Annotated[str, Field(description="The run whose failure paused it.")]
    on_trial: Annotated[
        bool, Field(description="It was resumed; if the next run fails, it is paused again.")
    ]


class Job(DefinedJob):
    """A job as it stands."""

    job_id: _JobId
    version: Annotated[int, Field(ge=1, description="Grows with every change; also the ETag.")]
    status: JobStatus
    created_at: WrittenInstant
    updated_at: WrittenInstant
    next_run_at: Annotated[
        WrittenInstant | None,
        Field(
            description=(
                "The next instant of an active job's schedule, from the moment of the answer on. "
                "A calendar, a freeze or max_runs may still leave it out, which a preview shows."
            )
        ),
    ]
    next_unplanned_at: Annotated[
        WrittenInstant | None,
        Field(
            description=(
                "The first instant without a record. Runs before it are planned, up to ten minutes "
                "ahead, and listed."
            )
        ),
    ]
    auto_pause: Annotated[
        AutoPause | None,
        Field(description="Null unless failures paused the job and no run succeeded since."),
    ]
    pause_reason: Annotated[
        str | None, Field(description="Of its caller, until the job goes on; null: none was said.")
    ]
    payload: Annotated[
        Any,
        Field(
            description=(
                "Null for a job without one. Beyond 1 KB it is shown by GET "
                "/v1/jobs/{job_id} alone, "
                "and is null elsewhere."
            )
        ),
    ]
    payload_size_bytes: Annotated[int, Field(ge=0, description="0 for a job without a payload.")]
    advice: Annotated[
        list[AdviceAnswer] | None,
        Field(
            description=(
                "Deadlines that runs may miss, and secrets that readers of the job see; "
                "null where many jobs are answered."
            )
        ),
    ]


class DamagedJobs(TypedDict):
    """Jobs whose records cannot be read until an operator has repaired them."""

    count: Annotated[int, Field(ge=0)]
    job_ids: list[_JobId]


class JobPage(TypedDict):
    """Jobs, newest first."""

    items: list[Job]
    damaged: Annotated[
        DamagedJobs, Field(description="Those of the page, whether or not they match.")
    ]
    next_cursor: Annotated[
        str | None,
        Field(
            description="Null on the last page. A page may be short, or empty, and not the last."
        ),
    ]


class TargetPlaceAnswer(TypedDict):
    """Region and account of a target."""

    region: str
    account: str


class JobValidation(TypedDict):
    """The outcome that creating a job would have."""

    valid: bool
    definition: Annotated[
        DefinedJob, Field(description="The job, with the default of what was left out.")
    ]
    errors: list[FieldProblem]
    advice: Annotated[
        list[AdviceAnswer], Field(description="What the definition alone lets expect.")
    ]
    cost: Annotated[
        CostEstimate | None, Field(description="Of its runs; null for a job that is refused.")
    ]
    payload_example: Annotated[
        Any,
        Field(
            description="The payload as its first run would send it; null without payload_marks."
        ),
    ]
    target_place: Annotated[
        TargetPlaceAnswer | None,
        Field(
            description="Where its runs call AWS, as the target's ARN or URL says; null where "
            "they do not, and for a job that is refused."
        ),
    ]
