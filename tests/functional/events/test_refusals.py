"""Stores and queues that refuse: what has to come again, comes again, and nothing else."""

from collections.abc import Sequence
from copy import deepcopy

import pytest

from tests.functional.events.functions import Event, Functions, failed, sample
from tests.support.factories import TENANT, attempt_factory, attempt_id, job_id
from tests.support.operations.burying import spent
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef


def busy(*_: object, **__: object) -> object:
    """Fail like an overloaded store."""
    raise Throttled("Too much.")


def ids(function: str) -> list[str]:
    """Return the response's name for each record of a function's sample."""
    records = sample(function)["Records"]
    return [
        record["dynamodb"]["SequenceNumber"] if "dynamodb" in record else record["messageId"]
        for record in records
    ]


@pytest.mark.parametrize(("refusing", "position"), [("normal-short", 0), ("critical-short", 1)])
def test_the_relay_names_the_records_a_queue_refused(
    functions: Functions, refusing: str, position: int
) -> None:
    """The other queue has its message; the stream resumes where one is missing (R3)."""
    functions.world.publisher.refusing.add(refusing)
    response = functions.send("relay", sample("relay"))

    assert failed(response) == [ids("relay")[position]]
    assert [refusing] != [each.message.queue_key for each in functions.world.publisher.sent]
    assert len(functions.world.publisher.sent) == 1


def test_outcomes_gives_a_batch_back_to_a_busy_store(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its records come again, and completing twice is harmless; a batch of them alone fails."""
    monkeypatch.setattr(functions.world.jobs, "complete", busy)
    completing, alone = ids("outcomes")[:2], sample("outcomes")
    alone["Records"] = alone["Records"][:2]

    assert failed(functions.send("outcomes", sample("outcomes"))) == completing
    with pytest.raises(Throttled):
        functions.send("outcomes", alone)


def test_an_end_that_meets_a_busy_store_comes_back_alone(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All others of its batch are followed (N6): here operations that wait for them."""
    woken: list[str] = []

    def busy_for_one(_: TenantId, operation_id: str) -> bool:
        if operation_id == "busy":
            busy()
        woken.append(operation_id)
        return True

    monkeypatch.setattr(functions.world.operations, "wake", busy_for_one)
    response = functions.send("outcomes", awaited_ends("one", "busy", "three"))

    assert failed(response) == ["number of busy"]
    assert set(woken) == {"one", "three"}


def awaited_ends(*operations: str) -> Event:
    """Ends of runs for which these operations wait."""
    records = [deepcopy(sample("outcomes")["Records"][0]) for _ in operations]
    for each, operation in zip(records, operations, strict=True):
        each["dynamodb"]["SequenceNumber"] = f"number of {operation}"
        each["dynamodb"]["NewImage"]["operation"] = {"S": operation}
    return {"Records": records}


def test_the_executor_gives_back_what_it_could_not_claim(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moment later, not after a whole invisibility; nothing was executed."""
    monkeypatch.setattr(functions.world.runs, "load_all", busy)
    response = functions.send("executor", sample("executor"))

    assert set(failed(response)) == set(ids("executor"))
    assert {hidden.seconds for hidden in functions.world.inbox.hidden} == {2}
    assert functions.world.target.calls == []


def test_a_dead_letter_that_meets_a_busy_store_comes_back_alone(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is buried."""
    functions.world.runs.insert_all([spent(attempt_factory(id=attempt_id(job=job_id("minutely"))))])
    load_all = functions.world.runs.load_all

    def busy_for_another(refs: Sequence[AttemptRef]) -> object:
        return load_all(refs) if refs[0].tenant == TENANT else busy()

    monkeypatch.setattr(functions.world.runs, "load_all", busy_for_another)
    response = functions.send("dead_letter", sample("dead_letter"))

    assert failed(response) == [ids("dead_letter")[1]]
    assert functions.world.states() == [RunState.DEAD_LETTERED]


def test_the_operator_gives_back_what_the_store_refused(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream goes on at the first of them."""
    monkeypatch.setattr(functions.world.operations, "get", busy)
    records = sample("operations")["Records"]
    numbers = [record["dynamodb"]["SequenceNumber"] for record in records]

    assert failed(functions.send("operations", sample("operations"))) == numbers


@pytest.mark.parametrize("function", ["relay", "outcomes", "operations", "dead_letter"])
def test_what_could_not_be_kept_comes_again(
    functions: Functions, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """An unreadable record is given up only once a human can find it."""
    monkeypatch.setattr(functions.rejects, "park", busy)
    event = sample(function)
    event["Records"][0] |= {"body": "odd", "dynamodb": {}}

    with pytest.raises(Throttled):
        functions.send(function, event)
