"""The end of a DAG run, worked out over the whole graph at once and without counters.

The rules in other words: no task waits for an end that changes nothing for it, so it does not
matter in which order runs end. A task runs if, once all it waits for is over, enough of that is
what it asked for. A skip is over, and is asked for only by those who take any end.
"""

from collections.abc import Collection, Mapping

from tests.property.dags.dag_strategies import Fate
from timegate.domain.dags.definition import Dag, EdgeCondition, FailurePolicy, TriggerKind
from timegate.domain.values.identity import TaskKey

FAILURES = {"failed", "dead_lettered", "timed_out", "cancelled"}
WANTED = {
    EdgeCondition.ON_SUCCESS: {"succeeded"},
    EdgeCondition.ON_FAILURE: FAILURES,
    EdgeCondition.ON_FINISHED: FAILURES | {"succeeded", "skipped"},
}


def come_to(dag: Dag, fate: Fate) -> tuple[str, dict[TaskKey, str]]:
    """The status and the states of all tasks, of a DAG whose policy lets everything run."""
    states = _fixpoint(dag, fate, {}, 1)
    tries = dag.max_retries if dag.failure_policy is FailurePolicy.RETRY else 0
    for number in range(2, tries + 2):
        if not undealt(dag, states):
            break
        kept = {key: state for key, state in states.items() if key not in again(dag, states)}
        states = _fixpoint(dag, fate, kept, number)
    return ("failed" if undealt(dag, states) else "succeeded"), states


def undealt(dag: Dag, states: Mapping[TaskKey, str]) -> set[TaskKey]:
    """Failures that no edge asks for."""
    dealt = {e.source for e in dag.edges if e.condition is EdgeCondition.ON_FAILURE}
    return {key for key, state in states.items() if state in FAILURES and key not in dealt}


def touched(dag: Dag, states: Mapping[TaskKey, str], begun: Collection[TaskKey]) -> set[TaskKey]:
    """Return failed and cancelled tasks, and those skipped or run because of them."""
    found = {key for key, state in states.items() if state in FAILURES}
    while True:
        more = {
            edge.target
            for edge in dag.edges
            if edge.source in found
            and edge.target not in found
            and (
                (edge.target in begun and states[edge.source] in WANTED[edge.condition])
                or (edge.target not in begun and states.get(edge.target) == "skipped")
            )
        }
        if not more:
            return found
        found |= more


def broken_by_stopping(
    dag: Dag, fate: Fate, states: Mapping[TaskKey, str], begun: Collection[TaskKey]
) -> list[str]:
    """Return the breaches of its rule by a DAG run that failed fast, in words.

    After the failure nothing begins but what it triggers; that begins, and is not cancelled.
    """
    found = touched(dag, states, begun)
    broken = []
    for task in dag.tasks:
        key, state = task.key, states[task.key]
        let = wants(dag, key, states) is True
        triggered = let and any(
            e.target == key and e.source in found and states[e.source] in WANTED[e.condition]
            for e in dag.edges
        )
        if key not in begun and triggered:
            broken.append(f"{key} was triggered and did not begin")
        if key not in begun and state != ("cancelled" if let else state):
            broken.append(f"{key} could have begun, and is {state}")
        if key not in begun and state not in {"skipped", "cancelled"}:
            broken.append(f"{key} did not begin, and is {state}")
        if key in begun and state not in {fate.of(key, 1).value, "cancelled"}:
            broken.append(f"{key} began, and is {state}")
    return broken


def begun_against(
    dag: Dag,
    fate: Fate,
    states: Mapping[TaskKey, str],
    begun: Collection[TaskKey],
    late: Collection[TaskKey],
) -> list[str]:
    """Return tasks of ``late`` that began without a trigger, or that did not end."""
    found = touched(dag, states, begun)
    triggered = {
        edge.target
        for edge in dag.edges
        if edge.source in found and states[edge.source] in WANTED[edge.condition]
    }
    return [
        f"{key} began late: {states[key]}"
        for key in late
        if key not in triggered or states[key] != fate.of(key, 1).value
    ]


def wants(dag: Dag, key: TaskKey, states: Mapping[TaskKey, str]) -> bool | None:
    """Return whether a task runs, by the known states of others; ``None``: not known yet."""
    edges = [edge for edge in dag.edges if edge.target == key]
    met = [e for e in edges if states.get(e.source) in WANTED[e.condition]]
    rule = next(task.trigger_rule for task in dag.tasks if task.key == key)
    enough = {
        TriggerKind.ALL: len(met) == len(edges),
        TriggerKind.ANY: bool(met) or not edges,
        TriggerKind.AT_LEAST: len(met) >= (rule.count or 0),
    }[rule.kind]
    if enough:
        return True
    return False if all(edge.source in states for edge in edges) else None


def _fixpoint(
    dag: Dag, fate: Fate, kept: Mapping[TaskKey, str], in_round: int
) -> dict[TaskKey, str]:
    states = dict(kept)
    while len(states) < len(dag.tasks):
        for task in dag.tasks:
            over = all(e.source in states for e in dag.edges if e.target == task.key)
            if task.key not in states and over:
                runs = wants(dag, task.key, states)
                states[task.key] = fate.of(task.key, in_round).value if runs else "skipped"
    return states


def again(dag: Dag, states: Mapping[TaskKey, str]) -> set[TaskKey]:
    """Return tasks that failed undealt or were cancelled, and those behind them without success."""
    first = undealt(dag, states) | {key for key, state in states.items() if state == "cancelled"}
    behind = set(first)
    while more := {e.target for e in dag.edges if e.source in behind} - behind:
        behind |= more
    return first | {key for key in behind if states[key] != "succeeded"}
