"""Jobs as they are asked for: a whole one, and changes to one."""

from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

from pydantic import AfterValidator, Field, StringConstraints, create_model
from pydantic_core import PydanticCustomError

from timegate.contracts.actions import ActionContract
from timegate.contracts.calendars import CalendarRules
from timegate.contracts.jobs.catch_up import CatchUpContract, StartWithin
from timegate.contracts.jobs.conditions import ConditionContract
from timegate.contracts.jobs.finish_by import FinishByContract
from timegate.contracts.jobs.follow_ups import FollowUps
from timegate.contracts.jobs.long_runs import LongRunContract
from timegate.contracts.jobs.notifications import AbsentAfter, Hooks, LateAfter
from timegate.contracts.jobs.retries import RetryContract
from timegate.contracts.limits import CollapseContract, OverlapContract, RateLimitContract
from timegate.contracts.recurrence import ScheduleContract
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import (
    Contract,
    Description,
    Labels,
    Name,
    PayloadSchemaJson,
    domain_value,
)
from timegate.domain.jobs.definition import DEFINED, JobChanges, JobDefinition
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.demands import ListRuns, Precision, Priority, ResourceClass
from timegate.domain.jobs.retry import MAX_FAILURES_IN_A_ROW
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS
from timegate.domain.values.identity import JOB_KEY, is_job_key
from timegate.domain.values.payload import PayloadMarks
from timegate.value_classes import dataclass


def _refuse_id(text: str) -> str:
    if not is_job_key(text):
        raise PydanticCustomError("invalid_format", "A key may not look like the id of a job.")
    return text


_JobKey = Annotated[str, StringConstraints(pattern=JOB_KEY), AfterValidator(_refuse_id)]
#: Fields of a definition; its payload is stored as text.
_DEFINED = DEFINED - {"payload"}
_Failures = Annotated[int, Field(ge=1, le=MAX_FAILURES_IN_A_ROW)]


class PayloadMarksContract(Contract):
    """Marks such as {{date}} in texts of the payload are filled at each call."""

    timezone: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=64,
            description="IANA name of the zone whose days are named; null: that of the schedule.",
        ),
    ] = None

    def to_domain(self) -> PayloadMarks:
        """Return the domain's value."""
        return PayloadMarks(**self.as_domain())


_Timeout = Annotated[int, Field(ge=1, le=MAX_WORKER_TIMEOUT_SECONDS), Duration()]


@dataclass(frozen=True, slots=True)
class Cleared:
    """Describes a field of a patch that null clears."""

    null: str


