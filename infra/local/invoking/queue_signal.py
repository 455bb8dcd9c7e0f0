"""Long polls of queues in the emulator: a message wakes the poller, as it does on AWS.

The emulator tells its poller of messages and of stream records by one event. Streams have readers
of their own here, so only messages and ended batches wake the poller of queues.
"""

import os
import threading
import time

from ministack.services import (  # type: ignore[import-untyped]
    eventbridge,
    lambda_svc,
    s3,
    sns,
    sqs,
)

#: From a message to the look at its queue: others join it. SQS takes 16 ms in the median.
_GATHER_SECONDS = 0.01
#: Between two looks without a message: they find event sources that are new or enabled again.
_IDLE_SECONDS = 1.0
#: The same where a test moves the clock by which delays end.
_MOVED_CLOCK_SECONDS = 0.1


class QueueSignal(threading.Event):
    """The event for which the poller of queues waits."""

    def __init__(self) -> None:
        super().__init__()
        self._is_moved = "TIMEGATE_CLOUD_CLOCK" in os.environ
        self._has_messages = False

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a message, the end of a batch or of a delay, or ``timeout`` seconds."""
        patience = _MOVED_CLOCK_SECONDS if self._is_moved else _IDLE_SECONDS
        woken = super().wait(min(patience, timeout or patience, _next_appearance()))
        if self._has_messages:
            self._has_messages = False
            time.sleep(_GATHER_SECONDS)
        return woken

    def tell_of_message(self) -> None:
        """Wake the poller a moment later."""
        self._has_messages = True
        self.set()


class Senders:
    """The event of the services that put messages into queues."""

    def __init__(self, signal: QueueSignal) -> None:
        self.set = signal.tell_of_message


def wake_at_messages() -> None:
    """Put the signal in the place of the emulator's event."""
    signal = QueueSignal()
    lambda_svc._esm_wake = signal
    # A look that finds nothing is followed by a wait of its own.
    lambda_svc._ESM_IDLE_WAKE_GAP_SECONDS = 0
    for service in (eventbridge, lambda_svc, s3, sns, sqs):
        service.esm_wake = Senders(signal)


def _next_appearance() -> float:
    """Return the seconds until a delay or a visibility timeout ends."""
    now = time.time()
    queues = list(sqs._queues._data.values())
    hidden = [
        visible_at - now
        for queue in queues
        for message in list(queue["messages"])
        if (visible_at := message.get("visible_at", now)) > now
    ]
    return min(hidden, default=_IDLE_SECONDS)
