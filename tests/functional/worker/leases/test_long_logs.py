"""The log of a lease that says more than its batches hold, or for longer."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from tests.functional.worker.client import FakeClient, task_of
from timegate.client import TimegateClient
from timegate.domain.ledger.worker_log import MAX_BATCHES
from timegate.worker.holding import Hold
from timegate.worker.logs import log_buffer


def texts(client: FakeClient) -> list[str]:
    """Every line, in order."""
    return [text for _, lines in sorted(client.logged.items()) for text in lines]


class Talkative:
    """Says a line in each second that its thread waits, until its run ends."""

    def __init__(
        self,
        buffer: log_buffer.LogBuffer,
        seconds: int,
        monkeypatch: pytest.MonkeyPatch,
        deadline: datetime,
    ) -> None:
        self._buffer, self._said, self._seconds = buffer, 0, seconds
        self._now = deadline - timedelta(hours=2)
        monkeypatch.setattr(log_buffer, "datetime", self)

    def now(self, _: object) -> datetime:
        """The time of the run."""
        return self._now

    def wait(self, seconds: float) -> bool:
        """Let a second pass."""
        assert seconds == 1.0
        self._now += timedelta(seconds=1)
        if self._said == self._seconds:
            return True
        self._said += 1
        self._buffer.add(f"{self._said}", "info")
        return False


def test_the_log_of_hours_has_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are spread over the time of the run, and some are kept for the lines at its end."""
    client, deadline = FakeClient(), datetime.now(UTC) + timedelta(hours=2)
    buffer = log_buffer.LogBuffer(
        cast("TimegateClient", client), task_of(deadline_at=deadline.isoformat())
    )
    seconds = 7_000
    buffer._thread = threading.current_thread()
    buffer._ended = cast("threading.Event", Talkative(buffer, seconds, monkeypatch, deadline))
    buffer._keep_sending()
    early = len(client.logged)
    buffer.add("the trace", "error")
    buffer.flush()

    assert [client.logged[number] for number in (1, 2, 500)] == [["1"], ["2"], ["500"]]
    assert texts(client) == [*map(str, range(1, seconds + 1)), "the trace"]
    assert early <= MAX_BATCHES - 20


def test_a_log_of_too_much_has_its_end() -> None:
    """Lines between are left out: those before the run's end say how it ended."""
    client = FakeClient()
    hold = Hold(cast("TimegateClient", client), task_of())
    buffer = hold._log_lines
    buffer._thread = threading.current_thread()
    for number in range(110_000):
        hold.log(f"{number}", "info")
        if number % 100 == 99:
            buffer._send(log_buffer._BEFORE_THE_END)
    hold.log("the trace", "error")
    hold.flush_log()

    assert texts(client)[-2:] == ["109999", "the trace"]


def test_lines_are_sent_while_a_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """They do not wait for its end."""
    monkeypatch.setattr(log_buffer, "EVERY_SECONDS", 0.01)
    client, heard = FakeClient(), threading.Event()
    post = client.post_log

    def post_and_tell(*args: Any, **named: Any) -> None:  # noqa: ANN401 - as the client takes them
        post(*args, **named)
        heard.set()

    monkeypatch.setattr(client, "post_log", post_and_tell)
    buffer = log_buffer.LogBuffer(cast("TimegateClient", client), task_of())
    buffer.add("begun", "info")
    was_heard = heard.wait(5)
    buffer.end()

    assert (was_heard, texts(client)) == (True, ["begun"])
