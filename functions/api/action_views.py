"""Actions as users see them: their type and the fields of that type."""

from dataclasses import asdict
from typing import Any

from timegate.domain.actions.action import (
    Action,
    DagAction,
    EventBridgeAction,
    LambdaAction,
    SnsAction,
    SqsAction,
    StepFunctionsAction,
    WebhookAction,
    WorkerAction,
)


def action_view(action: Action) -> dict[str, Any]:
    """An action; every field of its type is there."""
    return {"type": action.type, **_own_fields(action)}


def _own_fields(action: Action) -> dict[str, Any]:
    match action:
        case WebhookAction():
            return _webhook_fields(action)
        case LambdaAction():
            return {
                "function_arn": action.function_arn,
                "invocation": action.invocation,
                "heartbeat_seconds": action.heartbeat_seconds,
            }
        case SqsAction() | SnsAction():
            return _message_fields(action)
        case EventBridgeAction():
            return {
                "bus_arn": action.bus_arn,
                "source": action.source,
                "detail_type": action.detail_type,
            }
        case StepFunctionsAction():
            return {"state_machine_arn": action.state_machine_arn, "mode": action.mode}
        case WorkerAction() | DagAction():
            return _names_of_ours(action)


def _names_of_ours(action: WorkerAction | DagAction) -> dict[str, Any]:
    if isinstance(action, DagAction):
        return {"dag_id": action.dag_id}
    return {"pool": action.pool, "handler": action.handler}


def _message_fields(action: SqsAction | SnsAction) -> dict[str, Any]:
    if isinstance(action, SqsAction):
        return {"queue_url": action.queue_url, "message_group_id": action.message_group_id}
    return {
        "topic_arn": action.topic_arn,
        "subject": action.subject,
        "message_group_id": action.message_group_id,
    }


def _webhook_fields(action: WebhookAction) -> dict[str, Any]:
    signing = action.signing_secret
    return {
        "url": action.url,
        "method": action.method,
        "headers": dict(action.headers),
        "secret_headers": {name: asdict(ref) for name, ref in action.secret_headers.items()},
        "signing_secret": asdict(signing) if signing is not None else None,
        "success_statuses": list(action.success_statuses),
        "wait": action.wait,
        "heartbeat_seconds": action.heartbeat_seconds,
    }
