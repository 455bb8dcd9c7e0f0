"""Handlers at work, in threads and in processes: how it ends is the same."""

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from types import SimpleNamespace
from typing import cast

import httpx
import pytest

from tests.functional.worker import handlers
from tests.functional.worker.client import LOST, FakeClient, run_of, task_of
from timegate.client import CallbackClient, TimegateClient
from timegate.worker import child_process, runners
from timegate.worker.child_process import Ears, PipeEnd, PipeReporter
from timegate.worker.errors import Interrupted, LeaseLost, RunCancelled, WorkerStopping
from timegate.worker.handlers import Handler
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, Done, GaveUp, Outcome
from timegate.worker.runners import ProcessRunner, Runner, ThreadRunner
from timegate.worker.task import ClaimedRun

RUNNERS: dict[str, Callable[[], Runner]] = {"thread": ThreadRunner, "process": ProcessRunner}


@pytest.fixture(scope="module", params=RUNNERS)
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    """Each kind, used again and again."""
    made = RUNNERS[request.param]()
    yield made
    made.clear()


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


def holding(client: FakeClient, **fields: object) -> Hold:
    task = ClaimedRun.of(run_of("x") | fields, lease_seconds=0.3)
    return Hold(cast("TimegateClient", client), task)


@pytest.mark.parametrize(
    ("handler", "outcome"),
    [
        (handlers.double, Done(result=42)),
        (handlers.double_later, Done(result=42)),
        (
            handlers.permanent,
            Broke(code="books_closed", type="PermanentError", message="closed", retryable=False),
        ),
        (
            handlers.later,
            Broke(code="books_busy", type="RetryableError", message="busy", retry_after_seconds=90),
        ),
        (
            handlers.breaks,
            Broke(code="handler_error", type="LookupError", message="no such month"),
        ),
        (
            handlers.times_out,
            Broke(code="handler_error", type="Timeout", message="no answer"),
        ),
        (
            handlers.times_out_later,
            Broke(code="handler_error", type="Timeout", message="no answer"),
        ),
        (handlers.starts_processes, Done(result=[1, 2])),
    ],
    ids=[
        *("sync", "async", "permanent", "retryable", "another error"),
        *("no exception", "no exception, async", "processes"),
    ],
)
def test_how_a_handler_ends_is_how_its_run_does(
    runner: Runner, client: FakeClient, handler: Handler, outcome: Outcome
) -> None:
    """Any return or error has its outcome, in each runner."""
    assert runner.work(handler, holding(client, payload=21)) == outcome


def test_ctrl_c_ends_a_test_and_no_worker(client: FakeClient) -> None:
    """In a worker, which leaves it alone, a handler has raised it: the run was said nothing of."""
    broke = Broke(code="handler_error", type="KeyboardInterrupt", message="as Ctrl-C")
    process = ProcessRunner()
    with ThreadPoolExecutor() as beside:
        work = beside.submit(ThreadRunner().work, handlers.presses_ctrl_c, holding(client))
        in_thread = work.result()
    in_process = process.work(handlers.presses_ctrl_c, holding(client))
    process.clear()

    assert (in_thread, in_process) == (broke, broke)
    # Where tests run in the background, Ctrl-C is left alone from the start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ThreadRunner().work(handlers.presses_ctrl_c, holding(client))
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_result_that_json_cannot_say_fails_the_run(runner: Runner, client: FakeClient) -> None:
    """For good: the next try would end the same way."""
    outcome = runner.work(handlers.no_json, holding(client))

    assert isinstance(outcome, Broke)
    assert (outcome.code, outcome.retryable) == ("invalid_result", False)


def test_a_checkpoint_is_stored_when_the_call_returns(runner: Runner, client: FakeClient) -> None:
    """Progress goes with the next heartbeat."""
    outcome = runner.work(handlers.checkpoints, holding(client, last_checkpoint={"at": 0}))

    assert outcome == Done(result={"at": 1})
    assert client.heartbeats[0] == {"progress": None, "checkpoint": {"at": 1}}


def test_a_checkpoint_after_the_lease_was_lost_stops_the_handler(
    runner: Runner, client: FakeClient
) -> None:
    """Before it does what another worker does already."""
    client.heartbeat_errors = [LOST]

    assert runner.work(handlers.checkpoints, holding(client)) == GaveUp()


@pytest.mark.parametrize("kind", [RunCancelled, WorkerStopping])
def test_an_interrupted_handler_stores_what_it_has_done(
    runner: Runner, client: FakeClient, kind: type[Interrupted]
) -> None:
    """The next worker begins after it."""
    hold = holding(client)
    hold.interrupt(kind("Stop."))

    assert runner.work(handlers.checkpoints, hold) == GaveUp()
    assert [each["checkpoint"] for each in client.heartbeats] == [{"at": 1}]


