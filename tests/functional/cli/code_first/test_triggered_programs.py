"""Jobs that a program triggers: payloads and results by type, in front of the real API."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.programs import PROGRAM, Timegate, alone, client, deploy, program, write
from tests.functional.cli.served import served, timegate
from timegate.cli.code_first.programs import load_program
from timegate.client import NotReachable, RunNotEnded, RunNotSucceeded, TimegateClient
from timegate.worker import DeclaredJob, NotAllTriggered, NotDeployed, ShapeMismatch

__all__ = ["alone", "client", "program", "served", "timegate", "write"]

MANUAL = ("--name", "report", "--manual", "--pool", "p", "--handler", "h")


def test_a_triggered_job_runs_with_its_payload(
    timegate: Timegate, write: Callable[..., str], client: TimegateClient
) -> None:
    """By type on both sides; the result is the function's."""
    deploy(timegate, write())
    report: Any = load_program("sales_app.py").jobs["report"]
    sales = sys.modules["sales_app"].Sales
    key = {"idempotency_key": "once", "client": client}
    runs = [
        report.trigger(client=client),
        report.trigger(sales("us!"), tags={"by": "hand"}, **key),
        report.trigger(sales("us!"), tags={"by": "hand"}, **key),
        *report.trigger_many([sales("a"), sales("bc")], client=client),
    ]
    claimed = client.claim_runs("sales-app", worker="w", limit=10)["runs"]

    assert len({each.run_id for each in runs}) == 4
    assert repr(runs[0]) == f"TriggeredRun(run_id='{runs[0].run_id}')"
    assert sorted(each["payload"]["region"] for each in claimed) == ["a", "bc", "eu", "us!"]
    assert runs[1].get()["tags"]["by"] == "hand"
    with pytest.raises(ShapeMismatch):
        report.trigger(3, client=client)


def test_a_key_is_the_reference(
    timegate: Timegate, write: Callable[..., str], client: TimegateClient
) -> None:
    """A job with a key is not looked up by its name, which another job may have."""
    named = write(PROGRAM.replace('@job("tidy")', '@job("tidy", key="tidy-up")'))
    deploy(timegate, named)
    timegate("jobs", "create", "--name", "tidy", "--manual", "--pool", "p", "--handler", "h")
    job_id = timegate("jobs", "get", "tidy-up", "--json").json["job_id"]
    tidy: DeclaredJob[Any, Any] = load_program(named).jobs["tidy"]

    assert tidy.trigger(client=client).run_id.startswith(job_id)


def test_a_triggered_run_is_waited_for(
    timegate: Timegate, program: str, client: TimegateClient
) -> None:
    """Its result is returned; another end, and the time that is up, are errors."""
    deploy(timegate, program)
    report: DeclaredJob[Any, Any] = load_program(program).jobs["report"]
    good, bad, late = (report.trigger(client=client) for _ in range(3))
    tokens = {
        each["run_id"]: each["lease_token"]
        for each in client.claim_runs("sales-app", worker="w", limit=3)["runs"]
    }
    client.complete_run(good.run_id, lease_token=tokens[good.run_id], result={"rows": 2})
    error = {"code": "books_closed", "type": "E", "message": "closed"}
    token = tokens[bad.run_id]
    client.fail_run(bad.run_id, lease_token=token, error=error, retryable=False)

    assert good.wait() == {"rows": 2}
    with pytest.raises(RunNotSucceeded, match=r"books_closed: .* is failed: closed"):
        bad.wait()
    with pytest.raises(RunNotEnded, match="after 3 s"):
        late.wait(timeout_seconds=3)


def test_a_job_that_is_not_deployed_says_so(
    timegate: Timegate, program: str, client: TimegateClient
) -> None:
    """And so does one whose name is there twice."""
    report = load_program(program).jobs["report"]
    with pytest.raises(NotDeployed, match="timegate deploy"):
        report.trigger(client=client)
    job_id = timegate("jobs", "create", *MANUAL, "--json").json["job_id"]
    timegate("jobs", "cancel", job_id)
    with pytest.raises(NotDeployed, match="not_deployed"):
        report.trigger(client=client)
    for _ in range(2):
        timegate("jobs", "create", *MANUAL)
    with pytest.raises(NotDeployed, match="ambiguous_name: 2 jobs are called report"):
        report.trigger(client=client)


