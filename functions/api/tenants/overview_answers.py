"""Answers about a tenant at a glance, and what waits for a decision."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.dag_runs.approval_answers import ApprovalGroup
from api.restrictions.restriction_answers import Freeze
from api.runs.run_answers import NamedRun
from api.tenants.tenant_answers import QuotaNumbers, UsageAnswer
from api.values.ids import JOB_ID, RUN_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.operations.decisions import DecisionKind
from timegate.domain.runs.run import Reason
from timegate.domain.tenants.tenant_settings import TenantStatus

_JobId = Annotated[str, Field(pattern=JOB_ID)]
_RunId = Annotated[str, Field(pattern=RUN_ID)]


class BoundedCount(TypedDict):
    """A number, as far as it was counted."""

    count: Annotated[int, Field(ge=0)]
    is_partial: Annotated[bool, Field(description="There are more than were counted.")]


class Failing(BoundedCount):
    """Failed runs of the last day, and the latest of them."""

    since: WrittenInstant
    latest: Annotated[list[NamedRun], Field(description="Up to five, the latest end first.")]


class PausedJob(TypedDict):
    """A job that failures in a row paused, and no caller has resumed."""

    job_id: _JobId
    name: str
    at: WrittenInstant
    failures: Annotated[int, Field(ge=1, description="Failed runs in a row.")]
    run_id: Annotated[_RunId, Field(description="The run whose end paused it.")]


class JobCounts(TypedDict):
    """Jobs by status."""

    active: int
    paused: int
    completed: int
    cancelled: int


class Overview(TypedDict):
    """A tenant as it is now. Each number is counted for this answer."""

    tenant: str
    status: TenantStatus
    failing: Failing
    dead_letters: Annotated[
        BoundedCount, Field(description="Runs that were given up and not settled.")
    ]
    paused_jobs: Annotated[
        list[PausedJob], Field(description="Paused by one of the 40 latest failed runs of the day.")
    ]
    freezes: Annotated[
        list[Freeze], Field(description="In force, or still to start, by the instant of start.")
    ]
    jobs: Annotated[
        JobCounts | None,
        Field(description="Null for a tenant with 100 or more, those that ended among them."),
    ]
    usage: UsageAnswer
    effective_quotas: QuotaNumbers


class DecisionRun(TypedDict):
    """A run of a group."""

    run_id: _RunId
    job_id: _JobId
    job_name: Annotated[str | None, Field(description="Null: its job is gone.")]
    ended_at: WrittenInstant


class Decision(TypedDict):
    """Runs, or jobs, that wait for a person and have one cause."""

    kind: Annotated[
        DecisionKind,
        Field(
            description=(
                "paused_job: resume it; dead_letter: redrive or discard it; dag_task: retry,"
                " complete or skip it; failed_run: redrive it, or mend its job."
            )
        ),
    ]
    reason: Reason | None
    error_code: str | None
    count: Annotated[int, Field(ge=1, description="Runs; of paused jobs: jobs.")]
    jobs: Annotated[int, Field(ge=1, description="Jobs, or DAG runs, whose runs these are.")]
    first_at: Annotated[WrittenInstant, Field(description="End of the first of them.")]
    last_at: Annotated[WrittenInstant, Field(description="End of the last of them.")]
    latest: Annotated[list[DecisionRun], Field(description="Up to five, the latest end first.")]


class DecisionList(TypedDict):
    """Groups that wait for a person, by kind and cause; the largest of a kind first."""

    since: WrittenInstant
    read: Annotated[int, Field(ge=0, description="Failed runs that were looked at.")]
    is_partial: Annotated[
        bool, Field(description="There are more failed runs; the counts are of the latest ones.")
    ]
    groups: list[Decision]
    approvals: Annotated[
        list[ApprovalGroup],
        Field(description="However long they wait; the group that ends first before the others."),
    ]
    approvals_are_partial: Annotated[
        bool, Field(description="There are more approvals; the counts are of the latest 200.")
    ]
