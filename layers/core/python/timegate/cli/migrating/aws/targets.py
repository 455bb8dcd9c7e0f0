"""From a target of EventBridge to the action of a job."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.aws.context_marks import notes_of_context, with_marks
from timegate.cli.migrating.aws.ecs_targets import fields_of_task, notes_of_task
from timegate.cli.migrating.entries import Note, part_of, whole_number
from timegate.declaring.json_reading import check_portable
from timegate.domain.values.errors import InvalidInput

#: A rule writes values of its event in place of these.
_TEMPLATE_MARK = re.compile(r"<[A-Za-z0-9_.-]{1,256}+>")
_MAX_ATTEMPTS = 50
#: EventBridge tries 185 times more unless told otherwise.
_DEFAULT_RETRIES = 185
_ARN_PARTS = 6
#: Their targets get the payload within a document; EventBridge gives them ``Input`` itself.
_ENVELOPED = frozenset({"lambda", "stepfunctions", "eventbridge"})
_ENVELOPE = Note(
    code="envelope",
    detail="EventBridge gives the target Input itself; here it is the member payload of what the "
    "target gets, beside timegate: read it there.",
)
_TEXT = Note(
    code="input_text",
    detail="Input is no JSON that a payload can hold, and EventBridge gives it as it is written; "
    "here the payload is a string of JSON, in quotes.",
)
_NO_INPUT = Note(
    code="input",
    detail="EventBridge sends an event of its own without Input; here there is no payload.",
)


def fields_of_target(target: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map a target of a schedule or a rule to ``action``, ``payload``, ``retry`` and timeout.

    Raises ``InvalidInput`` with code ``unsupported_target``.
    """
    arn, given = str(target.get("Arn") or ""), target.get("Input")
    notes = tuple(_notes_of_template(target))
    if arn.split(":")[2:3] == ["ecs"]:
        # Overrides of a task have no marks.
        context = notes_of_context(str(given))
        return fields_of_task(arn, target), (*notes_of_task(target), *context, *notes)
    policy = part_of(target, "RetryPolicy")
    retries = whole_number(policy, "MaximumRetryAttempts", _DEFAULT_RETRIES)
    # EventBridge goes on however often a target fails: no breaker ends a run before.
    retry: dict[str, Any] = {"max_attempts": min(retries + 1, _MAX_ATTEMPTS), "breaker": None}
    if age := whole_number(policy, "MaximumEventAgeInSeconds"):
        retry["window_seconds"] = age
    action = _action(arn, target)
    fields = {"action": action, "retry": retry}
    if given is None:
        return fields, (_NO_INPUT,)
    within = (_ENVELOPE,) if action["type"] in _ENVELOPED else ()
    payload, of_text = _payload(str(given))
    marked = with_marks(payload)
    left = notes_of_context(str(marked["payload"]))
    return fields | marked, (*left, *notes, *within, *of_text)


def _notes_of_template(target: Mapping[str, Any]) -> Iterator[Note]:
    """Yield the difference that a template of a rule makes, where EventBridge fills it."""
    names = sorted(set(_TEMPLATE_MARK.findall(str(target.get("Input")))))
    if "InputTransformer" in target and names:
        detail = (
            f"EventBridge fills {', '.join(names)} from its event; here the template stays as it "
            "is written. The run's instant and ids reach the target beside the payload."
        )
        yield Note(code="input_transformer", detail=detail)


def _action(arn: str, target: Mapping[str, Any]) -> dict[str, Any]:
    parts = arn.split(":", _ARN_PARTS - 1)
    if len(parts) < _ARN_PARTS:
        raise InvalidInput("target", "unsupported_target", f"{arn!r} is no ARN of a target.")
    partition, service, region, account, resource = parts[1:]
    match service:
        case "lambda":
            # EventBridge Scheduler invokes functions asynchronously.
            return {"type": "lambda", "function_arn": arn, "invocation": "async"}
        case "sqs":
            domain = "amazonaws.com.cn" if partition == "aws-cn" else "amazonaws.com"
            url = f"https://sqs.{region}.{domain}/{account}/{resource}"
            group = part_of(target, "SqsParameters").get("MessageGroupId")
            return {
                "type": "sqs",
                "queue_url": url,
                **({"message_group_id": group} if group else {}),
            }
        case "sns":
            return {"type": "sns", "topic_arn": arn}
        case "states":
            return {"type": "stepfunctions", "state_machine_arn": arn, "mode": "start"}
        case "events" if resource.startswith("event-bus/") and "EventBridgeParameters" in target:
            event = part_of(target, "EventBridgeParameters")
            names = {"source": event.get("Source"), "detail_type": event.get("DetailType")}
            return {"type": "eventbridge", "bus_arn": arn, **names}
    raise InvalidInput("target", "unsupported_target", _unsupported(arn, service, resource))


def _unsupported(arn: str, service: str, resource: str) -> str:
    """Explain why no action calls a target."""
    if service == "events" and resource.startswith("api-destination/"):
        return f"{arn} is an API destination: write its address and its secrets as a webhook."
    if service == "events":
        return (
            f"{arn} gets the event of a rule: an eventbridge action names source and detail type."
        )
    return f"{arn} is no Lambda function, queue, topic, state machine, bus or cluster."


def _payload(text: str) -> tuple[object, tuple[Note, ...]]:
    """Read ``Input`` as JSON; any other text stays one, with a note."""
    try:
        value = json.loads(text)
        check_portable(value)
    except (ValueError, RecursionError):
        return text, (_TEXT,)
    return value, ()
