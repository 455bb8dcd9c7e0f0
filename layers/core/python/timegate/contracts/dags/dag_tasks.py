"""The tasks of a DAG, as they are asked for."""

from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from timegate.contracts.actions import ActionContract
from timegate.contracts.jobs.job import PayloadMarksContract
from timegate.contracts.jobs.long_runs import LongRunContract
from timegate.contracts.jobs.retries import RetryContract
from timegate.contracts.limits import OverlapContract
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import PRINTABLE, Contract, Instant
from timegate.contracts.values.secrets import SecretContract
from timegate.domain.dags.definition import (
    FanOut,
    InlineTask,
    JobTask,
    Join,
    JoinKind,
    Task,
    TaskSpec,
    TriggerKind,
    TriggerRule,
)
from timegate.domain.dags.limits import MAX_APPROVERS, MAX_DEFAULT_BYTES, MAX_FAN_OUT_WIDTH
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.events.event import MAX_NAME
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.jobs.finish_by import TIME_OF_DAY
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS
from timegate.domain.values.identity import JobId, TaskKey
from timegate.domain.values.payload import json_text

#: The form of a key is checked with the rest of the graph, so that all problems are told at once.
Key = Annotated[
    str, Field(max_length=200, description="1 to 40 of a to z, digits, - and _; a letter first.")
]


_Approver = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PRINTABLE)]


class TaskJobContract(Contract):
    """The job of a task, in the words of a job."""

    action: ActionContract
    payload: Any = Field(None, description="Any JSON up to 256 KB, sent as it is; null: none.")
    payload_marks: PayloadMarksContract | None = Field(
        None, description="Marks in its own payload are filled; their zone is UTC unless named."
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=MAX_WORKER_TIMEOUT_SECONDS), Duration()] = 30
    resource_class: ResourceClass = ResourceClass.SHORT
    retry: RetryContract = Field(default_factory=RetryContract)
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    long_run: LongRunContract | None = None
    overlap: Annotated[
        OverlapContract,
        Field(description="With any policy but allow, concurrency_key names the slots it shares."),
    ] = Field(default_factory=OverlapContract)

    def to_domain(self) -> InlineTask:
        """Return the domain's value."""
        payload = json_text(self.payload) if self.payload is not None else None
        return InlineTask(**self.as_domain() | {"payload": payload})


class AwaitedEventContract(Contract):
    """An event that ends a task: its type and its key, and perhaps its source and its data."""

    type: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME, pattern=PRINTABLE)]
    correlation: Any = Field(
        description=(
            'The event\'s correlationid, or else its subject: text, or {"$ref": "<JMESPath>"},'
            " which stands for what that finds in the run's data."
        )
    )
    source: Annotated[str | None, Field(min_length=1, max_length=MAX_NAME, pattern=PRINTABLE)] = (
        None
    )
    match: dict[str, Any] | None = Field(
        None, description="A pattern over the event's data, as of EventBridge; null: any data."
    )
    lookback_seconds: Annotated[int, Duration()] = Field(
        0, description="An event counts that came so long before the DAG run began."
    )

    def to_domain(self) -> AwaitedEvent:
        """Return the domain's value."""
        match = json_text(self.match) if self.match is not None else None
        return AwaitedEvent(
            type=self.type,
            source=self.source,
            lookback_seconds=self.lookback_seconds,
            correlation=json_text(self.correlation),
            match=match,
        )