class NewJob(Contract):
    """A job to create."""

    name: Name
    key: Annotated[_JobKey | None, Cleared("Null: the job has no key any more.")] = Field(
        None, description="Unique in the tenant: key:<key> stands for the job's id; null: none."
    )
    schedule: ScheduleContract
    action: ActionContract
    payload: Annotated[Any, Cleared("Any JSON up to 256 KB; null removes it.")] = Field(
        None, description="Any JSON up to 256 KB; null means none."
    )
    payload_marks: Annotated[
        PayloadMarksContract | None, Cleared("Null: the payload is sent as it is.")
    ] = Field(
        None,
        description=(
            "Marks such as {{date}} in texts of the payload are filled at each call; null: it is"
            " sent as it is."
        ),
    )
    payload_schema: Annotated[
        PayloadSchemaJson | None, Cleared("Null: any payload is accepted.")
    ] = Field(
        None,
        description=(
            "JSON Schema, a closed part of 2020-12, that the payload of the job and of each trigger"
            " is to fit; null: any does."
        ),
    )
    description: Description = ""
    priority: Priority = Priority.NORMAL
    resource_class: ResourceClass = ResourceClass.SHORT
    precision: Precision = Precision.SECOND
    timeout_seconds: _Timeout = Field(
        30, description="At most 60 for short runs, 840 for long, a day for workers'."
    )
    retry: RetryContract = Field(default_factory=RetryContract)
    catch_up: CatchUpContract = Field(default_factory=CatchUpContract)
    overlap: OverlapContract = Field(default_factory=OverlapContract)
    collapse: Annotated[
        CollapseContract | None, Cleared("Null: each trigger is a run of its own.")
    ] = Field(None, description="Which triggers are one run; null: each is a run of its own.")
    delivery: DeliveryMode = Field(
        DeliveryMode.AT_LEAST_ONCE, description="at_most_once: never tried again, whatever happens."
    )
    long_run: Annotated[LongRunContract | None, Cleared("Null: runs have no slices any more.")] = (
        Field(
            None, description="Lets a run go on in slices; null: it ends with its target's answer."
        )
    )
    notifications: Hooks = Field(default_factory=list, description="Who is told of its runs.")
    late_after_seconds: Annotated[LateAfter | None, Cleared("Null: no run is late.")] = Field(
        None, description="A run that starts so long after it was due is late; null: none is."
    )
    absent_after_seconds: Annotated[AbsentAfter | None, Cleared("Null: no success is awaited.")] = (
        Field(None, description="So long without a successful run is told of; null: no span is.")
    )
    finish_by: Annotated[
        FinishByContract | None, Cleared("Null: runs have no deadline any more.")
    ] = Field(None, description="By when a run is to have ended; null: whenever it does.")
    then: FollowUps = Field(default_factory=list, description="What runs once a run has ended.")
    rate_limit: Annotated[
        RateLimitContract | None, Cleared("Null: its target is called as often as runs are due.")
    ] = Field(
        None, description="How often its target may be called; null: as often as runs are due."
    )
    before: Annotated[ConditionContract | None, Cleared("Null: no address is asked.")] = Field(
        None, description="Who is asked before a run begins; null: no address."
    )
    pause_after_failures: Annotated[
        _Failures | None, Cleared("Null: failures do not pause the job any more.")
    ] = Field(
        None, description="So many failed runs in a row pause a repeating job; null: none do."
    )
    calendars: CalendarRules = Field(
        default_factory=list, description="An instant runs if every one of these lets it."
    )
    start_within_seconds: Annotated[
        StartWithin | None, Cleared("Null: a run starts whenever it can.")
    ] = Field(
        None, description="A run that could not start by then is skipped; null: whenever it can."
    )
    tags: Labels = Field(default_factory=dict)
    list_runs: Annotated[ListRuns | None, Cleared("Null: those that fail.")] = Field(
        None,
        description=(
            "Runs that GET /v1/runs shows: all costs an index write for each; null: as the tenant"
            " has it, else those that fail."
        ),
    )
    metadata: Labels = Field(default_factory=dict)

    def to_domain(self, payload: str | None) -> JobDefinition:
        """Return the use case's argument; ``payload`` as JSON text."""
        given = self.model_fields_set & _DEFINED
        values = {name: domain_value(getattr(self, name)) for name in given}
        return JobDefinition(payload=payload, **values)


def job_fields() -> dict[str, Any]:
    """Return the fields of a new job by name, as they are annotated."""
    hints = get_type_hints(NewJob, include_extras=True)
    return {name: hints[name] for name in NewJob.model_fields}


class _Patch(Contract):
    """Changes to a job: each field given replaces the stored one as a whole."""

    def to_domain(self, payload: str | None) -> JobChanges:
        """Return the use case's argument; ``payload`` as JSON text."""
        given = {name: domain_value(getattr(self, name)) for name in self.model_fields_set}
        return JobChanges(**given | ({"payload": payload} if "payload" in given else {}))


def _absent() -> None:
    """Stands for a field that was not given. A factory's value stays out of the JSON schema."""


def _optional(hint: object) -> tuple[object, object]:
    """A field of a new job, as a patch has it.

    Where null means nothing, no type admits it: a patch leaves what is absent alone, and null would
    be a wish that cannot be read.
    """
    cleared = [each.null for each in get_args(hint) if isinstance(each, Cleared)]
    return hint, Field(default_factory=_absent, description=cleared[0] if cleared else None)


if TYPE_CHECKING:
    JobPatch = _Patch
else:
    #: Derived, so that each field is listed once.
    JobPatch = create_model(
        "JobPatch",
        __base__=_Patch,
        __doc__=_Patch.__doc__,
        __module__=__name__,
        **{name: _optional(hint) for name, hint in job_fields().items()},
    )
