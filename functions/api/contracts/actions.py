"""Actions: one model per type. What a target may be is decided by ``domain.action_rules``."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from api.contracts.fields import PRINTABLE, Contract
from api.contracts.webhooks import Silence, WebhookContract, silence
from timegate.domain.actions.action import (
    DagAction,
    EventBridgeAction,
    ExecutionMode,
    Invocation,
    LambdaAction,
    SnsAction,
    SqsAction,
    StepFunctionsAction,
    WorkerAction,
)

_Arn = Annotated[str, StringConstraints(max_length=512)]
_GroupId = Annotated[
    str, StringConstraints(min_length=1, max_length=128, pattern=r"^[\x21-\x7e]*$")
]


class LambdaContract(Contract):
    """An invocation of a Lambda function on the stage's allow-list."""

    type: Literal["lambda"]
    function_arn: _Arn
    invocation: Invocation = Field(
        Invocation.SYNC,
        description="sync: the run ends as the function does; async: once queued; callback: as the "
        "function says, later.",
    )
    heartbeat_seconds: Silence = None

    def to_domain(self) -> LambdaAction:
        """Return the domain's value."""
        calls_back = self.invocation is Invocation.CALLBACK
        return LambdaAction(
            function_arn=self.function_arn,
            invocation=self.invocation,
            heartbeat_seconds=silence(self.heartbeat_seconds, calls_back=calls_back),
        )


class SqsContract(Contract):
    """One message to an SQS queue on the stage's allow-list."""

    type: Literal["sqs"]
    queue_url: str = Field(max_length=512)
    message_group_id: _GroupId | None = Field(
        None, description="Of a FIFO queue it is the job's id unless given."
    )

    def to_domain(self) -> SqsAction:
        """Return the domain's value."""
        return SqsAction(**self.as_domain())


class SnsContract(Contract):
    """One message to an SNS topic on the stage's allow-list."""

    type: Literal["sns"]
    topic_arn: _Arn
    subject: (
        Annotated[str, StringConstraints(min_length=1, max_length=99, pattern=PRINTABLE)] | None
    ) = None
    message_group_id: _GroupId | None = Field(
        None, description="Of a FIFO topic it is the job's id unless given."
    )

    def to_domain(self) -> SnsAction:
        """Return the domain's value."""
        return SnsAction(**self.as_domain())


class EventBridgeContract(Contract):
    """One event on an EventBridge bus on the stage's allow-list."""

    type: Literal["eventbridge"]
    bus_arn: _Arn
    source: Annotated[str, StringConstraints(min_length=1, max_length=256, pattern=PRINTABLE)]
    detail_type: Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=PRINTABLE)]

    def to_domain(self) -> EventBridgeAction:
        """Return the domain's value."""
        return EventBridgeAction(**self.as_domain())


class StepFunctionsContract(Contract):
    """An execution of a state machine on the stage's allow-list."""

    type: Literal["stepfunctions"]
    state_machine_arn: _Arn
    mode: ExecutionMode = Field(
        ExecutionMode.START,
        description="start: the run ends once the execution has begun; wait: as it does.",
    )

    def to_domain(self) -> StepFunctionsAction:
        """Return the domain's value."""
        return StepFunctionsAction(**self.as_domain())


class WorkerContract(Contract):
    """An offer in a worker pool: a program outside claims the run and says how it ended."""

    type: Literal["worker"]
    pool: str = Field(max_length=64, description="Letters a to z, digits and dashes.")
    handler: str = Field(max_length=64, description="What workers call what is to be done.")

    def to_domain(self) -> WorkerAction:
        """Return the domain's value."""
        return WorkerAction(**self.as_domain())


class DagContract(Contract):
    """A run of one of the tenant's DAGs; the job's run ends as the DAG run does."""

    type: Literal["dag"]
    dag_id: str = Field(max_length=100, description="The payload, an object, is its parameters.")

    def to_domain(self) -> DagAction:
        """Return the domain's value."""
        return DagAction(**self.as_domain())


ActionContract = Annotated[
    WebhookContract
    | LambdaContract
    | SqsContract
    | SnsContract
    | EventBridgeContract
    | StepFunctionsContract
    | WorkerContract
    | DagContract,
    Field(discriminator="type"),
]
