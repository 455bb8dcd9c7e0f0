"""Claims that say how many runs a worker takes, and has."""

from typing import cast

from tests.functional.worker.client import FakeClient
from timegate.client import TimegateClient
from timegate.worker.claiming import ClaimLoop


def test_a_worker_says_how_many_runs_it_takes_and_has() -> None:
    """One whose runners all work says so every half a minute, and claims nothing."""
    client, seconds = FakeClient(), 0.0
    loop = ClaimLoop(
        cast("TimegateClient", client), "p", "w", ["x"], capacity=4, monotonic=lambda: seconds
    )
    loop.next(limit=3)
    seconds = 29.9
    loop.say_busy()
    seconds = 30.0
    loop.say_busy()
    loop.say_busy()
    told = [(each["limit"], each["capacity"], each["in_use"]) for each in client.claims]

    assert told == [(3, 4, 1), (0, 4, 4)]
    assert client.claims[-1]["wait_seconds"] == 0