def test_many_triggers_are_one_request(
    timegate: Timegate, program: str, client: TimegateClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs come in the order of the payloads; more than 1,000 are several requests."""
    deploy(timegate, program)
    report: DeclaredJob[Any, Any] = load_program(program).jobs["report"]
    sales = sys.modules["sales_app"].Sales
    asked: list[int] = []
    send = client.trigger_many

    def counted(job_id: str, requests: list[Any], **more: Any) -> Any:  # noqa: ANN401
        asked.append(len(requests))
        return send(job_id, requests, **more)

    monkeypatch.setattr(client, "trigger_many", counted)
    payloads = [sales(str(n)) for n in range(1002)]
    runs = report.trigger_many(payloads, client=client, idempotency_key="k", delay_seconds=60)
    again = report.trigger_many(payloads, client=client, idempotency_key="k", delay_seconds=60)

    assert asked == [1000, 2] * 2
    assert [each.run_id for each in again] == [each.run_id for each in runs]
    assert [each.get()["payload"]["region"] for each in runs[::500]] == ["0", "500", "1000"]
    assert report.trigger_many([], client=client) == []


def test_refusals_of_many_triggers_are_told(
    timegate: Timegate, program: str, client: TimegateClient
) -> None:
    """The runs of the others are there, in their places."""
    deploy(timegate, program)
    report: DeclaredJob[Any, Any] = load_program(program).jobs["report"]
    sales = sys.modules["sales_app"].Sales
    payloads = [sales("a"), sales("x" * 300_000), sales("b")]
    with pytest.raises(NotAllTriggered, match=r"1 of 3 .*, the first at 1") as told:
        report.trigger_many(payloads, client=client)
    runs = told.value.runs

    assert [each is None for each in runs] == [False, True, False]
    assert told.value.refused[1]["errors"][0]["code"] == "payload_too_large"
    assert runs[2] is not None
    assert runs[2].get()["payload"]["region"] == "b"


def test_a_request_that_fails_behind_others_tells_which_runs_began(
    timegate: Timegate, program: str, client: TimegateClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller asks for the rest; a first request that fails is the failure itself."""
    deploy(timegate, program)
    report: DeclaredJob[Any, Any] = load_program(program).jobs["report"]
    sales = sys.modules["sales_app"].Sales
    send, left = client.trigger_many, [1, 0]

    def failing(job_id: str, requests: list[Any], **more: Any) -> Any:  # noqa: ANN401
        if not left.pop(0):
            raise NotReachable("https://api", "the line broke")
        return send(job_id, requests, **more)

    monkeypatch.setattr(client, "trigger_many", failing)
    payloads = [sales(str(n)) for n in range(1002)]
    with pytest.raises(NotAllTriggered, match=r"1000 of 1002 .* the line broke") as told:
        report.trigger_many(payloads, client=client)

    assert [each is None for each in told.value.runs] == [False] * 1000 + [True] * 2
    assert told.value.refused == {}
    assert isinstance(told.value.__cause__, NotReachable)
    left[:] = [0]
    with pytest.raises(NotReachable):
        report.trigger_many(payloads, client=client)


def test_a_trigger_that_collapsed_waits_for_what_stands_for_it(
    timegate: Timegate, program: str, client: TimegateClient
) -> None:
    """Its result is that of the run that was done."""
    deploy(timegate, program)
    report: DeclaredJob[Any, Any] = load_program(program).jobs["report"]
    first = report.trigger(client=client, collapse={"mode": "first"})
    second = report.trigger(client=client, collapse={"mode": "first"})
    (claimed,) = client.claim_runs("sales-app", worker="w", limit=3)["runs"]
    client.complete_run(claimed["run_id"], lease_token=claimed["lease_token"], result={"rows": 2})

    collapse = second.get()["collapse"]

    assert collapse is not None
    assert collapse["into"] == first.run_id == claimed["run_id"]
    assert second.wait() == {"rows": 2}
