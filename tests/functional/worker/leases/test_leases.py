"""Leases when requests fail or hang."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from tests.functional.worker.client import AWAY, FakeClient, task_of
from timegate.client import FixedToken, ProblemError, Profile, TimegateClient
from timegate.worker import LeaseLost, RunCancelled
from timegate.worker.errors import Interrupted, WorkerStopping
from timegate.worker.holding import Hold, seconds_passed

PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))
FORBIDDEN = ProblemError(status=403, code="forbidden", detail="No.")


@dataclass
class SilentClient(FakeClient):
    """Answers no heartbeat until the test ends."""

    answered: threading.Event = field(default_factory=threading.Event)

    def heartbeat_run(self, run_id: str, **told: Any) -> dict[str, Any]:  # noqa: ANN401 - as sent
        """Wait."""
        self.answered.wait(30)
        return super().heartbeat_run(run_id, **told)


@pytest.fixture
def silent() -> Iterator[SilentClient]:
    client = SilentClient()
    yield client
    client.answered.set()


def hold_of(client: FakeClient) -> Hold:
    return Hold(cast("TimegateClient", client), task_of())


def test_a_lease_is_lost_in_time_whatever_a_heartbeat_waits_for(silent: SilentClient) -> None:
    """Another worker has the run by then, and an answer may take long."""
    hold, interrupted = hold_of(silent), threading.Event()
    hold.on_interruption(interrupted.set)
    hold.start()
    was_told = interrupted.wait(10)
    hold.end()

    assert was_told
    assert isinstance(hold.interruption, LeaseLost)


def test_a_lease_lasts_from_the_heartbeat_and_not_from_its_answer() -> None:
    """The API counts from when it was asked."""
    seconds = [0.0]

    class Slow(FakeClient):
        def heartbeat_run(self, run_id: str, **told: Any) -> dict[str, Any]:  # noqa: ANN401
            seconds[0] += 0.2
            return super().heartbeat_run(run_id, **told)

    client = Slow()
    task = task_of(lease_seconds=0.3)
    hold = Hold(cast("TimegateClient", client), task, monotonic=lambda: seconds[0])
    hold.is_ours()
    client.heartbeat_errors = [AWAY]
    seconds[0] = 0.11
    hold.is_ours()

    assert isinstance(hold.interruption, LeaseLost)


@pytest.mark.parametrize("kind", [RunCancelled, WorkerStopping])
def test_an_interrupted_handler_stores_its_checkpoint_after_a_failed_request(
    kind: type[Interrupted],
) -> None:
    """The next worker begins after it."""
    client = FakeClient(heartbeat_errors=[AWAY])
    hold = hold_of(client)
    hold.interrupt(kind("Stop."))

    with pytest.raises(kind):
        hold.checkpoint({"at": 1})
    assert [each["checkpoint"] for each in client.heartbeats] == [{"at": 1}]


def test_a_lease_is_lost_soon_after_the_machine_slept(silent: SilentClient) -> None:
    """Another worker has the run, and no heartbeat is answered on a connection of before."""
    seconds, interrupted = [0.0], threading.Event()
    hold = Hold(
        cast("TimegateClient", silent),
        task_of(lease_seconds=3.0),
        monotonic=lambda: seconds[0],
    )
    hold.on_interruption(interrupted.set)
    hold.start()
    seconds[0] += 3_600
    was_told = interrupted.wait(1.5)
    hold.end()

    assert was_told


def test_the_clock_of_leases_goes_on_while_the_machine_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A system without such a clock has the one that stands still."""
    monkeypatch.setattr(time, "CLOCK_BOOTTIME", 7, raising=False)
    monkeypatch.setattr(time, "clock_gettime", {7: 3_600.0}.get, raising=False)
    with_sleep = seconds_passed()
    monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    monkeypatch.setattr(time, "monotonic", lambda: 60.0)

    assert (with_sleep, seconds_passed()) == (3_600.0, 60.0)
