"""Claims that say how many runs a worker takes, and has."""

from collections.abc import Callable
from typing import Any, cast

from tests.functional.worker.client import FakeClient
from timegate.client import FieldProblem, InvalidRequest, TimegateClient
from timegate.worker.claiming import ClaimLoop


def asking(client: FakeClient, monotonic: Callable[[], float]) -> ClaimLoop:
    """Claims of a worker that takes four runs at once."""
    stage = cast("TimegateClient", client)
    return ClaimLoop(stage, "p", "w", ["x"], capacity=4, monotonic=monotonic)


def test_a_worker_says_how_many_runs_it_takes_and_has() -> None:
    """One whose runners all work says so every half a minute, and claims nothing."""
    client, seconds = FakeClient(), 0.0
    loop = asking(client, lambda: seconds)
    loop.next(limit=3)
    seconds = 29.9
    loop.say_busy()
    seconds = 30.0
    loop.say_busy()
    loop.say_busy()
    told = [(each["limit"], each["capacity"], each["in_use"]) for each in client.claims]

    assert told == [(3, 4, 1), (0, 4, 4)]
    assert client.claims[-1]["wait_seconds"] == 0


class EarlierRelease(FakeClient):
    """A stage that knows of no capacity, as releases before it do not."""

    def claim_runs(
        self,
        pool: str,
        *,
        capacity: int | None,
        in_use: int | None,
        **said: Any,  # noqa: ANN401 - the rest of a claim
    ) -> dict[str, Any]:
        """Refuse what is said of capacity; else some of its runs."""
        if capacity is None and in_use is None:
            return super().claim_runs(pool, capacity=None, in_use=None, **said)
        unknown = [
            FieldProblem(field=each, code="unknown_field", detail="There is no such field.")
            for each in ("capacity", "in_use")
        ]
        raise InvalidRequest(status=400, code="invalid_request", detail="No.", errors=unknown)


def test_a_worker_serves_a_stage_that_knows_of_no_capacity() -> None:
    """It claims all the same, and does not say so again, nor that its runners work."""
    client, seconds = EarlierRelease(), 0.0
    loop = asking(client, lambda: seconds)
    loop.next(limit=3)
    seconds = 40.0
    loop.say_busy()
    loop.next(limit=2)

    assert [(each["limit"], each["capacity"]) for each in client.claims] == [(3, None), (2, None)]
