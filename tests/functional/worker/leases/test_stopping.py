"""A worker that is told to stop while the stage answers nothing."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.functional.worker import handlers
from tests.functional.worker.client import FakeClient, run_of
from timegate.client import FixedToken, Profile
from timegate.worker import Worker
from timegate.worker import worker as module

PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))
ALL = {name: getattr(handlers, name) for name in ("double", "heedless", "until_interrupted")}


class MuteClient(FakeClient):
    """Answers no release of the first run until the test ends."""

    answered = threading.Event()

    def release_run(self, run_id: str, *, lease_token: str) -> None:
        if run_id == "run-1":
            self.answered.wait(30)
        super().release_run(run_id, lease_token=lease_token)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[MuteClient]:
    fake = MuteClient()
    fake.answered.clear()
    monkeypatch.setattr(module, "TimegateClient", lambda _: fake)
    monkeypatch.setattr(module, "_CLEANING_SECONDS", 0.1)
    monkeypatch.setattr(module, "_RELEASING_SECONDS", 0.5)
    yield fake
    fake.answered.set()


@pytest.fixture
def started() -> Callable[..., tuple[Worker, threading.Thread]]:
    """Begin to work in a thread."""

    def start(**settings: Any) -> tuple[Worker, threading.Thread]:  # noqa: ANN401 - of a worker
        worker = Worker(pool="p", handlers=ALL, profile=PROFILE, name="w", **settings)
        thread = threading.Thread(target=worker.run, daemon=True)
        thread.start()
        return worker, thread

    return start


def test_a_second_signal_leaves_a_claim_that_is_not_answered(
    client: MuteClient, started: Callable[..., tuple[Worker, threading.Thread]]
) -> None:
    """A stage may take connections and never answer."""
    with client.answering:
        worker, thread = started()
        _until(lambda: client.unanswered)
        worker.stop()
        worker.stop()
        thread.join(5)
        is_over = not thread.is_alive()

    assert is_over


def test_a_first_signal_leaves_a_claim_that_a_stage_would_have_answered(
    client: MuteClient,
    started: Callable[..., tuple[Worker, threading.Thread]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Runs of an answer that comes late are released."""
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)
    with client.answering:
        worker, thread = started()
        _until(lambda: client.unanswered)
        worker.stop()
        thread.join(5)
        is_over = not thread.is_alive()
        client.runs = [run_of("double", 2, payload=1)]

    assert is_over
    assert client.wait_for(1) == [("release", "run-2", None)]


def test_a_first_signal_waits_for_the_answer_of_a_stage_that_is_well(
    client: MuteClient, started: Callable[..., tuple[Worker, threading.Thread]]
) -> None:
    """A run that the stage hands out meanwhile would wait for the end of its lease."""
    with client.answering:
        worker, thread = started()
        _until(lambda: client.unanswered)
        worker.stop()
        thread.join(0.5)
        waits = thread.is_alive()
        client.runs = [run_of("double", 2, payload=1)]
    thread.join(5)

    assert waits
    assert not thread.is_alive()
    assert client.said == [("release", "run-2", None)]


def test_a_release_that_is_not_answered_keeps_no_other(
    client: MuteClient, started: Callable[..., tuple[Worker, threading.Thread]]
) -> None:
    """Each run is released by itself, and the worker ends."""
    client.runs = [run_of("heedless", number) for number in (1, 2, 3)]
    worker, thread = started(concurrency=3, grace_seconds=0.1)
    client.wait_until_held(3)
    worker.stop()
    thread.join(5)

    assert not thread.is_alive()
    assert sorted(client.said) == [("release", "run-2", None), ("release", "run-3", None)]


@pytest.mark.parametrize("grace_seconds", [math.inf, 1e300], ids=["for ever", "long"])
def test_a_grace_period_may_last_for_ever(
    client: MuteClient,
    started: Callable[..., tuple[Worker, threading.Thread]],
    grace_seconds: float,
) -> None:
    """Runs were interrupted at once; a second signal ends it."""
    client.runs = [run_of("until_interrupted", 2)]
    worker, thread = started(grace_seconds=grace_seconds)
    client.wait_until_held(1)
    worker.stop()
    thread.join(0.5)
    is_let = thread.is_alive() and client.said == []
    worker.stop()
    thread.join(10)

    assert is_let
    assert client.said == [("release", "run-2", None)]


def test_a_claim_that_breaks_ends_the_worker_by_its_error(
    client: MuteClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is raised where the worker runs, as if it was met there."""

    def breaks(*_: object, **__: object) -> None:
        raise LookupError("a defect")

    monkeypatch.setattr(client, "claim_runs", breaks)

    with pytest.raises(LookupError, match="a defect"):
        Worker(pool="p", handlers=ALL, profile=PROFILE, name="w").run()


def _until(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.01)
