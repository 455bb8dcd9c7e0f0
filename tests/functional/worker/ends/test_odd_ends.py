"""Ends of handlers whose values or errors have code of their own: each is its run's alone."""

import json
import pickle
from dataclasses import dataclass, field
from multiprocessing import Pipe
from typing import cast

import pytest

from tests.functional.worker import handlers
from tests.functional.worker.client import FakeClient, task_of
from timegate.client import TimegateClient
from timegate.testing import Outcome, SteppedClock, run_handler
from timegate.worker import Context, PermanentError, RetryableError, RunCancelled, WorkerStopping
from timegate.worker.child_process import NotStored, PipeEnd, PipeReporter
from timegate.worker.declared.capturing import captured
from timegate.worker.handlers import Handler
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, Done
from timegate.worker.runners import ProcessRunner, ThreadRunner


def held(payload: object = None) -> Hold:
    """A run, in the hands of a worker."""
    return Hold(cast("TimegateClient", FakeClient()), task_of(payload=payload))


def too_deep() -> int:
    """Return levels that JSON of this Python says, and a pipe does not take."""
    value: object = None
    for levels in range(1, 20_000):
        value = [value]
        if levels % 100 == 0:
            json.dumps(value)
            try:
                pickle.dumps(value)
            except RecursionError:
                return levels
    raise LookupError("A pipe takes what JSON says, in this Python.")


@dataclass
class HalfMade:
    """A dataclass whose code has left a field out."""

    rows: int
    day: str = field(init=False)


class Row:
    """An object as libraries of databases have them: it looks each attribute up."""

    def __getattr__(self, name: str) -> object:
        """Raise ``KeyError``."""
        raise KeyError(name)


@pytest.mark.parametrize("result", [HalfMade(1), [Row()]], ids=["dataclass", "row"])
def test_a_result_whose_own_code_fails_is_no_json(result: object) -> None:
    """The work is done, and is not done again; a process that did it goes on."""
    outcome = ThreadRunner().work(lambda _: result, held())

    assert isinstance(outcome, Broke)
    assert (outcome.code, outcome.retryable) == ("invalid_result", False)


@pytest.mark.parametrize(
    ("handler", "code"),
    [(handlers.nested, "invalid_result"), (handlers.stores_nested, "checkpoint_refused")],
    ids=["result", "checkpoint"],
)
def test_what_passes_no_pipe_fails_the_run_and_not_the_process(handler: Handler, code: str) -> None:
    """The process ended, and the work was done again."""
    runner = ProcessRunner()
    try:
        refused = runner.work(handler, held(too_deep()))
        process = runner._process
        following = runner.work(handlers.pid, held())
    finally:
        runner.clear()

    assert isinstance(refused, Broke)
    assert (refused.code, refused.retryable) == (code, False)
    assert following == Done(result=process.pid if process is not None else None)


class Busy(RetryableError):
    """An error of a program that fills in nothing of Timegate's."""

    def __init__(self, who: str) -> None:
        self.who = who


class Torn(PermanentError):
    """An error whose code cannot be read, and whose trace cannot be written."""

    def __init__(self) -> None:
        self.text = "torn"

    def __getattribute__(self, name: str) -> object:
        """Raise ``KeyError`` for its code, and for what a trace needs."""
        if name in {"code", "__cause__"}:
            raise KeyError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [(Busy("the press"), "Busy", True), (Torn(), "Torn", False)],
    ids=["without a wait", "torn"],
)
def test_an_error_that_its_class_made_otherwise_fails_the_run(
    error: Exception, kind: str, *, retryable: bool
) -> None:
    """By its own name: another error stood in its place, or the process that worked ended."""

    def fails(_: Context) -> None:
        raise error

    with captured():
        outcome = ThreadRunner().work(fails, held())

    assert isinstance(outcome, Broke)
    assert (outcome.code, outcome.type, outcome.retryable) == ("handler_error", kind, retryable)


@pytest.mark.parametrize("stop_after", [1.0, None], ids=["stopped", "not stopped"])
@pytest.mark.parametrize("of_many", [False, True], ids=["alone", "group"])
def test_an_interruption_counts_where_the_run_was_interrupted(
    stop_after: float | None, *, of_many: bool
) -> None:
    """Raised for no reason it is an error: a run that is released is offered again at once."""
    clock = SteppedClock()
    error = WorkerStopping("Stop.")

    def work(_: Context) -> None:
        clock.step(1)
        raise ExceptionGroup("", [error, error]) if of_many else error

    happened = run_handler(work, clock=clock, stop_after=stop_after)

    if stop_after is not None:
        assert (happened.outcome, happened.error) == (Outcome.RELEASED, None)
    else:
        assert happened.outcome is Outcome.RETRY
        assert happened.error is not None
        assert happened.error["type"] == "WorkerStopping"


def test_a_checkpoint_that_is_not_stored_has_interrupted_its_handler() -> None:
    """The message of the interruption may come later than the one about the checkpoint."""
    ours, theirs = Pipe()
    reporter = PipeReporter(PipeEnd(ours), "token")
    why = RunCancelled("Stop.")
    reporter.hear(NotStored(why=why))

    with theirs, ours, pytest.raises(RunCancelled):
        reporter.checkpoint(1)
    assert reporter.interruption is why
