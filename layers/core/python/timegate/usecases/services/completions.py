"""Completions of short runs, coalesced: one write batch for many ends."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from itertools import compress
from threading import Condition

from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import RunStore
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry, lines_of_ends

#: An ended run waits for others so long at least: small against SQS, large against a write.
LEAST_WINDOW_SECONDS = 0.02
#: And no longer than this: what follows a run follows its record.
MOST_WINDOW_SECONDS = 0.1
#: Statements in one DynamoDB batch.
MAX_BATCH = 25

#: An end, and who waits for its record.
_Waiting = tuple[Attempt, Future[bool]]


def window_of(first: Attempt) -> float:
    """Return the seconds that a batch stays open for others after its first end."""
    half = 0.0
    if first.started_at is not None and first.ended_at is not None:
        half = (first.ended_at - first.started_at).total_seconds() / 2
    return min(max(half, LEAST_WINDOW_SECONDS), MOST_WINDOW_SECONDS)


class Completions:
    """Collects ended attempts of one invocation and writes them together.

    A batch is written when every run under way has ended, when it is full, or when the window
    closes. So the last run never waits, and a slow one delays no other. The window of a batch is
    half the time of the call that ended first, within bounds; ``window_seconds``: this, whatever
    calls take. Ends are logged as soon as they are on record, those of a write together.
    """

    def __init__(
        self, runs: RunStore, telemetry: Telemetry, *, window_seconds: float | None = None
    ) -> None:
        self._runs = runs
        self._telemetry = telemetry
        self._window_seconds = window_seconds
        self._changed = Condition()
        self._under_way = 0
        self._pending: list[_Waiting] = []

    def begin(self) -> None:
        """A run starts that will either ``finish`` or ``leave``."""
        with self._changed:
            self._under_way += 1

    def leave(self) -> None:
        """A run ends without a coalesced write."""
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()

    def finish(self, ended: Attempt) -> bool:
        """Write an end, together with others; ``False`` when the lease was lost."""
        future: Future[bool] = Future()
        with self._changed:
            self._pending.append((ended, future))
            leads = len(self._pending) == 1
            if leads:
                window = self._window_seconds
                self._changed.wait_for(self._is_due, window_of(ended) if window is None else window)
                batch, self._pending = self._pending, []
                self._under_way -= len(batch)
            elif self._is_due():
                self._changed.notify_all()
        if leads:
            self._write(batch)
        return future.result()

    def _is_due(self) -> bool:
        return len(self._pending) >= min(self._under_way, MAX_BATCH)

    def _write(self, batch: Sequence[_Waiting]) -> None:
        """Every waiter gets its answer or its batch's error; none is left waiting."""
        try:
            written = self._runs.finish_all([ended for ended, _ in batch])
        except Throttled as error:
            self._write_apart(batch, error)
            return
        except BaseException as error:  # noqa: BLE001 - handed to every waiter, hidden from none
            for _, future in batch:
                future.set_exception(error)
            return
        for (_, future), ok in zip(batch, written, strict=True):
            future.set_result(ok)
        for fields in lines_of_ends(compress((ended for ended, _ in batch), written)):
            self._telemetry.event(run_events.RUN_ENDED, **fields)

    def _write_apart(self, batch: Sequence[_Waiting], error: Throttled) -> None:
        """Write each tenant's ends by themselves: one tenant's partition may be busy alone."""
        groups: dict[TenantId, list[_Waiting]] = defaultdict(list)
        for each in batch:
            groups[each[0].tenant].append(each)
        if len(groups) > 1:
            for group in groups.values():
                self._write(group)
            return
        for _, future in batch:
            future.set_exception(error)
