"""Rules by which a call is sent again, and the pauses between."""

import random
from collections.abc import Callable, Iterator
from http import HTTPStatus

from timegate.client.errors import ClientError, CredentialsError, NotReachable, ProblemError
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Retries:
    """Number of times that a call is sent, and the pauses between: each three times the last.

    ``Retries(max_attempts=1)`` never sends anything twice.
    """

    max_attempts: int = 4
    first_pause_seconds: float = 0.2
    longest_pause_seconds: float = 10.0
    #: A server that asks for more is not waited for: the caller learns of it instead.
    longest_retry_after_seconds: float = 30.0
    #: An address that takes no connection is tried again for so long after the first try; ``None``:
    #: as often as anything.
    unreachable_seconds: float | None = None
    #: 0 to 1: clients that were refused together come back apart, after half a pause to a whole.
    jitter: Callable[[], float] = random.random

    def pauses(self) -> Iterator[float]:
        """The seconds before each repeat."""
        pause = self.first_pause_seconds
        for _ in range(self.max_attempts - 1):
            yield round(pause * (0.5 + 0.5 * self.jitter()), 3)
            pause = min(3 * pause, self.longest_pause_seconds)

    def wait_seconds(
        self, error: ClientError, pause: float, *, is_repeatable: bool, waited_seconds: float = 0.0
    ) -> float | None:
        """Return the pause before a call is sent again; ``None``: it is not.

        ``waited_seconds`` have passed since it was sent first.
        """
        most = self.unreachable_seconds
        match error:
            case NotReachable(may_have_arrived=False) if most and waited_seconds + pause > most:
                return None
            case CredentialsError(may_pass=True):
                return pause
            case NotReachable():
                return pause if is_repeatable or not error.may_have_arrived else None
            case ProblemError():
                asked = error.retry_after_seconds or 0.0
                repeats = _was_not_carried_out(error) or (is_repeatable and _may_pass(error))
                is_soon = asked <= self.longest_retry_after_seconds
                return max(pause, asked) if repeats and is_soon else None
            case _:
                return None


def _was_not_carried_out(error: ProblemError) -> bool:
    """Its limits refused it before anything was done."""
    return error.status == HTTPStatus.TOO_MANY_REQUESTS


def _may_pass(error: ProblemError) -> bool:
    return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