@pytest.mark.parametrize("handler", [handlers.until_interrupted, handlers.waits_for_ever])
def test_an_interruption_reaches_the_handler(
    runner: Runner, client: FakeClient, handler: Handler
) -> None:
    """A flag where it looks, a cancellation where it awaits."""
    client.cancel = True
    hold = holding(client)
    hold.start()
    outcome = runner.work(handler, hold)
    hold.end()

    assert outcome == GaveUp()


@pytest.mark.parametrize(
    ("handler", "how"), [(handlers.dies, "signal 9"), (handlers.exits, "exit code 7")]
)
def test_a_process_that_dies_fails_its_run_and_no_other(
    client: FakeClient, handler: Handler, how: str
) -> None:
    """The next run has a new process."""
    runner = ProcessRunner()
    crashed = runner.work(handler, holding(client))
    after = runner.work(handlers.double, holding(client, payload=1))
    runner.clear()

    assert crashed == Broke(
        code="worker_crashed",
        type="ProcessDied",
        message=f"The process of the handler ended with {how}.",
    )
    assert after == Done(result=2)


def test_a_handler_that_pays_no_heed_is_killed_with_its_process(
    client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some patience."""
    monkeypatch.setattr(runners, "PATIENCE_SECONDS", 0.2)
    runner, hold = ProcessRunner(), holding(client)
    hold.interrupt(WorkerStopping("Stop."))

    assert runner.work(handlers.heedless, hold) == GaveUp()


def test_a_handler_that_pays_no_heed_and_talks_is_killed_as_well(
    client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines give it no more time."""
    monkeypatch.setattr(runners, "PATIENCE_SECONDS", 0.2)
    runner, hold = ProcessRunner(), holding(client)
    hold.interrupt(RunCancelled("Stop."))
    outcomes: list[Outcome] = []
    work = threading.Thread(target=lambda: outcomes.append(runner.work(handlers.chatters, hold)))
    work.start()
    work.join(20)
    runner.clear()
    work.join()

    assert outcomes == [GaveUp()]


@pytest.mark.parametrize(
    "handler", [handlers.logs_an_error, handlers.stores_an_instant, handlers.stores_a_lock]
)
def test_a_value_that_cannot_be_sent_is_its_own_runs_matter(
    runner: Runner, handler: Handler
) -> None:
    """The next run has its own end, and not that of the one before."""
    answer = httpx.Response(200, json={"cancel_requested": False})
    api = httpx.MockTransport(lambda _: answer)
    with CallbackClient("https://api.example.com", transport=api) as client:
        holds = [Hold(client, task_of(lease_token=token, payload=21)) for token in ("a", "b")]
        first, second = (
            runner.work(each, hold)
            for each, hold in zip((handler, handlers.double), holds, strict=True)
        )
        for hold in holds:
            hold.end()

    assert first == Done(result="logged") or (
        isinstance(first, Broke) and (first.code, first.retryable) == ("checkpoint_refused", False)
    )
    assert second == Done(result=42)


def test_what_comes_late_about_an_ended_run_interrupts_no_other(
    client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A heartbeat may be refused when its run has ended, and the next one is at work."""
    runner, first, second = ProcessRunner(), holding(client), holding(client, lease_token="b")
    runner.work(handlers.checkpoints, first)
    lost = LeaseLost("It has ended.")
    monkeypatch.setattr(second, "log", lambda *_: first.interrupt(lost))
    outcome = runner.work(handlers.goes_on, second)
    runner.clear()

    assert isinstance(outcome, Done)


def test_what_a_handler_left_behind_says_is_not_of_the_next_run(client: FakeClient) -> None:
    """It is told that its run has ended."""
    runner, first, second = ProcessRunner(), holding(client), holding(client, lease_token="b")
    one = runner.work(handlers.leaves_a_thread, first)
    client.logged.clear()
    other = runner.work(handlers.goes_on, second)
    second.flush_log()
    runner.clear()

    assert one == other
    assert client.logged == {1: ["of the second"]}


def test_a_process_whose_worker_is_gone_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler hears that its lease is lost, and has its time to stop."""
    done: list[float] = []
    monkeypatch.setattr(child_process, "time", SimpleNamespace(sleep=done.append))
    monkeypatch.setattr(child_process, "os", SimpleNamespace(_exit=done.append))
    (ours, theirs), (_, work) = Pipe(), Pipe()
    ears, reporter = Ears(theirs), PipeReporter(PipeEnd(work), "token")
    ears.listen_for(reporter)
    ours.close()
    ears.listen()

    assert isinstance(reporter.interruption, LeaseLost)
    with pytest.raises(LeaseLost):
        reporter.checkpoint(1)
    assert done == [child_process.PATIENCE_SECONDS, 1]


def test_an_interruption_may_come_before_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two come through two pipes."""
    monkeypatch.setattr(Ears, "_lose", lambda _: None)
    (ours, theirs), (_, work) = Pipe(), Pipe()
    ears, reporter = Ears(theirs), PipeReporter(PipeEnd(work), "token")
    PipeEnd(ours).send("token", RunCancelled("Stop."))
    ours.close()
    ears.listen()
    ears.listen_for(reporter)

    assert isinstance(reporter.interruption, RunCancelled)
