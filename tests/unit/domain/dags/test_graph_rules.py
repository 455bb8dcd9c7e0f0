"""The graph of a DAG: what is wrong with it is said with code, field, and the tasks concerned."""

import pytest

from tests.unit.domain.dags.definitions import ANY, at_least, dag, task, tasks
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.dags.definition import Dag, TriggerRule
from timegate.domain.dags.limits import MAX_EDGES, MAX_PROBLEMS, MAX_TASKS
from timegate.domain.dags.validation import problems_of

RULES = TargetRules(allowed={"lambda": ("*",)})


def problems(definition: Dag) -> list[tuple[str, str]]:
    """Field and code of every problem."""
    return [(problem.field, problem.code) for problem in problems_of(definition, RULES)]


def details(definition: Dag) -> list[str]:
    """Return the detail of each problem."""
    return [problem.detail for problem in problems_of(definition, RULES)]


@pytest.mark.parametrize(
    "definition",
    [
        pytest.param(dag(tasks(*"abcde"), "a -> b", "b -> c", "c -> d", "d -> e"), id="linear"),
        pytest.param(
            dag(tasks(*"etdfar"), "e -> t", "t -> d", "t -> f", "d -> a", "f -> a", "a -> r"),
            id="diamond",
        ),
        pytest.param(dag(tasks(*"abcd"), "a -> b", "b -> c", "b -> d"), id="tree"),
        pytest.param(dag(tasks(*"abc")), id="apart"),
        pytest.param(dag(tasks("a", "b", "c", c=at_least(2)), "a -> c", "b -x c"), id="at-least"),
    ],
)
def test_a_graph_that_is_in_order_is_accepted(definition: Dag) -> None:
    """The pipelines that people begin with."""
    assert problems_of(definition, RULES) == ()


def test_a_cycle_is_named() -> None:
    """From a task along its edges back to it, by the shortest way; what is in it is reachable."""
    definition = dag(
        tasks(*"rabcd"), "r -> a", "a -> b", "b -> c", "c -> d", "d -> a", "c -* a", "b -> r"
    )

    assert problems(definition) == [("edges", "cycle")]
    assert details(definition) == ["These tasks wait for each other: r → a → b → r."]


def test_every_knot_of_tasks_is_named_once() -> None:
    """Not only the first one."""
    definition = dag(tasks(*"abcdr"), "a -> b", "b -> a", "c -> d", "d -> c", "b -> c", "r -> c")

    assert details(definition) == [
        "These tasks wait for each other: a → b → a.",
        "These tasks wait for each other: c → d → c.",
    ]


def test_what_only_a_cycle_leads_to_is_unreachable() -> None:
    """A task behind a cycle that a root leads to as well would be reached without the cycle."""
    definition = dag(tasks(*"abcdr"), "a -> b", "b -> a", "b -> c", "b -> d", "r -> d")

    assert problems(definition) == [("edges", "cycle"), ("tasks.2.key", "unreachable_task")]
    assert "leads to c" in details(definition)[1]


def test_a_task_that_is_not_there_is_named_with_the_one_that_was_meant() -> None:
    """At the end of the edge at which it stands."""
    definition = dag(tasks("extract", "load"), "extrct -> load", "extract -> x")

    assert problems(definition) == [
        ("edges.0.source", "unknown_task"),
        ("edges.1.target", "unknown_task"),
    ]
    assert details(definition) == [
        "There is no task extrct. Did you mean extract?",
        "There is no task x.",
    ]


def test_two_tasks_have_one_edge_at_most() -> None:
    """A second condition is refused: on_finished covers both. A reverse edge is a cycle."""
    definition = dag(tasks(*"ab"), "a -> b", "a -x b", "a -> b")

    assert problems(definition) == [("edges.1", "duplicate_edge"), ("edges.2", "duplicate_edge")]


def test_no_task_waits_for_itself() -> None:
    """That is no cycle besides."""
    assert problems(dag(tasks(*"ab"), "a -> a", "a -> b")) == [("edges.0", "self_edge")]


def test_two_tasks_of_one_key_are_refused() -> None:
    """Each further use of a key is a problem of its own."""
    definition = dag(tasks(*"aba"), "a -> b")

    assert problems(definition) == [("tasks.2.key", "duplicate_key")]


