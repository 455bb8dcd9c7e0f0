"""The queue an executor is fed from, in memory."""

from collections.abc import Sequence
from threading import Lock

from timegate.value_classes import dataclass

#: SQS hides no message for longer: twelve hours.
#: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
MAX_HIDDEN_SECONDS = 43_200


@dataclass(frozen=True, kw_only=True, slots=True)
class Hidden:
    """A message that was made invisible, and for how long from then."""

    receipt: str
    seconds: int


class MemoryInbox:
    """The twin of ``SqsInbox``: remembers what was hidden."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.hidden: list[Hidden] = []
        #: Receipts of messages that were deleted before their work was done.
        self.acknowledged: list[str] = []

    def hide(self, receipts: Sequence[str], *, seconds: int) -> None:
        """Remember each receipt."""
        assert 0 <= seconds <= MAX_HIDDEN_SECONDS
        with self._lock:
            self.hidden += [Hidden(receipt=receipt, seconds=seconds) for receipt in receipts]

    def acknowledge(self, receipts: Sequence[str]) -> None:
        """Remember each receipt."""
        with self._lock:
            self.acknowledged += receipts
