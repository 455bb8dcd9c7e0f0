"""Event buses: the run ends when EventBridge has accepted its event."""

from typing import TYPE_CHECKING

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.aws.aws_failures import NOT_PERMITTED, classified
from timegate.adapters.targets.aws.work_requests import doing
from timegate.adapters.targets.failures import not_permitted, permanent, retryable
from timegate.adapters.targets.run_context import envelope
from timegate.domain.actions.kind import MAX_MESSAGE_BYTES
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_events.type_defs import PutEventsResultEntryTypeDef

#: EventBridge's codes for an entry that it may take another time; it refuses the others for what
#: they are.
_MAY_PASS = frozenset(
    {"InternalException", "InternalFailure", "ServiceUnavailable", "ThrottlingException"}
)


class EventBusTarget(ActionTarget):
    """Puts events on allow-listed buses."""

    def __init__(self, client: "EventBridgeClient", rules: TargetRules) -> None:
        self._client = client
        self._rules = rules

    def invoke(self, call: Call, action: EventBridgeAction) -> Answer:
        """Put one event, the run's context beside its payload; raises ``TargetFailed``."""
        if not self._rules.allows(action.type, call.tenant, action.bus_arn):
            raise permanent("target_not_allowed", "NotAllowed", "The bus is not allow-listed.")
        detail = envelope(call, most_bytes=MAX_MESSAGE_BYTES - _beside(action))
        _check_size(action, detail)
        with doing(call), classified("eventbridge"):
            answer = self._client.put_events(
                Entries=[
                    {
                        "EventBusName": action.bus_arn,
                        "Source": action.source,
                        "DetailType": action.detail_type,
                        "Detail": detail,
                    }
                ]
            )
        # The request succeeds although its entry may have failed.
        (entry,) = answer["Entries"]
        if "ErrorCode" in entry:
            raise _failed(entry)
        return Answer(text=f"event {entry['EventId']}")


def _check_size(action: EventBridgeAction, detail: str) -> None:
    """Check the event's size in bytes, by EventBridge's own count."""
    size = _beside(action) + len(detail.encode())
    if size > MAX_MESSAGE_BYTES:
        message = f"The event has {size} bytes; EventBridge takes {MAX_MESSAGE_BYTES}."
        raise permanent("payload_too_large", "TooLarge", message)


def _beside(action: EventBridgeAction) -> int:
    """Return the bytes of an event beside its detail."""
    return len(action.source.encode()) + len(action.detail_type.encode())


def _failed(entry: "PutEventsResultEntryTypeDef") -> Exception:
    code, message = entry["ErrorCode"], entry.get("ErrorMessage", "")
    if code in _MAY_PASS:
        return retryable("eventbridge_unavailable", code, message)
    if code in NOT_PERMITTED:
        return not_permitted("eventbridge_refused", code, message)
    return permanent("eventbridge_refused", code, message)


def build(services: TargetServices) -> EventBusTarget:
    """Build the target."""
    return EventBusTarget(services.clients.client("events"), services.rules)
