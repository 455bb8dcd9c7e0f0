"""A worker at work: claims, heartbeats, ends, and how it stops."""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from tests.functional.worker import handlers
from tests.functional.worker.client import AWAY, LOST, FakeClient, run_of, task_of
from timegate.client import FixedToken, ProblemError, Profile, TimegateClient
from timegate.worker import JsonLines, LeaseLost, PermanentError, Worker, claiming, job
from timegate.worker import worker as module
from timegate.worker.claiming import IDLE_AFTER_SECONDS, ClaimLoop
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Done, GaveUp
from timegate.worker.report_outcome import say

PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))
ALL = {name: getattr(handlers, name) for name in ("double", "until_interrupted", "heedless")}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """Return the client of every worker that is made."""
    fake = FakeClient()
    monkeypatch.setattr(module, "TimegateClient", lambda _: fake)
    return fake


@pytest.fixture
def started(client: FakeClient) -> Iterator[Callable[..., Worker]]:
    """Workers that run beside the test, and are stopped in its end."""
    running: list[tuple[Worker, threading.Thread]] = []

    def start(**settings: Any) -> Worker:  # noqa: ANN401 - as a worker takes them
        worker = Worker(pool="p", handlers=ALL, profile=PROFILE, name="w", **settings)
        thread = threading.Thread(target=worker.run)
        thread.start()
        running.append((worker, thread))
        return worker

    yield start
    for worker, thread in running:
        worker.stop()
        worker.stop()
        thread.join(30)
        assert not thread.is_alive()


def test_a_worker_does_what_its_pool_offers(
    client: FakeClient, started: Callable[..., Worker]
) -> None:
    """It works on as many at once as its concurrency allows."""
    client.runs = [run_of("double", number, payload=number) for number in range(1, 6)]
    started(concurrency=2)
    said = client.wait_for(5)

    assert sorted(said) == [("complete", f"run-{number}", 2 * number) for number in range(1, 6)]
    assert max(each["limit"] for each in client.claims) == 2


def test_a_worker_that_stops_lets_work_end(
    client: FakeClient, started: Callable[..., Worker]
) -> None:
    """Within its grace period; then it interrupts, and releases."""
    client.runs = [run_of("until_interrupted")]
    worker = started(grace_seconds=0.3)
    _until(lambda: len(client.heartbeats) > 0)
    worker.stop()
    before = list(client.said)

    assert client.wait_for(1) == [("release", "run-1", None)]
    assert before == []


