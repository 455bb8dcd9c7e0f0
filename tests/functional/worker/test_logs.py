"""A handler's log lines are gathered and sent in batches that never delay its work."""

import io
import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import cast

import pytest

from tests.functional.worker import handlers
from tests.functional.worker.client import AWAY, LOST, FakeClient, task_of
from timegate.client import TimegateClient
from timegate.domain.ledger.worker_log import MAX_BATCHES, MAX_LINE_CHARACTERS
from timegate.worker import Context, RunLogHandler
from timegate.worker.context import CURRENT, Reporter
from timegate.worker.declared.capturing import CapturedStream, captured
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, Done
from timegate.worker.report_outcome import say
from timegate.worker.runners import ProcessRunner, Runner, ThreadRunner


def held(client: FakeClient) -> Hold:
    """A run, in the hands of a worker."""
    return Hold(cast("TimegateClient", client), task_of())


def texts(client: FakeClient) -> list[str]:
    """Every line, in order."""
    return [text for _, lines in sorted(client.logged.items()) for text in lines]


@pytest.fixture
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    """A thread, or a process."""
    made: Runner = ProcessRunner() if request.param == "process" else ThreadRunner()
    yield made
    made.clear()


@pytest.mark.parametrize("runner", ["thread", "process"], indirect=True)
def test_what_a_handler_says_is_kept_before_its_end(runner: Runner) -> None:
    """From wherever it works."""
    client = FakeClient()
    hold = held(client)
    outcome = runner.work(handlers.talkative, hold)
    say(cast("TimegateClient", client), hold.task, outcome, hold=hold)

    assert outcome == Done(result=None)
    assert texts(client) == ["one of two", "two of two"]
    assert client.said == [("complete", "run-1", None)]


def test_what_is_logged_while_it_works_is_the_runs(caplog: pytest.LogCaptureFixture) -> None:
    """By whatever logger; not what is logged elsewhere, nor by what carries it."""
    client = FakeClient()
    hold = held(client)
    carrier = RunLogHandler()
    root = logging.getLogger()
    root.addHandler(carrier)

    def work(_: Context) -> None:
        logging.getLogger("books").warning("%d regions are open", 3)
        logging.getLogger("timegate.worker").warning("ours")
        logging.getLogger("httpx").warning("theirs")

    try:
        with caplog.at_level(logging.INFO):
            logging.getLogger("books").warning("before")
            ThreadRunner().work(work, hold)
            logging.getLogger("books").warning("after")
    finally:
        root.removeHandler(carrier)
    hold.flush_log()

    assert texts(client) == ["3 regions are open"]


@contextmanager
def alone() -> Iterator[None]:
    """Stand for a program that sets up no logging: the root has this handler alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger(), "handlers", [RunLogHandler()])
        yield


@pytest.mark.parametrize("is_at_work", [True, False])
def test_a_program_without_handlers_has_its_warnings_on_standard_error(
    capsys: pytest.CaptureFixture[str], *, is_at_work: bool
) -> None:
    """They are there without this handler; those that come from no run would be nowhere."""

    def work(_: Context) -> None:
        logging.getLogger("books").warning("the database is away")
        logging.getLogger("books").info("never mind")

    hold = held(FakeClient())
    with alone():
        if is_at_work:
            ThreadRunner().work(work, hold)
        else:
            work(cast("Context", None))

    assert capsys.readouterr().err == "the database is away\n"


def test_a_program_with_handlers_has_its_warnings_there_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Handlers of the logger itself, or of one above it."""
    lines = io.StringIO()
    monkeypatch.setattr(logging.getLogger("books"), "handlers", [logging.StreamHandler(lines)])
    with alone():
        logging.getLogger("books.sales").warning("the database is away")

    assert (lines.getvalue(), capsys.readouterr().err) == ("the database is away\n", "")


