"""Rules of targets that work on by themselves and call back."""

from timegate.domain.values.errors import InvalidInput

#: How long a target that calls back may be silent, unless its job says otherwise.
DEFAULT_HEARTBEAT_SECONDS = 60
#: Below that, the time a request takes would look like a death.
MIN_HEARTBEAT_SECONDS = 5
MAX_HEARTBEAT_SECONDS = 86_400
#: It accepts the run in that time, whatever it then does with it.
ACCEPT_SECONDS = 30


def given_or_default(seconds: int | None, *, calls_back: bool) -> int | None:
    """Return the silence that is allowed, or the default of a target that calls back."""
    return DEFAULT_HEARTBEAT_SECONDS if seconds is None and calls_back else seconds


def check_silence(seconds: int | None, *, calls_back: bool) -> None:
    """Refuse a silence that has no listener; raises ``InvalidInput`` naming the field."""
    if seconds is None:
        return
    field = "action.heartbeat_seconds"
    if not calls_back:
        detail = "Only a target that calls back sends heartbeats."
        raise InvalidInput(field, "not_for_this_action", detail)
    if not MIN_HEARTBEAT_SECONDS <= seconds <= MAX_HEARTBEAT_SECONDS:
        detail = f"It is from {MIN_HEARTBEAT_SECONDS} to {MAX_HEARTBEAT_SECONDS} s."
        raise InvalidInput(field, "out_of_range", detail)
