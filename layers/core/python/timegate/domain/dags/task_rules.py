"""Rules of a task: its spec is a job's, its edges meet its rule, its references name ancestors."""

import json
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_secret
from timegate.domain.dags.definition import Dag, InlineTask, Task
from timegate.domain.dags.expressions import MEMBER_ROOTS, names_in
from timegate.domain.dags.graph_rules import unknown_task
from timegate.domain.dags.task_job import task_job
from timegate.domain.dags.templates import references
from timegate.domain.dags.waits import WaitTask, wait_problems
from timegate.domain.jobs.rules.call_rules import check_payload
from timegate.domain.jobs.rules.job_rules import check_limits
from timegate.domain.jobs.rules.policy_rules import Policies, check_policies
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, TaskKey
from timegate.domain.values.payload import check_payload_size
from timegate.value_classes import dataclass

#: Stands for the job that a task is while it does not run.
_NO_JOB = JobId("a" * 26)
_NO_REFERENCE = 'A reference is {"$ref": "<JMESPath>"}; beside it stands a default or nothing.'


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskPlace:
    """A task's place in its DAG."""

    #: Such as ``tasks.3``.
    field: str
    keys: AbstractSet[TaskKey]
    #: ``None`` for a task on or behind a cycle, for which there is no estimate.
    ancestors: AbstractSet[TaskKey] | None


def spec_problems(dag: Dag, task: Task, field: str, rules: TargetRules) -> Iterator[InvalidInput]:
    """List what the rules of jobs, of tasks or of waits refuse of a spec."""
    spec = task.spec
    if isinstance(spec, WaitTask):
        yield from wait_problems(spec, f"{field}.wait")
        yield from _beside_wait(dag, task, spec, field)
        yield from _secret_problems(dag, spec, f"{field}.wait.link_secret", rules)
    if not isinstance(spec, InlineTask):
        return
    job = task_job(dag, task, spec, _NO_JOB)
    checks: tuple[Callable[[], object], ...] = (
        lambda: spec.action.check(rules, dag.tenant),
        lambda: check_limits(job),
        lambda: check_policies(Policies.of(job)),
        lambda: _check_own_payload(spec),
        lambda: _check_beside(dag, task, spec),
    )
    for check in checks:
        try:
            check()
        except InvalidInput as problem:
            yield _within(f"{field}.job", problem)


def reference_problems(task: Task, place: TaskPlace) -> Iterator[InvalidInput]:
    """References that cannot be read, or to tasks that do not end before this one begins."""
    if task.fan_out is not None:
        yield from _problems_of(task.fan_out.over, f"{place.field}.fan_out.over", place)
    if isinstance(task.spec, WaitTask) and task.spec.event is not None:
        field = f"{place.field}.wait.event.correlation"
        yield from _template_problems(task.spec.event.correlation, field, place)
    if task.input is None:
        return
    field = f"{place.field}.input"
    try:
        check_payload_size(task.input)
    except InvalidInput as problem:
        yield InvalidInput(field, problem.code, problem.detail)
    members = MEMBER_ROOTS if task.fan_out is not None else frozenset()
    yield from _template_problems(task.input, field, place, members)


def _template_problems(
    template: str, field: str, place: TaskPlace, members: AbstractSet[str] = frozenset()
) -> Iterator[InvalidInput]:
    for where, expression in references(json.loads(template), field):
        if expression is None:
            yield InvalidInput(where, "invalid_reference", _NO_REFERENCE)
        else:
            yield from _problems_of(expression, where, place, members)


def _problems_of(
    expression: str, field: str, place: TaskPlace, members: AbstractSet[str] = frozenset()
) -> Iterator[InvalidInput]:
    try:
        names = names_in(expression)
    except InvalidInput as problem:
        yield InvalidInput(field, problem.code, problem.detail)
        return
    for root in sorted((names.roots & MEMBER_ROOTS) - members):
        detail = f"{root} is known in the input of a task with a fan_out only."
        yield InvalidInput(field, "unknown_reference", detail)
    for key in names.tasks:
        if key not in place.keys:
            yield unknown_task(field, key, set(place.keys))
        elif place.ancestors is not None and key not in place.ancestors:
            detail = f"Nothing says that {key} ends first: no edges lead from it to this task."
            yield InvalidInput(field, "not_an_ancestor", detail)


def _check_own_payload(spec: InlineTask) -> None:
    if spec.payload is not None:
        check_payload(spec.action, spec.payload, spec.payload_marks)


def _check_beside(dag: Dag, task: Task, spec: InlineTask) -> None:
    if isinstance(spec.action, DagAction):
        detail = "A task of a DAG starts no DAG: they could start each other for ever."
        raise InvalidInput("action.type", "not_for_a_task", detail)
    if spec.payload is not None and task.input is not None:
        detail = "The task has an input as well, and only one of them can be sent."
        raise InvalidInput("payload", "contradictory", detail)
    if spec.payload is not None and task.fan_out is not None:
        detail = "A member is sent its element, or what the task's input makes of it."
        raise InvalidInput("payload", "contradictory", detail)
    if spec.payload_marks is not None and spec.payload is None:
        detail = "Marks stand in the task's own payload; its input is filled by its references."
        raise InvalidInput("payload_marks", "without_effect", detail)
    if spec.overlap.policy is not OverlapPolicy.ALLOW and spec.overlap.concurrency_key is None:
        detail = "A task has no slots of its own: name those that it shares."
        raise InvalidInput("overlap.concurrency_key", "required", detail)
    if spec.timeout_seconds > dag.timeout_seconds:
        detail = f"A run of the DAG may take {dag.timeout_seconds} s (timeout_seconds)."
        raise InvalidInput("timeout_seconds", "too_large", detail)


def _beside_wait(dag: Dag, task: Task, spec: WaitTask, field: str) -> Iterator[InvalidInput]:
    if (spec.seconds or 0) > dag.timeout_seconds:
        detail = f"A run of the DAG may take {dag.timeout_seconds} s (timeout_seconds)."
        yield InvalidInput(f"{field}.wait.seconds", "too_large", detail)
    for name in ("fan_out", "input", "priority"):
        if getattr(task, name) is not None:
            detail = "A wait task makes no run."
            yield InvalidInput(f"{field}.{name}", "not_for_a_wait", detail)


def _secret_problems(
    dag: Dag, spec: WaitTask, field: str, rules: TargetRules
) -> Iterator[InvalidInput]:
    if spec.link_secret is None:
        return
    try:
        check_secret(spec.link_secret, field, rules, dag.tenant)
    except InvalidInput as problem:
        yield problem


def _within(field: str, problem: InvalidInput) -> InvalidInput:
    inner = "" if problem.field == "job" else f".{problem.field}"
    return InvalidInput(f"{field}{inner}", problem.code, problem.detail)


def places(
    dag: Dag, ancestors: Mapping[TaskKey, AbstractSet[TaskKey]]
) -> Iterator[tuple[Task, TaskPlace]]:
    """Every task, and where it stands."""
    keys = frozenset(task.key for task in dag.tasks)
    for number, task in enumerate(dag.tasks):
        field = f"tasks.{number}"
        yield task, TaskPlace(field=field, keys=keys, ancestors=ancestors.get(task.key))