def test_a_log_that_is_not_heard_is_sent_again_under_its_number() -> None:
    """A number makes a repeated batch harmless: no line is lost or doubled."""
    client = FakeClient(log_errors=[AWAY])
    hold = held(client)
    hold.log("a", "info")
    hold.flush_log()
    early = dict(client.logged)
    hold.log("b", "info")
    hold.flush_log()

    assert early == {}
    assert client.logged == {1: ["a"], 2: ["b"]}


def test_a_log_that_is_refused_stops_no_run() -> None:
    """The run is lost, or the line is refused: the work goes on, and its end says the rest."""
    client = FakeClient(log_errors=[LOST])
    hold = held(client)
    hold.log("a", "info")
    hold.flush_log()
    hold.log("b", "info")
    hold.flush_log()

    assert texts(client) == ["b"]
    assert hold.interruption is None


def test_a_lot_is_sent_in_parts_and_too_much_not_at_all() -> None:
    """A batch holds a hundred lines and 32 KB; a lease a thousand batches."""
    client = FakeClient()
    hold = held(client)
    for number in range(250):
        hold.log(f"{number}", "debug")
    for _ in range(20):
        hold.log("x" * 5000, "error")
    hold.flush_log()

    sizes = [len(lines) for _, lines in sorted(client.logged.items())]
    assert sizes[:2] == [100, 100]
    assert sum(sizes) == 270
    assert max(sum(map(len, lines)) for lines in client.logged.values()) <= 32 * 1024
    assert max(len(text) for text in texts(client)) == 4096
    hold._log_lines._sequence = MAX_BATCHES + 1
    hold.log("more", "info")
    hold.flush_log()
    assert len(client.logged) == len(sizes)


def test_an_unknown_level_is_a_mistake() -> None:
    """The handler's own code made it."""

    def work(context: Context) -> None:
        context.log("x", "loud")

    outcome = ThreadRunner().work(work, held(FakeClient()))

    assert isinstance(outcome, Broke)
    assert outcome.type == "ValueError"


def test_a_line_that_never_ends_keeps_its_beginning_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each step of a bar of progress would copy all those before: 80,000 took minutes."""
    kept: list[int] = []
    monkeypatch.setattr(Hold, "log", lambda _, text, __: kept.append(len(text)))

    def draws_a_bar(_: Context) -> None:
        for step in range(1_000):
            sys.stdout.write(f"\r{step:>9}")

    with captured():
        ThreadRunner().work(draws_a_bar, held(FakeClient()))

    assert kept == [MAX_LINE_CHARACTERS]
    assert len(capsys.readouterr().out) == 10_000


def test_a_thread_that_outlives_its_handler_begins_no_line_of_another_run() -> None:
    """The beginning that it printed is gone with its run."""
    stream, task = CapturedStream(io.StringIO(), "info"), task_of()

    def prints_a_beginning() -> None:
        context = Context(task, cast("Reporter", held(FakeClient())))
        token = CURRENT.set(context)
        stream.write("a beginning")
        CURRENT.reset(token)

    prints_a_beginning()

    assert len(stream._begun) == 0


def test_workers_of_one_process_share_what_captures() -> None:
    """In any order of begins and ends: no line is there twice, or not at all."""
    before, client = sys.stdout, FakeClient()
    first, second = ExitStack(), ExitStack()
    first.enter_context(captured())
    second.enter_context(captured())
    logs = [logged_by(client, number) for number in (1, 2)]
    first.close()
    logs.append(logged_by(client, 3))
    second.close()

    assert logs == [["print 1", "log 1"], ["print 2", "log 2"], ["print 3", "log 3"]]
    assert sys.stdout is before
    assert logged_by(client, 4) == []


def logged_by(client: FakeClient, number: int) -> list[str]:
    """Return the log of a run that prints a line and logs one."""

    def speaks(_: Context) -> None:
        sys.stdout.write(f"print {number}\n")
        logging.getLogger("its.own").warning("log %s", number)

    client.logged = {}
    hold = held(client)
    ThreadRunner().work(speaks, hold)
    hold.flush_log()
    return texts(client)
