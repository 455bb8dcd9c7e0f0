"""Actions: what a run does, and to which target."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from timegate.domain.actions.pool import Offer
from timegate.domain.values.identity import DagId
from timegate.domain.values.secrets import SecretRef


class Wait(StrEnum):
    """End of a web hook's run."""

    #: When it answers.
    ANSWER = "answer"
    #: When it calls back, if it answers 202; else when it answers.
    CALLBACK = "callback"


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookAction:
    """An HTTP request; redirects are not followed."""

    type: ClassVar[str] = "webhook"
    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Headers whose values are secrets, read when the request is made.
    secret_headers: Mapping[str, SecretRef] = field(default_factory=dict)
    #: Requests are signed with its keys.
    signing_secret: SecretRef | None = None
    #: The answers that are successes; without any, every 2xx.
    success_statuses: tuple[int, ...] = ()
    wait: Wait = Wait.ANSWER
    #: How long a target that calls back may be silent; ``None``: it does not call back.
    heartbeat_seconds: int | None = None


class Invocation(StrEnum):
    """End of a function's run."""

    #: When the function returns.
    SYNC = "sync"
    #: When Lambda has queued the event; what becomes of it is Lambda's business.
    ASYNC = "async"
    #: When the function calls back; Lambda has queued the event by then.
    CALLBACK = "callback"


@dataclass(frozen=True, kw_only=True, slots=True)
class LambdaAction:
    """An invocation of a function."""

    type: ClassVar[str] = "lambda"
    function_arn: str
    invocation: Invocation = Invocation.SYNC
    #: As a web hook's.
    heartbeat_seconds: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SqsAction:
    """One message to a queue of the user's; the run ends when SQS has accepted it."""

    type: ClassVar[str] = "sqs"
    queue_url: str
    #: Of a FIFO queue: whose order it keeps; without one, its job's. Of any other: whose share of
    #: a fair queue it is.
    message_group_id: str | None = None

    @property
    def is_fifo(self) -> bool:
        """Tell if the queue keeps order and drops duplicates."""
        return self.queue_url.endswith(FIFO_SUFFIX)


@dataclass(frozen=True, kw_only=True, slots=True)
class SnsAction:
    """One message to a topic; the run ends when SNS has accepted it."""

    type: ClassVar[str] = "sns"
    topic_arn: str
    subject: str | None = None
    #: As a queue's.
    message_group_id: str | None = None

    @property
    def is_fifo(self) -> bool:
        """Tell if the topic keeps order and drops duplicates."""
        return self.topic_arn.endswith(FIFO_SUFFIX)


@dataclass(frozen=True, kw_only=True, slots=True)
class EventBridgeAction:
    """One event on a bus; the run ends when EventBridge has accepted it."""

    type: ClassVar[str] = "eventbridge"
    bus_arn: str
    source: str
    detail_type: str


class ExecutionMode(StrEnum):
    """End of a state machine's run."""

    #: When the execution has begun.
    START = "start"
    #: When the execution has ended; it ends as the execution did.
    WAIT = "wait"


@dataclass(frozen=True, kw_only=True, slots=True)
class StepFunctionsAction:
    """An execution of a state machine, named after its run so that it begins once."""

    type: ClassVar[str] = "stepfunctions"
    state_machine_arn: str
    mode: ExecutionMode = ExecutionMode.START


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerAction:
    """An offer in a pool: a program outside claims the run, and says how it ended."""

    type: ClassVar[str] = "worker"
    pool: str
    handler: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DagAction:
    """A run of a DAG of the tenant's, as it is then; the run ends as the DAG run does."""

    type: ClassVar[str] = "dag"
    dag_id: DagId


#: How long a target that calls back may be silent, unless its job says otherwise.
DEFAULT_HEARTBEAT_SECONDS = 60

#: How AWS has the names of queues and topics end that keep order.
FIFO_SUFFIX = ".fifo"

Action = (
    WebhookAction
    | LambdaAction
    | SqsAction
    | SnsAction
    | EventBridgeAction
    | StepFunctionsAction
    | WorkerAction
    | DagAction
)


def offer_of(action: Action) -> Offer | None:
    """Return the offer of runs of this action; ``None``: they go through a queue."""
    if not isinstance(action, WorkerAction):
        return None
    return Offer(pool=action.pool, handler=action.handler)


def silence_seconds(action: Action) -> int | None:
    """Return how long a target that works on by itself may be silent; ``None``: it must answer."""
    match action:
        case WebhookAction(wait=Wait.CALLBACK) | LambdaAction(invocation=Invocation.CALLBACK):
            return action.heartbeat_seconds or DEFAULT_HEARTBEAT_SECONDS
        case _:
            return None


def may_continue(action: Action) -> bool:
    """Its target answers the call, or calls back, so that it can order to go on."""
    match action:
        case WebhookAction() | WorkerAction():
            return True
        case LambdaAction(invocation=invocation):
            return invocation is not Invocation.ASYNC
        case _:
            return False
