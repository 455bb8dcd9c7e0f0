"""Jobs beside their functions: payloads and results by type, prints and logs, and refusals."""

import logging
import pickle
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from tests.functional.worker import declared_jobs as jobs
from tests.functional.worker.client import FakeClient, task_of
from timegate.client import TimegateClient
from timegate.testing import Happened, run_handler
from timegate.worker import Context, DeclaredJob, at, cron, every, handlers, job, manual, rrule
from timegate.worker.declared import shapes
from timegate.worker.declared.capturing import captured
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Done
from timegate.worker.runners import ProcessRunner, ThreadRunner

EU = {"region": {"name": "eu", "shops": [3, 4]}}


@pytest.fixture(params=["pydantic", "dataclasses"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """pydantic is installed, or is not."""
    if request.param == "dataclasses":
        monkeypatch.setattr(shapes, "find_spec", lambda _: None)
    # Earlier reads were made by the other.
    for each in vars(jobs).values():
        if isinstance(each, DeclaredJob):
            each.__dict__.pop("signature", None)
    return str(request.param)


def failure(happened: Happened) -> tuple[str, str]:
    """Outcome and code."""
    assert happened.error is not None, happened
    return happened.outcome.value, happened.error["code"]


def test_a_handler_takes_its_payload_by_type(reader: str) -> None:
    """Nested dataclasses, with defaults; its result is written out."""
    done = run_handler(jobs.report, payload=EU)

    assert done.result == {"rows": 7, "day": "2026-11-21"}
    assert done.logs == [("info", "eu on today")]


@pytest.mark.parametrize(
    ("payload", "place"),
    [
        ({"region": {"name": "eu", "shops": ["x"]}}, "region.shops.0"),
        ({"region": {"name": 3}}, "region.name"),
        ({"region": {}}, "name"),
        ({"region": {"name": "eu", "share": "much"}}, "region.share"),
        ({}, "region"),
        (None, ""),
        ([], ""),
    ],
)
def test_a_payload_that_does_not_fit_fails_its_run_for_good(
    reader: str, payload: object, place: str
) -> None:
    """No attempt follows: the next would have the same payload. The message names the field."""
    refused = run_handler(jobs.report, payload=payload)

    assert failure(refused) == ("failed", "invalid_payload")
    assert place in (refused.error or {})["message"]


def test_pydantic_reads_any_type() -> None:
    """In an async handler too."""
    done = run_handler(jobs.order, payload={"number": "7", "on": "2026-11-21"})
    refused = run_handler(jobs.order, payload={"number": 7, "on": "soon"})

    assert done.result == "7 on Saturday"
    assert failure(refused) == ("failed", "invalid_payload")


def test_without_pydantic_a_type_that_needs_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal comes at deployment or at the run's begin, not at a wrong result."""
    monkeypatch.setattr(shapes, "find_spec", lambda _: None)
    jobs.order.__dict__.pop("signature", None)
    with pytest.raises(TypeError, match=r"timegate\[typed\]"):
        jobs.order.definition("p")


def test_a_handler_takes_what_it_asks_for() -> None:
    """A payload, the context, both, or nothing; one parameter without a type is the context."""
    results = [
        run_handler(each, payload=[1]).result
        for each in (jobs.nothing, jobs.anything, jobs.untyped)
    ]

    assert results == [7, [[1], 1], "job-under-test.run"]


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b, c: None,
        lambda a, b: None,
        lambda context, payload: None,
        lambda *, payload: None,
    ],
    ids=["three", "two payloads", "context first", "by name"],
)
def test_other_parameters_are_refused(function: Callable[..., None]) -> None:
    """Before the first run: the command line asks for the definition."""
    made: DeclaredJob[Any, Any] = DeclaredJob("x", function, {})
    with pytest.raises(TypeError, match="a handler takes a payload, then a Context"):
        made.definition("p")


def test_a_type_that_is_not_there_hides_no_other() -> None:
    """It may be imported for type checkers alone."""

    def typed(wanted: jobs.Region) -> "pandas.DataFrame":  # type: ignore[name-defined]  # noqa: F821
        return wanted.name

    made: DeclaredJob[Any, Any] = DeclaredJob("x", typed, {})
    assert run_handler(made, payload={"name": "eu"}).result == "eu"


def test_what_pydantic_reads_it_writes() -> None:
    """A payload comes to the handler as the program gave it."""

    def same(wanted: jobs.Invoice) -> jobs.Invoice:
        assert wanted == jobs.INVOICE
        return wanted

    made: DeclaredJob[Any, Any] = DeclaredJob("x", same, {})
    done = run_handler(made, payload=jobs.INVOICE)

    assert made.signature.returns.read(done.result) == jobs.INVOICE


def test_a_handler_may_use_the_whole_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that it starts write there as well, as where nothing is captured."""
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)

        def work(_: Context) -> int:
            sys.stdout.buffer.write(b"bytes\n")
            sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
            return sys.stdout.fileno()

        done = run_handler(work)
        assert done.result == out.fileno()
    assert (tmp_path / "out").read_text() == "bytes\n"


def test_a_definition_is_the_apis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its description is the first line of the function's; without a schedule it is manual."""
    monkeypatch.setattr(handlers, "_REGISTERED", {})

    @job("nightly", schedule=cron("0 2 * * *", tz="Europe/Berlin"), retry={"max_attempts": 5})
    def nightly() -> None: ...

    action = {"type": "worker", "pool": "p", "handler": "nightly"}
    schedule = {"kind": "cron", "cron": "0 2 * * *", "timezone": "Europe/Berlin"}

    assert nightly.definition("p") == {
        "schedule": schedule,
        "retry": {"max_attempts": 5},
        "action": action,
    }
    assert jobs.report.definition("p")["schedule"] == {"kind": "manual"}
    assert jobs.report.definition("p")["description"] == "Add up a region's shops."


