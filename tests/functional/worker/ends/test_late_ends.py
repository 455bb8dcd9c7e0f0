"""Handlers that end after their worker: it has released their runs, and says no more of them."""

import asyncio
import threading

import pytest

from tests.functional.worker.client import FakeClient, run_of
from timegate.client import AsyncTimegateClient, FixedToken, NotSendable, Profile, TimegateClient
from timegate.worker import Context, Worker
from timegate.worker import worker as module

PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))


def test_a_handler_that_ends_after_its_worker_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another worker may be at work on the run, and the connections are closed."""
    client, may_end, ended = FakeClient(runs=[run_of("late")]), threading.Event(), threading.Event()
    monkeypatch.setattr(module, "TimegateClient", lambda _: client)
    monkeypatch.setattr(module, "_CLEANING_SECONDS", 0.1)

    def log(event: str, **_: object) -> None:
        if event == "run_ended":
            ended.set()

    def late(_: Context) -> int:
        may_end.wait(30)
        return 1

    monkeypatch.setattr(module, "_log", log)
    worker = Worker(pool="p", handlers={"late": late}, profile=PROFILE, grace_seconds=0.1)
    running = threading.Thread(target=worker.run)
    running.start()
    client.wait_until_held(1)
    worker.stop()
    running.join(30)
    may_end.set()

    assert ended.wait(30)
    assert client.said == [("release", "run-1", None)]


def test_a_call_of_a_closed_client_is_told() -> None:
    """It is a ``ClientError`` like any other, and is not sent again."""
    client = TimegateClient(PROFILE)
    client.close()
    with pytest.raises(NotSendable, match="the client is closed"):
        client.get_job("nightly")


def test_a_call_of_a_closed_async_client_is_told() -> None:
    """An async one raises the same."""

    async def call() -> None:
        client = AsyncTimegateClient(PROFILE)
        await client.close()
        await client.get_job("nightly")

    with pytest.raises(NotSendable, match="the client is closed"):
        asyncio.run(call())
