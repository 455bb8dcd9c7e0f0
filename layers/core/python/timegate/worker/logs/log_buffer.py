"""Messages of a handler on their way to the run's log: gathered, and sent in batches."""

import logging
from collections import deque
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import Any

from timegate.client import CallbackClient, ClientError, ProblemError, TimegateClient
from timegate.domain.ledger.worker_log import (
    MAX_BATCH_BYTES,
    MAX_BATCHES,
    MAX_LINE_CHARACTERS,
    MAX_LINES,
)
from timegate.domain.values.instants import rfc3339
from timegate.worker.task import ClaimedRun

logger = logging.getLogger("timegate.worker")

#: Between two batches: a reader who follows the log sees a line that soon.
EVERY_SECONDS = 1.0
#: Latest lines that are kept of a handler that says more than can be sent.
_MOST_WAITING = 1_000
#: Batches that are sent as lines come; the others are for those that wait at the end of the run.
_BEFORE_THE_END = MAX_BATCHES - 2 * _MOST_WAITING // MAX_LINES
#: So many follow one another at once; the rest is spread over the time that the run may take.
_AT_ONCE = MAX_BATCHES // 2
_SERVER_ERRORS = 500
_TOO_MANY = 429


class LogBuffer:
    """The lines of one lease; a thread sends them once there are any."""

    def __init__(self, client: TimegateClient | CallbackClient, task: ClaimedRun) -> None:
        self._client = client
        self._task = task
        self._lines: deque[dict[str, Any]] = deque(maxlen=_MOST_WAITING)
        self._changing = Lock()
        #: One batch at a time: a sequence is used again until it was heard.
        self._sending = Lock()
        self._unheard: list[dict[str, Any]] = []
        self._sequence = 1
        self._ended = Event()
        self._thread: Thread | None = None

    def add(self, text: str, level: str) -> None:
        """Keep a line, cut to what can be sent; it is sent soon."""
        at = rfc3339(datetime.now(UTC))
        line = {"text": text[:MAX_LINE_CHARACTERS] or " ", "level": level, "at": at}
        with self._changing:
            self._lines.append(line)
            if self._thread is None:
                self._thread = Thread(target=self._keep_sending, daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Send no more."""
        self._ended.set()

    def flush(self) -> None:
        """Send what there is, as far as it is heard. Never raises: a run is more than its log."""
        self._send(MAX_BATCHES)

    def _keep_sending(self) -> None:
        waited = 0.0
        while not self._ended.wait(EVERY_SECONDS):
            waited += EVERY_SECONDS
            if len(self._lines) >= MAX_LINES or waited >= self._pause():
                self._send(_BEFORE_THE_END)
                waited = 0.0

    def _pause(self) -> float:
        """Return the seconds between batches that are not full: a run may take hours."""
        if self._sequence <= _AT_ONCE:
            return EVERY_SECONDS
        left = (self._task.deadline_at - datetime.now(UTC)).total_seconds()
        return left / max(_BEFORE_THE_END + 1 - self._sequence, 1)

    def _send(self, last: int) -> None:
        with self._sending:
            while self._send_batch(last):
                continue

    def _send_batch(self, last: int) -> bool:
        """Send a batch, up to the number ``last``; tell if others may follow."""
        if self._sequence > last:
            return False
        self._unheard = self._unheard or self._take()
        if not self._unheard:
            return False
        try:
            self._client.post_log(
                self._task.run_id,
                lease_token=self._task.lease_token,
                sequence=self._sequence,
                lines=self._unheard,
            )
        except ClientError as error:
            logger.info("log_not_kept", extra={"fields": {"code": error.code}})
            if _may_pass(error):
                return False
        self._unheard = []
        self._sequence += 1
        return True

    def _take(self) -> list[dict[str, Any]]:
        taken: list[dict[str, Any]] = []
        size = 0
        with self._changing:
            while self._lines and len(taken) < MAX_LINES:
                size += len(self._lines[0]["text"].encode())
                if size > MAX_BATCH_BYTES:
                    break
                taken.append(self._lines.popleft())
        return taken


def _may_pass(error: ClientError) -> bool:
    if not isinstance(error, ProblemError):
        return True
    return error.status >= _SERVER_ERRORS or error.status == _TOO_MANY