def test_a_scheduled_job_has_a_payload_that_fits() -> None:
    """Else each of its runs would fail; a manual one is given a payload when it is triggered."""
    given = jobs.Report(jobs.Region("eu", [1]))
    fits: DeclaredJob[Any, Any] = DeclaredJob("a", jobs.report.function, {"payload": given})
    lacks: DeclaredJob[Any, Any] = DeclaredJob("b", jobs.report.function, {"schedule": every("5m")})

    assert fits.definition("p")["payload"]["region"] == {"name": "eu", "shops": [1], "share": None}
    with pytest.raises(shapes.ShapeMismatch):
        lacks.definition("p")


def test_a_name_is_given_once_and_beside_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is the action a job's to say."""
    monkeypatch.setattr(handlers, "_REGISTERED", {})
    job("one")(jobs.nothing.function)
    with pytest.raises(ValueError, match="already"):
        job("one")(jobs.order.function)
    for fixed in ("name", "action"):
        with pytest.raises(ValueError, match=f"two: {fixed} is given"):
            job("two", **cast("Any", {fixed: "x"}))


def test_schedules_are_the_apis() -> None:
    """Spans read as on the command line."""
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)

    assert every("5m") == {"kind": "rate", "every_seconds": 300}
    assert [every(each)["every_seconds"] for each in (7, "PT5M", "2w", "30s")] == [
        *(7, "PT5M", 1_209_600, 30)
    ]
    assert rrule("FREQ=DAILY", tz="Asia/Tokyo") == {
        "kind": "rrule",
        "rrule": "FREQ=DAILY",
        "timezone": "Asia/Tokyo",
    }
    assert (
        at(noon)
        == at("2026-11-21T12:00:00.000Z")
        == {"kind": "at", "at": "2026-11-21T12:00:00.000Z"}
    )
    assert manual() == {"kind": "manual"}


@pytest.mark.parametrize("span", ["", "5", "m", "5 m", "1.5h", "5y"])
def test_other_spans_are_refused(span: str) -> None:
    """With those that can be."""
    with pytest.raises(ValueError, match="write 30s"):
        every(span)


def test_an_instant_has_a_zone() -> None:
    """One without it would be the machine's."""
    with pytest.raises(ValueError, match="no time zone"):
        at(datetime(2026, 11, 21))  # noqa: DTZ001 - the subject


def test_a_job_is_found_by_its_name() -> None:
    """By the process that does its run."""
    assert pickle.loads(pickle.dumps(jobs.report)) is jobs.report


def talk(runner: ThreadRunner | ProcessRunner, payload: object) -> dict[int, list[str]]:
    """The lines in the log of a run that prints, by batch."""
    client = FakeClient()
    hold = Hold(cast("TimegateClient", client), task_of(payload=payload, lease_seconds=60))
    runner.work(jobs.talker, hold)
    hold.flush_log()
    return client.logged


def test_prints_and_logs_are_lines_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    """They go where they went before as well; nothing is captured afterwards."""
    before = sys.stdout, logging.getLogger().level
    with captured():
        lines = talk(ThreadRunner(), None)
        print("of no run")  # noqa: T201 - the subject

    assert lines == {1: ["one", "two", "four", "three"]}
    assert capsys.readouterr().out == "one\ntwo\nthreeof no run\n"
    assert (sys.stdout, logging.getLogger().level) == before
    assert talk(ThreadRunner(), None) == {}


def test_the_trace_of_a_failure_is_in_the_log() -> None:
    """The log holds it if prints are captured."""
    with captured():
        (lines,) = talk(ThreadRunner(), "fail").values()

    assert lines[:4] == ["one", "two", "four", "three"]
    assert lines[4].startswith("Traceback")
    assert lines[-1] == "timegate.worker.errors.PermanentError: closed"


def test_prints_of_a_process_are_lines_of_its_run() -> None:
    """The process captures if its worker does."""
    runner = ProcessRunner()
    runner.captures = True
    try:
        lines = talk(runner, None)
    finally:
        runner.clear()

    assert lines == {1: ["one", "two", "four", "three"]}


def test_a_declared_job_works_in_a_process() -> None:
    """With its payload by type."""
    runner = ProcessRunner()
    hold = Hold(cast("TimegateClient", FakeClient()), task_of(payload=EU, lease_seconds=60))
    try:
        outcome = runner.work(jobs.report, hold)
    finally:
        runner.clear()

    assert outcome == Done(result={"rows": 7, "day": "2026-11-21"})


def test_a_declared_function_is_called_as_it_is() -> None:
    """A user's test calls it directly."""
    context = cast("Context", type("Given", (), {"log": lambda *_: None})())
    wanted = jobs.Report(jobs.Region("eu", [1, 2]))

    assert jobs.report(wanted, context).rows == 3
