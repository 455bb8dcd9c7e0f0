"""The graph of a definition, and how many edges and members a rule asks for."""

import pytest

from tests.unit.domain.dags.definitions import ACME, ANY, at_least, edges, tasks
from timegate.domain.dags.definition import Join, JoinKind, TriggerRule
from timegate.domain.dags.edges import Graph
from timegate.domain.values.identity import dag_id_for_key, job_id_for_key, parse_dag_id

DIAMOND = Graph.of(tasks(*"abcd"), edges("a -> b", "a -> c", "b -> d", "c -x d"))


def test_a_task_comes_after_all_it_waits_for() -> None:
    """Two tasks that are ready at once keep their given order."""
    assert DIAMOND.ordered() == ("a", "b", "c", "d")
    assert DIAMOND.roots == ("a",)


def test_ancestors_are_all_who_end_before_a_task_begins() -> None:
    """Directly or not, and on whatever condition."""
    assert DIAMOND.ancestors() == {
        "a": frozenset(),
        "b": frozenset("a"),
        "c": frozenset("a"),
        "d": frozenset("abc"),
    }


def test_what_is_on_or_behind_a_cycle_has_no_place_in_the_order() -> None:
    """Nor has it ancestors: no order says which comes first."""
    graph = Graph.of(tasks(*"abcd"), edges("a -> b", "b -> a", "b -> c"))

    assert graph.ordered() == ("d",)
    assert graph.ancestors() == {"d": frozenset()}


def test_a_task_reaches_all_that_wait_for_it() -> None:
    """Itself included."""
    assert DIAMOND.reached(["b"]) == frozenset("bd")  # type: ignore[list-item]
    assert DIAMOND.reached([]) == frozenset()


def test_an_edge_to_nowhere_is_no_edge() -> None:
    """The validation says so; the graph is that of the tasks there are."""
    graph = Graph.of(tasks("a"), edges("a -> b", "b -> a"))

    assert graph.outgoing == {"a": ()}
    assert graph.incoming == {"a": ()}


@pytest.mark.parametrize(
    ("rule", "among_none", "among_three"),
    [
        pytest.param(TriggerRule(), 0, 3, id="all"),
        pytest.param(ANY, 0, 1, id="any"),
        pytest.param(at_least(2), 2, 2, id="at-least-two"),
    ],
)
def test_a_rule_needs_so_many_edges(rule: TriggerRule, among_none: int, among_three: int) -> None:
    """A task without dependencies just runs, unless it asks for edges it does not have."""
    assert (rule.needed(0), rule.needed(3)) == (among_none, among_three)


@pytest.mark.parametrize(
    ("join", "width", "needed"),
    [
        pytest.param(Join(), 7, 7, id="all"),
        pytest.param(Join(), 0, 0, id="all-of-none"),
        pytest.param(Join(kind=JoinKind.AT_LEAST, count=3), 200, 3, id="at-least"),
        pytest.param(
            Join(kind=JoinKind.AT_LEAST, count=3), 2, 3, id="at-least-more-than-there-are"
        ),
        pytest.param(Join(kind=JoinKind.SHARE, share=0.07), 100, 7, id="share-as-it-is-written"),
        pytest.param(Join(kind=JoinKind.SHARE, share=0.5), 3, 2, id="share-rounded-up"),
        pytest.param(Join(kind=JoinKind.SHARE, share=1.0), 3, 3, id="share-of-all"),
    ],
)
def test_a_join_needs_so_many_members(join: Join, width: int, needed: int) -> None:
    """A share is rounded up to whole members, and is no more than it says."""
    assert needed == join.needed(width)


def test_a_key_names_one_dag_of_a_tenant_and_no_job() -> None:
    """A job and a DAG that are created under one key are two things."""
    dag_id = dag_id_for_key(ACME, "nightly")

    assert dag_id == dag_id_for_key(ACME, "nightly")
    assert str(dag_id) != job_id_for_key(ACME, "nightly")
    assert parse_dag_id(dag_id) == dag_id
    assert parse_dag_id("nightly") is None
