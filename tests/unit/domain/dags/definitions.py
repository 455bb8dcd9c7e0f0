"""Small definitions for tests: tasks by their keys, edges as arrows."""

from datetime import UTC, datetime
from typing import Any

from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.dags.definition import (
    Dag,
    Edge,
    EdgeCondition,
    InlineTask,
    Task,
    TriggerKind,
    TriggerRule,
)
from timegate.domain.values.identity import TaskKey, dag_id_for_key
from timegate.domain.values.tenant import TenantId

ACME = TenantId("acme")
NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)
FUNCTION = "arn:aws:lambda:eu-central-1:000000000000:function:work"
WORK = InlineTask(action=LambdaAction(function_arn=FUNCTION))
ANY = TriggerRule(kind=TriggerKind.ANY)
CONDITIONS = {
    "->": EdgeCondition.ON_SUCCESS,
    "-x": EdgeCondition.ON_FAILURE,
    "-*": EdgeCondition.ON_FINISHED,
}


def at_least(count: int) -> TriggerRule:
    """So many edges must be satisfied."""
    return TriggerRule(kind=TriggerKind.AT_LEAST, count=count)


def task(key: str, **fields: Any) -> Task:  # noqa: ANN401 - whatever fields a task has
    """A task that calls a function."""
    return Task(key=TaskKey(key), **({"spec": WORK} | fields))


def tasks(*keys: str, **rules: TriggerRule) -> tuple[Task, ...]:
    """Tasks by their keys, some with a rule of their own."""
    return tuple(task(key, trigger_rule=rules.get(key, TriggerRule())) for key in keys)


def edges(*arrows: str) -> tuple[Edge, ...]:
    """Edges such as ``a -> b``, or ``a -x b`` on failure, or ``a -* b`` on any end."""
    return tuple(
        Edge(source=TaskKey(source), target=TaskKey(target), condition=CONDITIONS[arrow])
        for source, arrow, target in (text.split() for text in arrows)
    )


def dag(own: tuple[Task, ...], *arrows: str, **fields: Any) -> Dag:  # noqa: ANN401 - as above
    """A DAG of these tasks and edges."""
    plain: dict[str, Any] = {
        "tenant": ACME,
        "dag_id": dag_id_for_key(ACME, "nightly"),
        "version": 1,
        "name": "nightly",
        "tasks": own,
        "edges": edges(*arrows),
        "created_at": NOW,
        "updated_at": NOW,
        "request_hash": "hash",
    }
    return Dag(**(plain | fields))