@pytest.mark.parametrize("key", ["", "A", "1a", "a b", "a.b", "ä", "a" * 41])
def test_a_key_goes_into_paths_and_expressions(key: str) -> None:
    """So it is short and plain."""
    assert problems(dag((task(key), task("a" * 40)))) == [("tasks.0.key", "invalid_format")]


def test_a_dag_has_a_task() -> None:
    """Or there is nothing to run."""
    assert problems(dag(())) == [("tasks", "too_short")]


def test_a_dag_has_so_many_tasks_and_edges_at_most() -> None:
    """The limit itself is accepted; beyond it nothing else is looked at."""
    most = tasks(*(f"t{n}" for n in range(MAX_TASKS)))
    arrows = [f"t{n} -> t{n + step}" for n in range(MAX_TASKS - 4) for step in range(1, 5)]
    arrows += [f"t{n} -> t{n + 5}" for n in range(MAX_EDGES - len(arrows))]

    assert problems(dag(most, *arrows)) == []
    assert problems(dag((*most, task("x")), *arrows, "t9 -> t0")) == [
        ("tasks", "too_many_tasks"),
        ("edges", "too_many_edges"),
    ]


def test_an_answer_ends_some_time() -> None:
    """A caller with that many problems does not read them all."""
    definition = dag(tasks("a"), *(["a -> a"] * 200))

    assert len(problems(definition)) == MAX_PROBLEMS


def test_all_problems_are_listed_at_once() -> None:
    """No caller corrects a definition one answer at a time."""
    definition = dag(
        tasks("a", "b", "b", "c", c=at_least(3)),
        "a -> b",
        "b -> a",
        "a -> z",
        "c -> c",
        max_retries=2,
    )

    assert {problem.code for problem in problems_of(definition, RULES)} == {
        "not_for_this_policy",
        "duplicate_key",
        "unknown_task",
        "self_edge",
        "cycle",
        "too_few_edges",
    }


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        pytest.param(at_least(3), "too_few_edges", id="more-than-there-are"),
        pytest.param(at_least(0), "out_of_range", id="none"),
        pytest.param(TriggerRule(kind=at_least(1).kind), "required", id="without-count"),
        pytest.param(TriggerRule(count=2), "not_for_this_rule", id="all-with-count"),
    ],
)
def test_a_rule_asks_for_edges_that_are_there(rule: TriggerRule, code: str) -> None:
    """Two lead to the task: two may be asked for."""
    refused = dag(tasks("a", "b", "c", c=rule), "a -> c", "b -> c")
    accepted = dag(tasks("a", "b", "c", c=at_least(2)), "a -> c", "b -> c")

    assert problems(refused) == [("tasks.2.trigger_rule.count", code)]
    assert problems(accepted) == []


@pytest.mark.parametrize(
    ("arrows", "rule"),
    [
        pytest.param(["a -> b", "a -x c", "b -> d", "c -> d"], TriggerRule(), id="both-branches"),
        pytest.param(["a -> b", "a -x c", "b -> d", "c -* d", "a -x d"], at_least(3), id="count"),
        pytest.param(["a -> b", "b -> c", "a -x d", "c -> d"], TriggerRule(), id="far-away"),
    ],
)
def test_a_rule_that_can_never_hold_is_refused(arrows: list[str], rule: TriggerRule) -> None:
    """One task would have to succeed and to fail; what waits for it is not named as well."""
    definition = dag((*tasks("a", "b", "c", "d", d=rule), task("e")), *arrows, "d -> e")

    assert problems(definition) == [("tasks.3.trigger_rule", "never_satisfied")]
    assert "only if a succeeds and fails" in details(definition)[0]


@pytest.mark.parametrize(
    ("arrows", "rule"),
    [
        pytest.param(["a -> b", "a -x c", "b -> d", "c -> d"], ANY, id="one-branch-is-enough"),
        pytest.param(["a -> b", "a -x c", "b -* d", "c -* d"], TriggerRule(), id="whatever-ended"),
        pytest.param(
            ["a -> b", "b -x c", "a -> c", "c -> d"], TriggerRule(), id="the-second-failed"
        ),
    ],
)
def test_a_rule_that_can_hold_is_accepted(arrows: list[str], rule: TriggerRule) -> None:
    """A task that is skipped has finished: a clean-up runs whatever happened."""
    assert problems(dag(tasks("a", "b", "c", "d", d=rule), *arrows)) == []