def test_a_run_whose_handler_pays_no_heed_is_released_all_the_same(
    client: FakeClient, started: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker goes on at once; what this one still does is fenced out."""
    monkeypatch.setattr(module, "_CLEANING_SECONDS", 0.2)
    client.runs = [run_of("heedless")]
    worker = started(grace_seconds=0.1)
    _until(lambda: len(client.heartbeats) > 0)
    worker.stop()

    assert client.wait_for(1) == [("release", "run-1", None)]


def test_a_worker_in_a_hurry_does_not_wait_for_the_answer_to_a_claim(
    client: FakeClient, started: Callable[..., Worker]
) -> None:
    """Its runs are released while it asks for more; those that it is given then, at once."""
    client.runs = [run_of("until_interrupted")]
    worker = started(grace_seconds=60, concurrency=2)
    _until(lambda: len(client.heartbeats) > 0)
    with client.answering:
        _until(lambda: client.unanswered)
        worker.stop()
        worker.stop()
        released = client.wait_for(1)
        client.runs = [run_of("double", 2, payload=1)]

    assert released == [("release", "run-1", None)]
    assert client.wait_for(2)[1:] == [("release", "run-2", None)]


def test_heartbeats_go_on_while_a_handler_blocks(client: FakeClient) -> None:
    """They come from a thread of their own, a third of a lease apart."""
    hold = Hold(cast("TimegateClient", client), task_of(lease_seconds=0.15))
    hold.start()
    _until(lambda: len(client.heartbeats) >= 3)
    hold.end()


def test_a_heartbeat_that_is_not_answered_is_tried_again(client: FakeClient) -> None:
    """Until the lease has expired by this worker's own clock: then it is lost."""
    seconds = [0.0]
    hold = Hold(cast("TimegateClient", client), task_of(), monotonic=lambda: seconds[0])
    client.heartbeat_errors = [AWAY, AWAY]
    hold.progress(10, None)
    hold._beat()
    first = hold.interruption
    seconds[0] = 0.31
    hold._beat()

    assert first is None
    assert isinstance(hold.interruption, LeaseLost)


def test_progress_of_a_heartbeat_that_was_lost_goes_with_the_next(client: FakeClient) -> None:
    """Unless there is newer."""
    hold = Hold(cast("TimegateClient", client), task_of())
    client.heartbeat_errors = [AWAY]
    hold.progress(10, None)
    hold._beat()
    hold._beat()

    assert client.heartbeats == [{"progress": {"percent": 10, "message": None}, "checkpoint": None}]


def test_an_end_is_said_until_it_is_heard(client: FakeClient) -> None:
    """After growing pauses; a run that was lost is another worker's."""
    pauses: list[float] = []
    client.ending_errors = [AWAY, AWAY]
    talking = cast("TimegateClient", client)
    say(talking, task_of(), Done(result=1), sleep=pauses.append)
    client.ending_errors = [LOST]
    say(talking, task_of(), GaveUp(), sleep=pauses.append)

    assert pauses == [0.5, 1.0]
    assert client.said == [("complete", "run-1", 1)]


def test_a_worker_without_work_asks_less_often(client: FakeClient) -> None:
    """Claims that wait cost; after a minute without work they do not wait any more."""
    seconds = [0.0]
    claims = ClaimLoop(
        cast("TimegateClient", client),
        "p",
        "w",
        ["x"],
        capacity=100,
        monotonic=lambda: seconds[0],
    )
    for at in (0.0, IDLE_AFTER_SECONDS - 0.1, IDLE_AFTER_SECONDS):
        seconds[0] = at
        claims.next(limit=99)

    assert [each["wait_seconds"] for each in client.claims] == [5, 5, 0]
    assert {each["limit"] for each in client.claims} == {10}


def test_a_worker_at_work_is_seen(
    client: FakeClient, started: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pool is served for as long as its only run takes."""
    monkeypatch.setattr(claiming, "BUSY_EVERY_SECONDS", 0.05)
    client.runs = [run_of("until_interrupted")]
    started()
    _until(lambda: any(each["limit"] == 0 for each in client.claims))

    assert (client.claims[0]["capacity"], client.claims[0]["in_use"]) == (1, 0)
    assert client.claims[-1]["in_use"] == 1


def test_a_handler_is_known_by_one_name() -> None:
    """An invalid or repeated name is refused when the program starts."""
    job("only-here")(handlers.double)
    job("only-here")(handlers.double)

    with pytest.raises(ValueError, match="already"):
        job("only-here")(handlers.breaks)
    with pytest.raises(ValueError, match="no handler's name"):
        job("not a name")


def test_a_worker_without_handlers_does_not_start() -> None:
    """It would wait for ever."""
    with pytest.raises(ValueError, match="no handler"):
        Worker(pool="p", handlers={}, profile=PROFILE).run()


def test_logs_are_a_json_object_a_line() -> None:
    """An event and its fields."""
    record = logging.LogRecord("timegate.worker", logging.INFO, "", 1, "run_started", (), None)
    record.fields = {"run_id": "r", "fence": 2}
    line = json.loads(JsonLines().format(record))

    assert (line["event"], line["level"], line["run_id"], line["fence"]) == (
        "run_started",
        "INFO",
        "r",
        2,
    )


def test_a_checkpoint_that_is_refused_fails_the_run_and_not_the_lease(client: FakeClient) -> None:
    """Too large today is too large tomorrow."""
    hold = Hold(cast("TimegateClient", client), task_of())
    client.heartbeat_errors = [ProblemError(status=400, code="invalid_request", detail="Large.")]

    with pytest.raises(PermanentError, match="Large"):
        hold.checkpoint({"x": 1})
    assert hold.interruption is None


@pytest.mark.parametrize(
    ("status", "code", "lost"),
    [
        (409, "lease_lost", True),
        (404, "run_not_found", True),
        (409, "conflict", False),
        (404, "route_not_found", False),
    ],
)
def test_only_what_says_so_is_a_lost_lease(
    client: FakeClient, status: int, code: str, *, lost: bool
) -> None:
    """After another refusal the worker keeps the run, and sends the next heartbeat."""
    hold = Hold(cast("TimegateClient", client), task_of())
    client.heartbeat_errors = [ProblemError(status=status, code=code, detail="No.")]
    hold._beat()

    assert isinstance(hold.interruption, LeaseLost) is lost


def test_a_checkpoint_behind_a_later_one_is_refused(client: FakeClient) -> None:
    """It is not sent again; the lease is kept."""
    hold = Hold(cast("TimegateClient", client), task_of())
    client.heartbeat_errors = [ProblemError(status=409, code="checkpoint_outdated", detail="Old.")]

    with pytest.raises(PermanentError, match="Old"):
        hold.checkpoint({"x": 1})
    assert hold.interruption is None


def test_an_end_that_met_a_conflict_is_said_again(client: FakeClient) -> None:
    """The run kept changing while it was written."""
    client.ending_errors = [ProblemError(status=409, code="conflict", detail="Again.")]
    say(cast("TimegateClient", client), task_of(), Done(result=1), sleep=lambda _: None)

    assert [kind for kind, _, _ in client.said] == ["complete"]


def _until(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("result", "beginning"),
    [
        ("x" * 600, "x" * 499 + "…"),
        (["ü"] * 300, json.dumps(["ü"] * 300, ensure_ascii=False)[:499] + "…"),
    ],
    ids=["text", "JSON"],
)
def test_a_result_too_large_to_be_sent_is_cut(result: Any, beginning: str) -> None:  # noqa: ANN401
    """The work is done, and is not done again for what no store can keep."""
    too_large = ProblemError(status=413, code="body_too_large", detail="Too large.")
    client = FakeClient(ending_errors=[too_large])
    say(cast("TimegateClient", client), task_of(), Done(result=result))

    assert client.said == [("complete", "run-1", beginning)]
