"""Data passing and fan-out: references to parameters and results, members and joins."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import FailurePolicy, FanOut, Join, JoinKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.values.corrupt_record import BlobMissing
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.payload import MAX_INLINE_BYTES
from timegate.usecases.runs.store_payload import load_payload


def payload_of(dag_world: DagWorld, attempt: Attempt) -> Any:  # noqa: ANN401 - JSON
    """Return the payload of a run."""
    assert attempt.payload is not None
    return json.loads(load_payload(attempt.payload, dag_world.world.blobs) or "null")


def answered(dag_world: DagWorld, text: str) -> None:
    """Every run that waits answers this."""
    for attempt in dag_world.waiting():
        dag_world.hear(dag_world.finish(attempt, RunState.SUCCEEDED, result=text))


def load_with(own_input: object) -> DagWorld:
    """A load behind an extract that answered two rows, with this input."""
    dag_world = DagWorld()
    own = (task("extract"), task("load", input=json.dumps(own_input)))
    dag_world.start(dag(own, "extract -> load"), parameters='{"day":"2026-11-21","none":null}')
    answered(dag_world, '{"rows":[{"id":1},{"id":2}]}')
    return dag_world


FOUND = {
    "a parameter": ({"$ref": "parameters.day"}, "2026-11-21"),
    "a result": ({"$ref": "tasks.extract.result.rows[*].id"}, [1, 2]),
    "a state": ({"$ref": "tasks.extract.state"}, "succeeded"),
    "within": ({"to": ["x", {"$ref": "length(tasks.extract.result.rows)"}]}, {"to": ["x", 2]}),
    "a default": ({"$ref": "parameters.gone", "default": 7}, 7),
    "no reference": (
        {"$ref": "parameters.day", "other": 1},
        {"$ref": "parameters.day", "other": 1},
    ),
}


@pytest.mark.parametrize(("own_input", "wanted"), FOUND.values(), ids=FOUND)
def test_an_input_takes_from_parameters_and_earlier_results(
    own_input: object, wanted: object
) -> None:
    """A reference anywhere in an input is resolved."""
    dag_world = load_with(own_input)
    (waiting,) = dag_world.waiting()

    assert payload_of(dag_world, waiting) == wanted


def test_large_texts_of_a_dag_run_lie_where_the_bucket_forgets() -> None:
    """Parameters and inputs are made for each run; only those of a definition stay."""
    large = "x" * MAX_INLINE_BYTES
    dag_world = DagWorld()
    own = (task("extract", input=json.dumps({"$ref": "parameters"})),)
    dag_world.start(dag(own), parameters=json.dumps({"day": large}))
    (waiting,) = dag_world.waiting()

    assert payload_of(dag_world, waiting) == {"day": large}
    assert {path.split("/")[1] for path in dag_world.world.blobs.blobs} == {"_runs"}


MISSING = {
    "no such parameter": ("parameters.gone", "reference_missing"),
    "null": ("parameters.none", "reference_missing"),
    "no such result": ("tasks.extract.result.columns", "reference_missing"),
    "a later task": ("tasks.load.result", "reference_missing"),
    "no expression": ("tasks..", "reference_invalid"),
    # A definition cannot say so: which tasks that names is not known before it is evaluated.
    "all tasks": ("tasks.*.state | [0]", "reference_invalid"),
    "a wrong type": ("length(`1`)", "reference_invalid"),
    "no order": ("parameters.day < `1`", "reference_invalid"),
    "no number": ("ceil(`1e999`)", "reference_invalid"),
    "no JSON": ("to_number('nan')", "reference_invalid"),
    "a bomb": ("|".join(["parameters", *["[@,@]"] * 40]), "reference_too_complex"),
}


@pytest.mark.parametrize(("expression", "code"), MISSING.values(), ids=MISSING)
def test_what_cannot_be_found_fails_the_task_before_it_starts(expression: str, code: str) -> None:
    """With an error that names the expression."""
    dag_world = load_with({"$ref": expression})
    (run,) = dag_world.world.tables.dag_runs.values()
    failed = dag_world.tasks(run)[TaskKey("load")]

    assert dag_world.waiting() == []
    assert (failed.state, failed.reason) == ("failed", "invalid_input")
    assert failed.error is not None
    assert failed.error.code == code
    assert repr(expression) in failed.error.message or "JSON" in failed.error.message
    assert run.status == "failed"


def fanned(join: Join, rows: object, *, max_width: int = 5, **fields: Any) -> DagWorld:  # noqa: ANN401
    """A task that fans out over what an earlier one answered, and one behind it."""
    dag_world = DagWorld()
    fan_out = FanOut(over="tasks.list.result", join=join, max_width=max_width)
    behind = task("report", input='{"$ref":"tasks.part.result"}')
    own = (task("list"), task("part", fan_out=fan_out, **fields), behind)
    policy = FailurePolicy.CONTINUE
    dag_world.start(dag(own, "list -> part", "part -> report", failure_policy=policy))
    answered(dag_world, json.dumps(rows))
    return dag_world


def part_ends(dag_world: DagWorld, ends: Callable[[int], RunState]) -> None:
    """Every member ends, and each record comes twice."""
    for attempt in dag_world.waiting():
        mark = task_run_mark(attempt.id.run)
        assert mark is not None
        ended = dag_world.finish(attempt, ends(mark.index), result=str(mark.index * 10))
        dag_world.hear(ended, ended)


@pytest.mark.parametrize(
    ("join", "failed", "state"),
    [
        (Join(), 0, "succeeded"),
        (Join(), 1, "failed"),
        (Join(kind=JoinKind.AT_LEAST, count=2), 2, "succeeded"),
        (Join(kind=JoinKind.AT_LEAST, count=2), 3, "failed"),
        (Join(kind=JoinKind.SHARE, share=0.5), 2, "succeeded"),
        (Join(kind=JoinKind.SHARE, share=0.51), 2, "failed"),
    ],
    ids=["all", "not all", "enough", "too few", "half", "less than its share"],
)
def test_members_are_joined_by_their_rule(join: Join, failed: int, state: str) -> None:
    """Once, when the last has ended or too many have failed; what failed answers null."""
    dag_world = fanned(join, ["a", "b", "c", "d"])
    members = [payload_of(dag_world, each) for each in dag_world.waiting()]
    part_ends(dag_world, lambda index: RunState.FAILED if index < failed else RunState.SUCCEEDED)
    (run,) = dag_world.world.tables.dag_runs.values()

    assert members == ["a", "b", "c", "d"]
    assert dag_world.states(run)["part"] == state
    if state == "succeeded":
        (report,) = dag_world.waiting()
        wanted = [None if index < failed else index * 10 for index in range(4)]
        assert payload_of(dag_world, report) == wanted


def test_a_fan_out_over_nothing_has_succeeded() -> None:
    """With an empty list."""
    dag_world = fanned(Join(), [])
    (report,) = dag_world.waiting()

    assert payload_of(dag_world, report) == []


def test_a_member_takes_its_element_and_its_place() -> None:
    """In an input of its own."""
    own_input = '{"it":{"$ref":"item.id"},"place":{"$ref":"index"}}'
    dag_world = fanned(Join(), [{"id": 7}, {"id": 8}], input=own_input)

    given = [payload_of(dag_world, each) for each in dag_world.waiting()]

    assert given == [{"it": 7, "place": 0}, {"it": 8, "place": 1}]


@pytest.mark.parametrize(
    ("rows", "join", "code"),
    [
        ({"no": "list"}, Join(), "fan_out_not_a_list"),
        (None, Join(), "fan_out_not_a_list"),
        (list(range(6)), Join(), "fan_out_too_wide"),
        ([1], Join(kind=JoinKind.AT_LEAST, count=2), "fan_out_too_narrow"),
    ],
    ids=["an object", "null", "too wide", "too narrow"],
)
def test_a_list_that_cannot_be_fanned_out_over_fails_the_task(
    rows: object, join: Join, code: str
) -> None:
    """Before any member starts."""
    dag_world = fanned(join, rows)
    (run,) = dag_world.world.tables.dag_runs.values()
    failed = dag_world.tasks(run)[TaskKey("part")]

    assert failed.error is not None
    assert (failed.state, failed.error.code) == ("failed", code)
    assert dag_world.waiting() == []


def test_a_wide_fan_out_joins_once() -> None:
    """Two hundred members, each heard of twice; a result too long for the record lies aside."""
    dag_world = fanned(Join(), list(range(200)), max_width=1_000)
    part_ends(dag_world, lambda _: RunState.SUCCEEDED)
    (run,) = dag_world.world.tables.dag_runs.values()
    joined = dag_world.tasks(run)[TaskKey("part")]
    (report,) = dag_world.waiting()

    assert joined.stored_result is not None
    assert payload_of(dag_world, report) == [index * 10 for index in range(200)]


TOO_LARGE = {
    "together": {
        "result": "x" * 499 + "…",
        "stored_result": StoredResult(blob="results/nowhere", size_bytes=200 * 1024),
    },
    "one alone": {"result": "x" * 499 + "…"},
}


@pytest.mark.parametrize("answer", TOO_LARGE.values(), ids=TOO_LARGE)
def test_answers_that_are_too_large_together_are_not_read(answer: dict[str, Any]) -> None:
    """The fan-out has succeeded all the same; a task that refers to the list is told why not."""
    dag_world = fanned(Join(), ["a", "b"])
    for attempt in dag_world.waiting():
        dag_world.hear(dag_world.finish(attempt, RunState.SUCCEEDED, **answer))
    (run,) = dag_world.world.tables.dag_runs.values()
    part, report = (dag_world.tasks(run)[TaskKey(key)] for key in ("part", "report"))

    assert (part.state, part.stored_result) == ("succeeded", None)
    assert report.error is not None
    assert (report.state, report.error.code) == ("failed", "result_too_large")


EXPIRED: dict[str, Any] = {
    "result": "x" * 499 + "…",
    "stored_result": StoredResult(blob="results/expired", size_bytes=600),
}


def test_a_result_that_has_expired_fails_the_task_that_asks_for_it() -> None:
    """A DAG run is retried months later, when its files are gone: it went on for ever."""
    dag_world = DagWorld()
    own = (task("extract"), task("load", input='{"$ref":"tasks.extract.result"}'))
    dag_world.start(dag(own, "extract -> load"))
    (extract,) = dag_world.waiting()
    dag_world.hear(dag_world.finish(extract, RunState.SUCCEEDED, **EXPIRED))
    (run,) = dag_world.world.tables.dag_runs.values()
    load = dag_world.tasks(run)[TaskKey("load")]

    assert load.error is not None
    assert (load.state, load.error.code) == ("failed", "result_expired")
    assert run.status == "failed"


def test_parameters_that_are_lost_fail_the_task_that_asks_for_them() -> None:
    """After a quarter of an hour, in which another region's may arrive: it went on for ever."""
    dag_world = DagWorld()
    own = (task("extract"), task("load", input='{"$ref":"parameters"}'))
    run = dag_world.start(dag(own, "extract -> load"), parameters=json.dumps({"day": "x" * 2_000}))
    dag_world.world.blobs.blobs.clear()
    (extract,) = dag_world.waiting()
    ended = dag_world.finish(extract, RunState.SUCCEEDED)
    with pytest.raises(BlobMissing):
        dag_world.hear(ended)
    waiting = dag_world.tasks(run)[TaskKey("load")].state
    dag_world.world.clock.advance(15 * 60)
    dag_world.hear(ended)
    load = dag_world.tasks(run)[TaskKey("load")]

    assert load.error is not None
    assert (waiting, load.state, load.error.code) == ("pending", "failed", "parameters_expired")
    assert dag_world.dag_runs.get(run.tenant, run.dag_run_id).status == "failed"


def test_a_fan_out_joins_beside_an_answer_that_has_expired() -> None:
    """The list keeps its beginning, as one that is too large; it is whole to no task."""
    dag_world = fanned(Join(), ["a", "b"])
    for attempt in dag_world.waiting():
        dag_world.hear(dag_world.finish(attempt, RunState.SUCCEEDED, **EXPIRED))
    (run,) = dag_world.world.tables.dag_runs.values()
    part, report = (dag_world.tasks(run)[TaskKey(key)] for key in ("part", "report"))

    assert (part.state, part.stored_result) == ("succeeded", None)
    assert report.error is not None
    assert (report.state, report.error.code) == ("failed", "result_too_large")
