"""Payloads of a task's runs: references to parameters and results, looked up."""

import json
from collections.abc import Mapping
from datetime import timedelta

from timegate.domain.dag_runs.fan_out import elements
from timegate.domain.dag_runs.progress import TaskProgress
from timegate.domain.dags.evaluation import Budget
from timegate.domain.dags.references import (
    InputError,
    as_value,
    expressions,
    look_up,
    name_parameters,
    named_tasks,
    resolve,
)
from timegate.domain.events.awaited_event import AwaitedEvent, correlation_text
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run_result import was_cut
from timegate.domain.values.corrupt_record import BlobMissing
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId, TaskKey
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import Payload, PayloadMismatch
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.runs.store_payload import load_payload, store_run_payload

#: S3 copies a text that another region stored sooner.
COPIED_WITHIN = timedelta(minutes=15)


def payloads(
    course: Course, task: TaskProgress, governor: Job, works: DagWorks
) -> list[Payload | None]:
    """One for each run of a task, a single one unless it fans out; ``None``: its spec's own.

    Raises ``InputError`` for what cannot be found, ``InvalidInput`` for what becomes too large, or
    does not fit the schema of the job that the task names.
    """
    defined = course.task(task.key)
    if defined.fan_out is None and defined.input is None:
        if not governor.payload.is_given:
            _check_fit(governor, None)
        return [None]
    texts = expressions(defined.input)
    if defined.fan_out is not None:
        texts = (*texts, defined.fan_out.over)
    data, budget = _data(course, task, texts, works), Budget()
    if defined.fan_out is None:
        text = resolve(defined.input or "null", data, budget)
        return [_stored(course, text, governor, works)]
    found = look_up(defined.fan_out.over, data, budget)
    template = defined.input or '{"$ref":"item","default":null}'
    return [
        _of_member(
            course,
            index,
            resolve(template, {**data, "item": item, "index": index}, budget),
            governor,
            works,
        )
        for index, item in enumerate(elements(defined.fan_out, found))
    ]


def correlation(course: Course, task: TaskProgress, awaited: AwaitedEvent, works: DagWorks) -> str:
    """Return the key of the event that a task waits for, or raise as ``payloads``."""
    template = awaited.correlation
    data = _data(course, task, expressions(template), works)
    return correlation_text(json.loads(resolve(template, data, Budget())))


def _of_member(course: Course, index: int, text: str, governor: Job, works: DagWorks) -> Payload:
    try:
        return _stored(course, text, governor, works)
    except PayloadMismatch as misfit:
        raise InputError(misfit.code, f"Member {index}: {misfit.detail}") from misfit


def _check_fit(governor: Job, text: str | None) -> None:
    if governor.payload_schema is None:
        return
    # Imported here: few jobs have schemas.
    from timegate.domain.jobs.rules.call_rules import check_fit  # noqa: PLC0415

    check_fit(governor, text)


def _stored(course: Course, text: str, governor: Job, works: DagWorks) -> Payload:
    _check_fit(governor, text)
    owner, pointers = JobId(course.run.dag_run_id), governor.key_pointers
    return store_run_payload(text, course.run.tenant, owner, works.blobs, pointers=pointers)


def _data(
    course: Course, task: TaskProgress, texts: tuple[str, ...], works: DagWorks
) -> Mapping[str, object]:
    """Read the parameters and results that references name, and nothing else."""
    run = course.run
    earlier = course.graph.ancestors()[task.key] if texts else frozenset()
    named = sorted(named_tasks(texts) & earlier)
    done = works.dag_runs.some_tasks(run.tenant, run.dag_run_id, named) if named else ()
    return {
        "parameters": _parameters(course, works) if name_parameters(texts) else {},
        "run": {
            "dag_run_id": run.dag_run_id,
            "dag_id": run.dag_id,
            "scheduled_at": rfc3339(run.scheduled_at),
        },
        "tasks": _results(done, works),
    }


def _parameters(course: Course, works: DagWorks) -> object:
    run = course.run
    try:
        return json.loads(load_payload(run.parameters, works.blobs) or "{}")
    except BlobMissing as gone:
        if works.clock.now() < run.created_at + COPIED_WITHIN:
            # Another region stored them: the next look may find them.
            raise
        detail = "The parameters of the DAG run have expired or are lost: start another one."
        raise InputError("parameters_expired", detail) from gone


def _results(done: tuple[TaskProgress, ...], works: DagWorks) -> dict[TaskKey, object]:
    return {
        task.key: {"state": task.state.value, "result": as_value(whole_result(task, works))}
        for task in done
    }


def whole_result(task: TaskProgress, works: DagWorks) -> str | None:
    """All that a task's run answered; raises ``InputError`` where it was cut, or has expired."""
    if task.stored_result is not None:
        try:
            return works.blobs.get(task.stored_result.blob)
        except Malformed as gone:
            # A round on request may come long after the result: to try again would not end.
            detail = f"What task {task.key} answered has expired: run that task again as well."
            raise InputError("result_expired", detail) from gone
    if task.result is not None and was_cut(task.result):
        detail = f"What task {task.key} answered was too large to be kept whole."
        raise InputError("result_too_large", detail)
    return task.result
