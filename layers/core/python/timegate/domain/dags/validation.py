"""Validation of definitions: every problem at once, each with code and field."""

from collections.abc import Iterator
from itertools import islice

from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.dags.definition import (
    Dag,
    FailurePolicy,
    FanOut,
    JoinKind,
    TriggerKind,
    TriggerRule,
)
from timegate.domain.dags.edges import Graph
from timegate.domain.dags.graph_rules import (
    count_problems,
    edge_problems,
    key_problems,
    order_problems,
)
from timegate.domain.dags.limits import MAX_FAN_OUT_WIDTH, MAX_PROBLEMS, MAX_RETRIES
from timegate.domain.dags.possibility import impossible_tasks
from timegate.domain.dags.task_rules import places, reference_problems, spec_problems
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.jobs.notification import Occasion
from timegate.domain.values.errors import InvalidInput


def problems_of(dag: Dag, rules: TargetRules) -> tuple[InvalidInput, ...]:
    """List the problems of a definition, ``MAX_PROBLEMS`` at most; empty if it has none."""
    return tuple(islice(_problems(dag, rules), MAX_PROBLEMS))


def _problems(dag: Dag, rules: TargetRules) -> Iterator[InvalidInput]:
    counts = tuple(count_problems(dag))
    if counts:
        # People do not look through ten thousand tasks for more.
        yield from counts
        return
    yield from _policy_problems(dag)
    yield from _notice_problems(dag)
    yield from key_problems(dag.tasks)
    yield from edge_problems(dag)
    yield from order_problems(dag)
    graph = Graph.of(dag.tasks, {(e.source, e.target): e for e in reversed(dag.edges)}.values())
    ancestors = graph.ancestors()
    for task, place in places(dag, ancestors):
        yield from _rule_problems(task.trigger_rule, len(graph.incoming[task.key]), place.field)
        if task.fan_out is not None:
            yield from _fan_out_problems(task.fan_out, f"{place.field}.fan_out")
        yield from reference_problems(task, place)
        yield from spec_problems(dag, task, place.field, rules)
    yield from _never(dag, graph)


def _policy_problems(dag: Dag) -> Iterator[InvalidInput]:
    if dag.failure_policy is not FailurePolicy.RETRY and dag.max_retries:
        detail = "Only the policy retry tries again what has failed."
        yield InvalidInput("failure_policy.max_retries", "not_for_this_policy", detail)
    if dag.failure_policy is FailurePolicy.RETRY and not 1 <= dag.max_retries <= MAX_RETRIES:
        detail = f"The policy retry tries again 1 to {MAX_RETRIES} times."
        yield InvalidInput("failure_policy.max_retries", "out_of_range", detail)


def _notice_problems(dag: Dag) -> Iterator[InvalidInput]:
    if any(isinstance(t.spec, WaitTask) and t.spec.kind is WaitKind.APPROVAL for t in dag.tasks):
        return
    for number, hook in enumerate(dag.notifications):
        if Occasion.NEEDS_DECISION in hook.on:
            detail = "No task of the DAG is an approval."
            yield InvalidInput(f"notifications.{number}.on", "never_decided", detail)


def _rule_problems(rule: TriggerRule, edges: int, place: str) -> Iterator[InvalidInput]:
    field = f"{place}.trigger_rule.count"
    if rule.count is None:
        if rule.kind is TriggerKind.AT_LEAST:
            yield InvalidInput(field, "required", "at_least says how many.")
    elif rule.kind is not TriggerKind.AT_LEAST:
        yield InvalidInput(field, "not_for_this_rule", "Only at_least has a count.")
    elif rule.count < 1:
        yield InvalidInput(field, "out_of_range", "It is at least 1.")
    elif rule.count > edges:
        detail = f"It asks for {rule.count} edges, and {edges} lead to this task."
        yield InvalidInput(field, "too_few_edges", detail)


def _fan_out_problems(fan_out: FanOut, field: str) -> Iterator[InvalidInput]:
    join = fan_out.join
    if not 1 <= fan_out.max_width <= MAX_FAN_OUT_WIDTH:
        detail = f"It is between 1 and {MAX_FAN_OUT_WIDTH}."
        yield InvalidInput(f"{field}.max_width", "out_of_range", detail)
    for name, kind, value in (
        ("count", JoinKind.AT_LEAST, join.count),
        ("share", JoinKind.SHARE, join.share),
    ):
        if join.kind is kind and value is None:
            yield InvalidInput(f"{field}.join.{name}", "required", f"{kind} says how many.")
        elif join.kind is not kind and value is not None:
            detail = f"Only {kind} has a {name}."
            yield InvalidInput(f"{field}.join.{name}", "not_for_this_join", detail)
    if join.count is not None and not 1 <= join.count <= fan_out.max_width:
        detail = f"It is between 1 and max_width ({fan_out.max_width})."
        yield InvalidInput(f"{field}.join.count", "out_of_range", detail)
    if join.share is not None and not 0 < join.share <= 1:
        yield InvalidInput(f"{field}.join.share", "out_of_range", "It is above 0, and at most 1.")


def _never(dag: Dag, graph: Graph) -> Iterator[InvalidInput]:
    """List tasks in the order that can never run."""
    tasks = {task.key: task for task in reversed(dag.tasks)}
    numbers = {task.key: number for number, task in reversed([*enumerate(dag.tasks)])}
    for found in impossible_tasks(tasks, graph):
        detail = f"It runs only if {found.torn} succeeds and fails: its rule can never hold."
        field = f"tasks.{numbers[found.task]}.trigger_rule"
        yield InvalidInput(field, "never_satisfied", detail)
