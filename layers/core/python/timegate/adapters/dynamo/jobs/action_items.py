"""Actions as maps within a job's item: what differs from a plain one of its type."""

from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import (
    listed,
    mapping,
    number,
    optional_text,
    text,
    texts,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.actions.action import (
    Action,
    DagAction,
    EventBridgeAction,
    ExecutionMode,
    Invocation,
    LambdaAction,
    SnsAction,
    SqsAction,
    StepFunctionsAction,
    Wait,
    WebhookAction,
    WorkerAction,
)
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import DagId
from timegate.domain.values.secrets import SecretRef

Fields = Mapping[str, Plain]


def action_to_fields(action: Action) -> Fields:
    """An action, named by its type."""
    fields = {"type": action.type, **_own_fields(action)}
    return {name: value for name, value in fields.items() if value is not None}


def action_from_fields(fields: Fields) -> Action:
    """Read an action back; raises ``Malformed`` for a type nobody knows."""
    match fields["type"]:
        case WebhookAction.type:
            return _webhook(fields)
        case LambdaAction.type:
            return LambdaAction(
                function_arn=text(fields["function_arn"]),
                invocation=Invocation(text(fields.get("invocation", Invocation.SYNC))),
                heartbeat_seconds=_seconds(fields),
            )
        case unknown:
            return _from_message_fields(unknown, fields)


def _webhook(fields: Fields) -> WebhookAction:
    signing = fields.get("signing_secret")
    secret_headers = mapping(fields.get("secret_headers"))
    return WebhookAction(
        url=text(fields["url"]),
        method=text(fields["method"]),
        headers=texts(fields.get("headers")),
        secret_headers={
            name: secret_from_fields(mapping(ref)) for name, ref in secret_headers.items()
        },
        signing_secret=secret_from_fields(mapping(signing)) if signing is not None else None,
        success_statuses=tuple(number(each) for each in listed(fields.get("success_statuses"))),
        wait=Wait(text(fields.get("wait", Wait.ANSWER))),
        heartbeat_seconds=_seconds(fields),
    )


def _seconds(fields: Fields) -> int | None:
    seconds = fields.get("heartbeat_seconds")
    return number(seconds) if seconds is not None else None


def _webhook_fields(action: WebhookAction) -> dict[str, Plain]:
    signing = action.signing_secret
    secret_headers = {name: secret_to_fields(ref) for name, ref in action.secret_headers.items()}
    return {
        "url": action.url,
        "method": action.method,
        "headers": dict(action.headers),
        "secret_headers": secret_headers or None,
        "signing_secret": secret_to_fields(signing) if signing is not None else None,
        "success_statuses": list(action.success_statuses) or None,
        "wait": None if action.wait is Wait.ANSWER else action.wait,
        "heartbeat_seconds": action.heartbeat_seconds,
    }


def secret_from_fields(fields: Fields) -> SecretRef:
    """Read back where a secret is kept."""
    return SecretRef(
        secret_arn=optional_text(fields.get("secret_arn")),
        ssm_parameter=optional_text(fields.get("ssm_parameter")),
        json_key=optional_text(fields.get("json_key")),
    )


def secret_to_fields(ref: SecretRef) -> Fields:
    """Build the fields that name a secret's place."""
    fields = {
        "secret_arn": ref.secret_arn,
        "ssm_parameter": ref.ssm_parameter,
        "json_key": ref.json_key,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _from_message_fields(kind: Plain, fields: Fields) -> Action:
    match kind:
        case SqsAction.type:
            return SqsAction(
                queue_url=text(fields["queue_url"]),
                message_group_id=optional_text(fields.get("message_group_id")),
            )
        case SnsAction.type:
            return SnsAction(
                topic_arn=text(fields["topic_arn"]),
                subject=optional_text(fields.get("subject")),
                message_group_id=optional_text(fields.get("message_group_id")),
            )
        case EventBridgeAction.type:
            return EventBridgeAction(
                bus_arn=text(fields["bus_arn"]),
                source=text(fields["source"]),
                detail_type=text(fields["detail_type"]),
            )
        case StepFunctionsAction.type:
            return StepFunctionsAction(
                state_machine_arn=text(fields["state_machine_arn"]),
                mode=ExecutionMode(text(fields.get("mode", ExecutionMode.START))),
            )
        case WorkerAction.type:
            return WorkerAction(pool=text(fields["pool"]), handler=text(fields["handler"]))
        case DagAction.type:
            return DagAction(dag_id=DagId(text(fields["dag_id"])))
        case unknown:
            raise Malformed(f"{unknown!r} is no type of action.")


def _own_fields(action: Action) -> dict[str, Plain]:
    match action:
        case WebhookAction():
            return _webhook_fields(action)
        case LambdaAction():
            is_sync = action.invocation is Invocation.SYNC
            return {
                "function_arn": action.function_arn,
                "invocation": None if is_sync else action.invocation,
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
            return _state_machine_fields(action)
        case WorkerAction() | DagAction():
            return _names_of_ours(action)


def _names_of_ours(action: WorkerAction | DagAction) -> dict[str, Plain]:
    if isinstance(action, DagAction):
        return {"dag_id": action.dag_id}
    return {"pool": action.pool, "handler": action.handler}


def _state_machine_fields(action: StepFunctionsAction) -> dict[str, Plain]:
    starts = action.mode is ExecutionMode.START
    return {
        "state_machine_arn": action.state_machine_arn,
        "mode": None if starts else action.mode,
    }


def _message_fields(action: SqsAction | SnsAction) -> dict[str, Plain]:
    if isinstance(action, SqsAction):
        return {"queue_url": action.queue_url, "message_group_id": action.message_group_id}
    return {
        "topic_arn": action.topic_arn,
        "subject": action.subject,
        "message_group_id": action.message_group_id,
    }