class WaitContract(Contract):
    """A wait instead of a job: a sleep, an approval by a person, or an event.

    It ends after seconds, until an instant or at a time of day: one of the three. An approval or an
    event without an end waits until the deadline of its DAG run.
    """

    kind: WaitKind
    seconds: Annotated[int, Duration()] | None = Field(
        None, description="From the start of the task; at most the DAG's timeout_seconds."
    )
    until: Instant | None = None
    time: Annotated[
        str | None,
        Field(
            pattern=f"^{TIME_OF_DAY.pattern}$",
            description="HH:MM or HH:MM:SS: the first such time after the task's start.",
        ),
    ] = None
    timezone: Annotated[
        str | None,
        Field(min_length=1, max_length=64, description="IANA name of the zone of time; null: UTC."),
    ] = None
    on_expiry: Expiry = Field(
        Expiry.FAIL,
        description="Of an approval or an event: its end when nothing came in time.",
    )
    approvers: Annotated[
        list[_Approver],
        Field(
            max_length=MAX_APPROVERS,
            description=(
                "Of an approval: subjects of the tokens that may decide it; empty: every caller"
                " who may operate."
            ),
        ),
    ] = Field(default_factory=list)

    link_secret: SecretContract | None = Field(
        None,
        description=(
            "Of an approval: its keys sign links, and any holder of a link may decide. One key on"
            " a line, as whsec_ and Base64; the first one signs. null: there are no links."
        ),
    )
    event: AwaitedEventContract | None = Field(None, description="Of an event: which one.")
    default: Any = Field(
        None,
        description=(
            "Of an event: its result when none came in time and on_expiry is succeed; any JSON of"
            f" up to {MAX_DEFAULT_BYTES} bytes."
        ),
    )

    def to_domain(self) -> WaitTask:
        """Return the domain's value."""
        default = json_text(self.default) if self.default is not None else None
        return WaitTask(**self.as_domain() | {"default": default})


class TriggerRuleContract(Contract):
    """The number of a task's incoming edges that must be satisfied."""

    kind: TriggerKind = TriggerKind.ALL
    count: Annotated[int | None, Field(description="Of at_least: so many.")] = None

    def to_domain(self) -> TriggerRule:
        """Return the domain's value."""
        return TriggerRule(**self.as_domain())


class JoinContract(Contract):
    """The number of a fan-out's members that must succeed."""

    kind: JoinKind = JoinKind.ALL
    count: Annotated[int | None, Field(description="Of at_least: so many.")] = None
    share: Annotated[
        float | None, Field(description="Of share: above 0, at most 1; rounded up.")
    ] = None

    def to_domain(self) -> Join:
        """Return the domain's value."""
        return Join(**self.as_domain())


class FanOutContract(Contract):
    """One member of the task per element of a list that is known only in the run."""

    over: str = Field(max_length=2_000, description="JMESPath over the run's data; finds a list.")
    join: JoinContract = Field(default_factory=JoinContract)
    max_width: int = Field(
        MAX_FAN_OUT_WIDTH, description=f"A longer list fails it. At most {MAX_FAN_OUT_WIDTH}."
    )

    def to_domain(self) -> FanOut:
        """Return the domain's value."""
        return FanOut(**self.as_domain())


class TaskContract(Contract):
    """A task: what it runs, and when."""

    key: Key
    name: Annotated[str, StringConstraints(max_length=200, pattern=PRINTABLE)] = ""
    job: TaskJobContract | None = Field(None, description="What it runs, said here; or job_id.")
    job_id: Annotated[str, Field(max_length=200)] | None = Field(
        None,
        description="A job of the tenant, by id or key:<key>: as it is when the run begins.",
    )
    wait: WaitContract | None = Field(None, description="In the place of a job: it makes no run.")
    trigger_rule: TriggerRuleContract = Field(default_factory=TriggerRuleContract)
    fan_out: FanOutContract | None = None
    input: Any = Field(
        None,
        description=(
            'What it is sent: any JSON; {"$ref": "<JMESPath>"} in it stands for what that finds'
            " in the run's data. Null: its job's payload."
        ),
    )
    priority: Priority | None = Field(None, description="Null: its job's, or normal.")

    @model_validator(mode="after")
    def _says_what_it_runs(self) -> Self:
        given = [each for each in (self.job, self.job_id, self.wait) if each is not None]
        if len(given) != 1:
            kind = "contradictory" if given else "required"
            raise PydanticCustomError(kind, "Give one of job, job_id and wait.")
        return self

    def to_domain(self) -> Task:
        """Return the domain's value."""
        return Task(
            key=TaskKey(self.key),
            name=self.name,
            spec=self._spec(),
            trigger_rule=self.trigger_rule.to_domain(),
            fan_out=self.fan_out.to_domain() if self.fan_out is not None else None,
            input=json_text(self.input) if self.input is not None else None,
            priority=self.priority,
        )

    def _spec(self) -> TaskSpec:
        if self.wait is not None:
            return self.wait.to_domain()
        return self.job.to_domain() if self.job else JobTask(job_id=JobId(self.job_id or ""))
