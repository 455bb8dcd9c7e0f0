"""Events and notification rules of a scenario."""

from typing import Annotated, Any, Literal

from pydantic import Field

from timegate.contracts.dags.dag_tasks import AwaitedEventContract
from timegate.contracts.rules import QuietHoursContract, SelectionContract, WhenContract
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Instant
from timegate.domain.events.event import MAX_NAME
from timegate.domain.simulation import MAX_LIST
from timegate.domain.values.durations import MAX_SECONDS

JOB_ID = "^[a-z2-7]{26}$"
_EventName = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]


class SimulatedEventContract(Contract):
    """An event that is received, as often as it comes."""

    at: Instant
    type: _EventName
    id: _EventName | None = Field(None, description="Unless given, its place in the scenario.")
    source: _EventName = "scenario"
    subject: _EventName | None = None
    correlationid: _EventName | None = None
    data: Any = None
    times: Annotated[int, Field(ge=1, le=MAX_LIST)] = 1
    every_seconds: Annotated[float, Field(gt=0, le=MAX_SECONDS), Duration()] | None = Field(
        None, description="Between two of several."
    )


class SimulatedStartsJob(Contract):
    """A matching event triggers a job of the scenario; the only one needs neither name nor id."""

    type: Literal["job"]
    job: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="Its name in the scenario."
    )
    job_id: Annotated[str, Field(pattern=JOB_ID)] | None = None
    payload: Any = None
    payload_patch: dict[str, Any] | None = None


class SimulatedStartsDagRun(Contract):
    """A matching event starts a DAG, which is no part of the scenario."""

    type: Literal["dag_run"]
    dag_id: Annotated[str, Field(pattern=JOB_ID)]
    parameters: dict[str, Any] | None = None


class SimulatedEventTriggerContract(Contract):
    """A pattern over the scenario's events, and what a matching event starts."""

    pattern: dict[str, Any] = Field(default_factory=dict)
    starts: Annotated[SimulatedStartsJob | SimulatedStartsDagRun, Field(discriminator="type")]


class SimulatedWaitContract(Contract):
    """A task of a DAG that waits for an event."""

    start: Instant | None = Field(
        None, alias="from", description="Its DAG run begins then; the scenario, unless given."
    )
    end: Instant | None = Field(None, alias="to", description="It waits no longer.")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="Of the DAG run, for the correlation."
    )
    event: AwaitedEventContract


class SimulatedRuleContract(Contract):
    """A notification rule; its channels are none of a scenario's."""

    jobs: SelectionContract = Field(default_factory=SelectionContract)
    when: WhenContract
    quiet_hours: QuietHoursContract | None = None
