"""Concurrency of event sources on queues in the emulator: it grows from five, as on AWS.

Lambda reads a queue by five batches at once, and by up to 300 more a minute while messages are left
(https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html). The emulator begins with
the most that a source may have.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from ministack.services import lambda_svc  # type: ignore[import-untyped]

#: Batches of a source at once, to begin with.
_FIRST = 5
#: Batches more for each second in which the source has some in flight.
_MORE_A_SECOND = 300 / 60


class Ramp:
    """Batches that each source may have in flight by now."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        #: The instant since which a source has had batches in flight.
        self._busy_since: dict[str, float] = {}

    def allowed(self, source: str, *, in_flight: int) -> int:
        """Return the most batches of a source at once."""
        now = self._clock()
        if not in_flight:
            self._busy_since[source] = now
        return _FIRST + int(_MORE_A_SECOND * (now - self._busy_since.setdefault(source, now)))


def grow_from_five() -> None:
    """Hold each source to its ramp besides its own maximum and its function's reserve."""
    most: Callable[..., int] = lambda_svc._sqs_esm_concurrency
    ramp = Ramp()

    def grown(source: Mapping[str, Any], *given: Any) -> int:
        in_flight = lambda_svc._esm_inflight.get(source["UUID"], 0)
        return min(most(source, *given), ramp.allowed(source["UUID"], in_flight=in_flight))

    lambda_svc._sqs_esm_concurrency = grown
