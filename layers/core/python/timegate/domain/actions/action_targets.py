"""Names of actions' targets: jobs that call the same target are limited together."""

from urllib.parse import urlsplit

from timegate.domain.actions.action import (
    Action,
    DagAction,
    EventBridgeAction,
    ExecutionMode,
    LambdaAction,
    SnsAction,
    SqsAction,
    StepFunctionsAction,
    WebhookAction,
    WorkerAction,
)


def target_of(action: Action) -> str | None:
    """The name of what is called, of web hooks the host; ``None``: nothing is, workers come.

    It has a colon, which no name of a user's has.
    """
    name: str | None
    match action:
        case WebhookAction(url=url):
            name = urlsplit(url).netloc.rpartition("@")[2].lower()
        case LambdaAction(function_arn=name) | SnsAction(topic_arn=name):
            pass
        case SqsAction(queue_url=name) | EventBridgeAction(bus_arn=name):
            pass
        case StepFunctionsAction(state_machine_arn=name):
            pass
        case DagAction(dag_id=name):
            pass
        case WorkerAction():
            name = None
    return f"{action.type}:{name}" if name is not None else None


def goes_on_alone(action: Action) -> bool:
    """Tell if the action ends by itself, without a waiting executor: it can be stopped."""
    waits = isinstance(action, StepFunctionsAction) and action.mode is ExecutionMode.WAIT
    return waits or isinstance(action, DagAction)
