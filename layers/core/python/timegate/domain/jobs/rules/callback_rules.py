"""Rules of jobs whose target works on by itself and calls back."""

from timegate.domain.actions.action import LambdaAction, WebhookAction, silence_seconds
from timegate.domain.values.errors import InvalidInput

#: Below that, the time a request takes would look like a death.
MIN_HEARTBEAT_SECONDS = 5
MAX_HEARTBEAT_SECONDS = 86_400
#: It accepts the run in that time, whatever it then does with it.
ACCEPT_SECONDS = 30


def check_silence(action: WebhookAction | LambdaAction) -> None:
    """Refuse a silence nobody listens to; raises ``InvalidInput`` naming the field."""
    seconds = action.heartbeat_seconds
    if seconds is None:
        return
    field = "action.heartbeat_seconds"
    if silence_seconds(action) is None:
        detail = "Only a target that calls back sends heartbeats."
        raise InvalidInput(field, "not_for_this_action", detail)
    if not MIN_HEARTBEAT_SECONDS <= seconds <= MAX_HEARTBEAT_SECONDS:
        detail = f"It is from {MIN_HEARTBEAT_SECONDS} to {MAX_HEARTBEAT_SECONDS} s."
        raise InvalidInput(field, "out_of_range", detail)
