"""Rules of a job's action."""

import json
import re
from collections.abc import Callable

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
from timegate.domain.actions.pool import HANDLER_NAME, POOL_NAME
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.jobs.rules.callback_rules import check_silence
from timegate.domain.jobs.rules.webhook_rules import check_webhook
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId

#: SNS, EventBridge and Step Functions take so many bytes, and what they are told of the run is
#: among them.
MAX_MESSAGE_BYTES = 256 * 1024
#: More than what they are told ever has: ids, instants, counters, and an event's source and type.
_TOLD_BYTES = 2 * 1024

_PLACE = r"[a-z0-9-]+:\d{12}"
_FUNCTION = re.compile(
    rf"arn:aws[a-z-]*:lambda:{_PLACE}:function:[A-Za-z0-9_-]{{1,64}}(:[A-Za-z0-9_$-]{{1,128}})?"
)
_TOPIC = re.compile(rf"arn:aws[a-z-]*:sns:{_PLACE}:[A-Za-z0-9_-]{{1,256}}(\.fifo)?")
_BUS = re.compile(rf"arn:aws[a-z-]*:events:{_PLACE}:event-bus/[A-Za-z0-9._/-]{{1,256}}")
_STATE_MACHINE = re.compile(
    rf"arn:aws[a-z-]*:states:{_PLACE}:stateMachine:[A-Za-z0-9_-]{{1,80}}(:[A-Za-z0-9_.-]{{1,80}})?"
)
_URL = re.compile(r"[\x21-\x7e]+")
#: AWS keeps these for its own services, and fails the entries of others.
_AWS_SOURCE = "aws."


def check_action(action: Action, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse what could never be done for the tenant; raises ``InvalidInput`` naming the field."""
    match action:
        case WebhookAction():
            check_webhook(action, rules, tenant)
            check_silence(action)
        case LambdaAction(function_arn=arn):
            _check_arn("function", arn, _FUNCTION, rules.allows_function, tenant)
            check_silence(action)
        case SqsAction(queue_url=url):
            _check_queue(url, rules, tenant)
        case SnsAction(topic_arn=arn):
            _check_arn("topic", arn, _TOPIC, rules.allows_topic, tenant)
        case EventBridgeAction(bus_arn=arn):
            _check_arn("bus", arn, _BUS, rules.allows_bus, tenant)
            _check_source(action.source)
        case StepFunctionsAction(state_machine_arn=arn):
            _check_arn("state_machine", arn, _STATE_MACHINE, rules.allows_state_machine, tenant)
        case WorkerAction() | DagAction():
            _check_own(action)


def check_message_size(action: Action, payload_bytes: int) -> None:
    """Refuse a payload that the job's target would not take; raises ``InvalidInput``."""
    match action:
        case SnsAction() | EventBridgeAction() | StepFunctionsAction():
            limit = MAX_MESSAGE_BYTES - _TOLD_BYTES
        case WebhookAction() | LambdaAction() | SqsAction() | WorkerAction() | DagAction():
            return
    if payload_bytes > limit:
        detail = f"It has {payload_bytes} bytes; a target of type {action.type} takes {limit}."
        raise InvalidInput("payload", "payload_too_large", detail)


def check_parameters(action: Action, payload: str | None) -> None:
    """Refuse a payload that cannot be the parameters of a DAG run; raises ``InvalidInput``."""
    if not isinstance(action, DagAction) or payload is None:
        return
    if not isinstance(json.loads(payload), dict):
        detail = "The parameters of a DAG run are a JSON object."
        raise InvalidInput("payload", "not_an_object", detail)


def _check_arn(
    kind: str,
    arn: str,
    form: re.Pattern[str],
    is_allowed: Callable[[TenantId, str], bool],
    tenant: TenantId,
) -> None:
    field, words = f"action.{kind}_arn", kind.replace("_", " ")
    if not form.fullmatch(arn):
        raise InvalidInput(field, "invalid_arn", f"It must be the ARN of a {words}.")
    if not is_allowed(tenant, arn):
        raise _not_allowed(field, words)


def _check_queue(url: str, rules: TargetRules, tenant: TenantId) -> None:
    try:
        allowed = bool(_URL.fullmatch(url)) and rules.allows_queue(tenant, url)
    except ValueError:
        allowed = False
    if not allowed:
        raise _not_allowed("action.queue_url", "queue")


def check_pool_name(pool: str, field: str) -> None:
    """Refuse what no pool can be called; raises ``InvalidInput`` naming the field."""
    if not POOL_NAME.fullmatch(pool):
        detail = "A pool's name has 1 to 64 letters a to z, digits and dashes."
        raise InvalidInput(field, "invalid_format", detail)


def _check_own(action: WorkerAction | DagAction) -> None:
    """Check actions of Timegate itself; the tenant's records tell if a DAG exists."""
    if isinstance(action, WorkerAction):
        _check_offer(action)


def _check_offer(action: WorkerAction) -> None:
    check_pool_name(action.pool, "action.pool")
    if not HANDLER_NAME.fullmatch(action.handler):
        detail = "A handler's name has 1 to 64 letters, digits, dots, dashes and underscores."
        raise InvalidInput("action.handler", "invalid_format", detail)


def _check_source(source: str) -> None:
    if source.lower().startswith(_AWS_SOURCE):
        detail = "Sources that begin with aws. are those of AWS's own services."
        raise InvalidInput("action.source", "reserved_source", detail)


def _not_allowed(field: str, kind: str) -> InvalidInput:
    # The same words whether the target exists or not: the list is the operator's business.
    detail = f"This {kind} is not among those that jobs of this tenant may target."
    return InvalidInput(field, "target_not_allowed", detail)
