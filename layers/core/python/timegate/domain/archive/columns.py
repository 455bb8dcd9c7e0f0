"""Columns of archived records: the files, the Glue tables and the readers have these."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from timegate.value_classes import dataclass

#: A cell: text, a number, microseconds since 1970, or nothing.
Cell = str | int | None


class RecordKind(StrEnum):
    """Kinds of archived records. Its value is the folder of its files, and its Glue table."""

    ATTEMPTS = "attempts"
    GAPS = "gaps"
    AUDIT = "audit"
    DAG_RUNS = "dag_runs"
    DAG_TASKS = "dag_tasks"


class CellKind(StrEnum):
    """Kinds of cells. Its value is the type of the column in Glue."""

    TEXT = "string"
    NUMBER = "bigint"
    #: In UTC, to the millisecond.
    INSTANT = "timestamp"


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column of a kind of records."""

    name: str
    kind: CellKind
    meaning: str


def _text(name: str, meaning: str) -> Column:
    return Column(name=name, kind=CellKind.TEXT, meaning=meaning)


def _number(name: str, meaning: str) -> Column:
    return Column(name=name, kind=CellKind.NUMBER, meaning=meaning)


def _instant(name: str, meaning: str) -> Column:
    return Column(name=name, kind=CellKind.INSTANT, meaning=meaning)


#: The whole item, less keys that sign tokens.
_RECORD = _text("record", "The whole record as JSON, less the key that signs its tokens.")

COLUMNS: Mapping[RecordKind, Sequence[Column]] = {
    RecordKind.ATTEMPTS: (
        _text("run_id", "The run, as the API names it."),
        _text("job_id", "The job, or the DAG run of a task."),
        _number("attempt", "The number of the attempt, from 1."),
        _text("origin", "s: schedule, t: trigger, n: notification, d: task, f: follow-up."),
        _instant("scheduled_at", "The nominal instant of the run."),
        _instant("due_at", "When the attempt was due."),
        _instant("created_at", "When its record was created."),
        _instant("started_at", "When its last lease began; null: it never started."),
        _instant("ended_at", "When it ended."),
        _text("state", "How it ended: succeeded, failed, skipped and so on."),
        _text("reason", "Why it ended so."),
        _number("job_version", "The version of the job."),
        _text("priority", "Its priority."),
        _text("resource_class", "Its resource class."),
        _number("fence", "The last fence that was given out for it."),
        _text("error_code", "The stable code of its error."),
        _text("error_type", "The error's own type."),
        _text("error_message", "The error's message."),
        _text("explanation", "The attempt's end in words."),
        _text("result", "What the target answered, cut to an excerpt."),
        _RECORD,
    ),
    RecordKind.GAPS: (
        _text("job_id", "The job."),
        _instant("first_instant", "The first instant that became no run."),
        _instant("last_instant", "The last one."),
        _number("instants", "How many there are."),
        _text("reason", "Why they became no runs."),
        _number("job_version", "The version of the job that named them."),
        _instant("recorded_at", "When the gap was recorded."),
        _RECORD,
    ),
    RecordKind.AUDIT: (
        _text("position", "The entry's place in the trail: its instant and a digest."),
        _instant("changed_at", "When the change was made."),
        _text("resource_kind", "The kind of what was changed."),
        _text("resource_id", "Its id."),
        _text("subject", "Who changed it, as the token says."),
        _text("operation", "The operation of the API."),
        _text("request_id", "The request."),
        _text("changes", "Field, value before and value after, as JSON."),
        _RECORD,
    ),
    RecordKind.DAG_RUNS: (
        _text("dag_run_id", "The DAG run."),
        _text("dag_id", "The DAG."),
        _number("dag_version", "The version of the DAG that it kept to."),
        _text("trigger", "What started it: manual, job, event."),
        _instant("scheduled_at", "The nominal instant of the runs of its tasks."),
        _instant("created_at", "When it was started."),
        _instant("ended_at", "When it ended."),
        _text("status", "How it ended: succeeded, failed, cancelled or timed_out."),
        _text("reason", "Why it was stopped."),
        _number("round", "How often it had begun: 1, and one more with each retry."),
        _number("tasks", "How many tasks it has."),
        _RECORD,
    ),
    RecordKind.DAG_TASKS: (
        _text("dag_run_id", "The DAG run."),
        _text("task", "The task's key."),
        _number("round", "The round in which it ended."),
        _instant("started_at", "When it started; null: it never did."),
        _instant("ended_at", "When it ended."),
        _text("state", "How it ended: succeeded, failed, skipped and so on."),
        _text("reason", "Why it ended so."),
        _number("attempts", "How often its run was tried."),
        _text("error_code", "The stable code of its error."),
        _text("error_type", "The error's own type."),
        _text("error_message", "The error's message."),
        _text("result", "Its result, cut to an excerpt."),
        _RECORD,
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedRow:
    """One record on its way into a file: its tenant, its day and its cells by column."""

    kind: RecordKind
    tenant: str
    #: ``2026-11-26``, in UTC.
    day: str
    cells: Mapping[str, Cell]
