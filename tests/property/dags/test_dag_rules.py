"""Random graphs: what the rules say of them is what trying everything finds out."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.dags.dag_graph_oracle import ever_run, knots, unreachable, ways
from tests.unit.domain.dags.definitions import ANY, at_least, dag, task
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.dags.definition import Dag, Edge, EdgeCondition, TriggerRule
from timegate.domain.dags.edges import Graph
from timegate.domain.dags.validation import problems_of
from timegate.domain.values.identity import TaskKey

RULES = TargetRules(allowed={"lambda": ("*",)})
RULE_KINDS = st.sampled_from([TriggerRule(), TriggerRule(), ANY, at_least(1), at_least(2)])


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool, rules: st.SearchStrategy[TriggerRule]) -> Dag:
    """Up to six tasks, each pair with an edge or none."""
    keys = [TaskKey(key) for key in "abcdef"[: draw(st.integers(1, 6))]]
    pairs = [(a, b) for a in keys for b in keys if (a < b if acyclic else a != b)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=10)) if pairs else []
    edges = tuple(
        Edge(source=a, target=b, condition=draw(st.sampled_from(EdgeCondition))) for a, b in chosen
    )
    tasks = tuple(task(key, trigger_rule=draw(rules)) for key in draw(st.permutations(keys)))
    return dag(tasks, edges=edges)


def said_of(definition: Dag, code: str) -> set[str]:
    """Return the detail of each problem of a code."""
    return {p.detail for p in problems_of(definition, RULES) if p.code == code}


def tasks_of(definition: Dag, code: str) -> set[str]:
    """The tasks whose fields the problems of a code name."""
    found = [p.field.split(".") for p in problems_of(definition, RULES) if p.code == code]
    return {definition.tasks[int(parts[1])].key for parts in found}


@given(graphs(acyclic=False, rules=st.just(TriggerRule())))
@settings(max_examples=some(300))
def test_every_knot_is_named_by_a_cycle_and_nothing_else_is(definition: Dag) -> None:
    """A cycle goes along edges, back to where it began, through one knot."""
    edges = {(edge.source, edge.target) for edge in definition.edges}
    cycles = [
        detail.rpartition(": ")[2].rstrip(".").split(" → ")
        for detail in said_of(definition, "cycle")
    ]

    assert all(cycle[0] == cycle[-1] for cycle in cycles)
    assert all((a, b) in edges for cycle in cycles for a, b in pairwise(cycle))
    assert all(len(set(cycle)) == len(cycle) - 1 for cycle in cycles)
    assert sorted(sorted(knot) for knot in knots(definition)) == sorted(
        sorted(next(knot for knot in knots(definition) if cycle[0] in knot)) for cycle in cycles
    )
    assert unreachable(definition) == tasks_of(definition, "unreachable_task")


@given(graphs(acyclic=True, rules=st.just(TriggerRule())))
@settings(max_examples=some(150))
def test_the_order_and_the_ancestors_are_those_of_the_edges(definition: Dag) -> None:
    """Every task is there once, after all that lead to it."""
    graph = Graph.of(definition.tasks, definition.edges)
    order = graph.ordered()
    ancestors = {(early, late) for late, own in graph.ancestors().items() for early in own}

    assert sorted(order) == sorted(task.key for task in definition.tasks)
    assert all(order.index(e.source) < order.index(e.target) for e in definition.edges)
    assert ways(definition) == ancestors


@given(graphs(acyclic=True, rules=st.just(TriggerRule())))
@settings(max_examples=some(200))
def test_where_all_edges_must_hold_exactly_what_never_runs_is_refused(definition: Dag) -> None:
    """The first on each way: what waits for one of them does not run either."""
    refused = {TaskKey(key) for key in tasks_of(definition, "never_satisfied")}
    never = {task.key for task in definition.tasks} - ever_run(definition)
    behind = Graph.of(definition.tasks, definition.edges).reached(refused)

    assert refused <= never <= behind


@given(graphs(acyclic=True, rules=RULE_KINDS))
@settings(max_examples=some(200))
def test_no_task_is_refused_that_could_run(definition: Dag) -> None:
    """Any trigger rules agree with the oracle."""
    refused = tasks_of(definition, "never_satisfied")

    assert refused.isdisjoint(ever_run(definition))
