"""A condition a job asks about before a run of it begins, and what is known of the answers."""

from datetime import datetime
from typing import ClassVar

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef
from timegate.value_classes import dataclass

#: How long an answer may take.
TIMEOUT_SECONDS = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """An address that is asked whether a run may begin."""

    type: ClassVar[str] = "http"
    url: str
    #: The question is signed with its keys.
    signing_secret: SecretRef | None = None
    #: After "not now" it is asked again so much later.
    every_seconds: int = 60
    #: A run that may not begin so long after it was due is skipped.
    give_up_after_seconds: int = 3_600


@dataclass(frozen=True, kw_only=True, slots=True)
class Checks:
    """Answers to a condition for a run that has not begun."""

    #: When it was due, the first time.
    since: datetime
    #: How often the answer was "not now".
    refused: int = 0
    #: The code of the last such answer.
    said: str = ""
    #: The answer was "go".
    cleared: bool = False


def check_condition_limits(condition: Condition | None) -> None:
    """Refuse a condition that could be asked once only; raises ``InvalidInput``."""
    if condition is None or not condition.give_up_after_seconds:
        return
    if condition.give_up_after_seconds < condition.every_seconds:
        detail = "The run is given up before it is asked a second time; 0 gives up at once."
        raise InvalidInput("before.give_up_after_seconds", "contradictory", detail)
