"""Workers whose runs, runners or claims meet an error."""

import math
import threading
from itertools import chain
from typing import Any, cast

import pytest

from tests.functional.worker import handlers
from tests.functional.worker.client import FakeClient, run_of
from timegate.client import FixedToken, ProblemError, Profile, TimegateClient
from timegate.worker import Worker
from timegate.worker import worker as module
from timegate.worker.claiming import ClaimLoop
from timegate.worker.runners import ProcessRunner

PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))
FORBIDDEN = ProblemError(status=403, code="forbidden", detail="No.")


def test_a_worker_stops_where_a_run_cannot_be_released(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The others are released all the same, and no process is left."""
    client = FakeClient(runs=[run_of("heedless", number) for number in (1, 2)])
    client.ending_errors = [FORBIDDEN]
    monkeypatch.setattr(module, "TimegateClient", lambda _: client)
    monkeypatch.setattr(module, "_CLEANING_SECONDS", 0.1)
    cleared: list[object] = []
    worker = Worker(
        pool="p",
        handlers={"heedless": handlers.heedless},
        profile=PROFILE,
        concurrency=2,
        grace_seconds=0.1,
    )
    for runner in worker._runners:
        monkeypatch.setattr(runner, "clear", lambda: cleared.append(1))

    def stop() -> None:
        client.wait_until_held(2)
        worker.stop()

    threading.Thread(target=stop).start()
    with caplog.at_level("INFO", "timegate.worker"):
        worker.run()

    assert [what for what, *_ in client.said] == ["release"]
    assert cleared == [1, 1]
    assert "outcome_not_recorded" in caplog.messages


def test_a_runner_that_cannot_work_fails_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may have no memory for another process."""
    client = FakeClient(runs=[run_of("double")])
    monkeypatch.setattr(module, "TimegateClient", lambda _: client)

    def no_memory(_: ProcessRunner) -> None:
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(ProcessRunner, "_ready", no_memory)
    worker = Worker(pool="p", handlers={"double": handlers.double}, profile=PROFILE, processes=1)
    thread = threading.Thread(target=worker.run)
    thread.start()
    ((what, _, told),) = client.wait_for(1)
    worker.stop()
    thread.join(30)

    assert what == "fail"
    assert cast("dict[str, Any]", told)["error"]["message"] == "Cannot allocate memory"


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"runs": [{}], "ask_again_after_seconds": 0},
        {"runs": None},
        {"lease_seconds": "long"},
        *(
            {"runs": [], "ask_again_after_seconds": each}
            for each in (-1, 1e300, math.inf, math.nan)
        ),
        *(
            {"runs": [run_of("x")], "ask_again_after_seconds": 0, "lease_seconds": each}
            for each in (0, -60, 1e300, math.inf, math.nan)
        ),
    ],
    ids=str,
)
def test_a_claim_that_is_not_understood_is_made_again(
    answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a pause, and what the worker holds goes on."""
    client = FakeClient()
    monkeypatch.setattr(client, "claim_runs", lambda *_, **__: answer)
    claims = ClaimLoop(cast("TimegateClient", client), "p", "w", ["x"], capacity=1)

    assert [claims.next(limit=1) for _ in range(2)] == [([], 0.5), ([], 1.0)]


def test_a_worker_with_many_handlers_asks_for_them_in_turn() -> None:
    """A claim names 50 at most."""
    client, asked = FakeClient(), []
    monkeypatched = client.claim_runs

    def claim(pool: str, **told: Any) -> dict[str, Any]:  # noqa: ANN401 - as sent
        asked.append(list(told["handlers"]))
        return monkeypatched(pool, **told)

    client.claim_runs = claim  # type: ignore[method-assign]
    names = [f"h{number}" for number in range(120)]
    claims = ClaimLoop(cast("TimegateClient", client), "p", "w", names, capacity=1)
    for _ in range(4):
        claims.next(limit=1)

    assert max(map(len, asked)) == 50
    assert [*chain(*asked[:3])] == names
    assert asked[3] == asked[0]
    assert sum(each["wait_seconds"] for each in client.claims[:3]) == pytest.approx(5)


@pytest.mark.parametrize("settings", [{"concurrency": 0}, {"processes": -1}])
def test_a_worker_without_runners_is_refused(settings: dict[str, Any]) -> None:
    """It would wait for ever, and look as if it worked."""
    with pytest.raises(ValueError, match="one run at a time"):
        Worker(pool="p", **settings)


def test_runs_that_were_not_asked_for_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker goes on with the others: it ended by an error, and all that it held with it."""
    unknown, *known = (run_of(kind, n) for n, kind in enumerate(("other", "double", "double")))
    answers = [[unknown, *({**each, "payload": 1} for each in known)]]
    client = FakeClient()

    def claim(*_: object, **__: object) -> dict[str, Any]:
        runs = answers.pop() if answers else []
        return {"runs": runs, "lease_seconds": 60, "ask_again_after_seconds": 0}

    monkeypatch.setattr(client, "claim_runs", claim)
    monkeypatch.setattr(module, "TimegateClient", lambda _: client)
    worker = Worker(pool="p", handlers={"double": handlers.double}, profile=PROFILE)
    thread = threading.Thread(target=worker.run)
    thread.start()
    said = client.wait_for(3)
    goes_on = thread.is_alive()
    worker.stop()
    thread.join(30)

    assert sorted(said) == [
        ("complete", "run-1", 2),
        ("release", "run-0", None),
        ("release", "run-2", None),
    ]
    assert goes_on
