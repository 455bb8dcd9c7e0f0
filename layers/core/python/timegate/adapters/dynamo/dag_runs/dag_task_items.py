"""Tasks of DAG runs as items."""

from collections.abc import Mapping

from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_id_of, places_from, tokens_from
from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    optional_number,
    optional_text,
    text,
)
from timegate.adapters.dynamo.runs.items.attempt_items import error_from_field, error_to_field
from timegate.adapters.dynamo.runs.items.result_items import (
    stored_result_from_field,
    stored_result_to_field,
)
from timegate.adapters.dynamo.tables.keys import task_key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dag_runs.progress import (
    Intervention,
    InterventionKind,
    Members,
    TaskProgress,
    TaskState,
)
from timegate.domain.dags.definition import TaskKey
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]

#: Sets of members that have ended.
_ENDS = ("members_succeeded", "members_failed")


def task_to_fields(task: TaskProgress, *, expires_at: int) -> dict[str, Plain]:
    """The whole item of a task of a DAG run."""
    key = task_key(task.tenant, task.dag_run_id, task.key)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": task.tenant,
        "job_version": task.job_version,
        "expires_at": expires_at,
        "tokens": task.tokens or None,
        **decided_fields(task),
        **task_state_fields(task),
    }


def decided_fields(task: TaskProgress) -> dict[str, Plain]:
    """Build the sets of decided edges."""
    return {"satisfied": task.satisfied or None, "unsatisfied": task.unsatisfied or None}


def task_state_fields(task: TaskProgress) -> dict[str, Plain]:
    """Build the fields that change with the state; the ends of members are counted apart."""
    members = task.members
    return {
        "task_state": task.state,
        "round": task.round,
        "width": members.width if members is not None else None,
        "is_complete": members.is_complete if members is not None else None,
        "members_skipped": (members.skipped or None) if members is not None else None,
        "members_earlier": _earlier_to_field(members),
        "started_at": written(task.started_at),
        "ended_at": written(task.ended_at),
        "attempts": task.attempts or None,
        "reason": task.reason,
        "error": error_to_field(task.error),
        "result": task.result or None,
        "stored_result": stored_result_to_field(task.stored_result),
        "intervention": _intervention_to_field(task.intervention),
    }


def task_update(table: str, before: TaskProgress, after: TaskProgress) -> Update:
    """Another state of a task; of one that is put back, unless an edge was decided meanwhile.

    Tokens that were left stay, unless they were read and are dropped.
    """
    fields = task_state_fields(after)
    where: dict[str, Plain] = {"task_state": before.state, "round": before.round}
    gone: list[str] = []
    taken: dict[str, frozenset[int]] = {}
    if after.round != before.round:
        fields |= decided_fields(after)
        where |= decided_fields(before)
        taken, gone = _again(after.members), [] if after.members is not None else [*_ENDS]
        gone += ["tokens"] if before.tokens and not after.tokens else []
    return Update(
        table=table,
        key=task_key(before.tenant, before.dag_run_id, before.key),
        fields=fields,
        removed=gone,
        taken=taken,
        where=where,
    )


def _again(members: Members | None) -> dict[str, frozenset[int]]:
    """Build the sets of members whose ends do not count any more, of a fan-out that goes on."""
    if members is None:
        return {}
    again = frozenset(range(members.width)).difference(members.earlier)
    return dict.fromkeys(_ENDS, again) if again else {}


def _earlier_to_field(members: Members | None) -> Plain:
    """By rounds: there are few."""
    if members is None or not members.earlier:
        return None
    rounds: dict[str, set[int]] = {}
    for index, its_round in members.earlier.items():
        rounds.setdefault(str(its_round), set()).add(index)
    return {its_round: frozenset(indices) for its_round, indices in rounds.items()}


@reader_of("task")
def task_from_fields(fields: Fields) -> TaskProgress:
    """Read a task back; raises ``Malformed``."""
    return TaskProgress(
        tenant=TenantId(text(fields["tenant"])),
        dag_run_id=dag_run_id_of(fields),
        key=TaskKey(text(fields["sk"]).partition("#")[2]),
        state=TaskState(text(fields["task_state"])),
        round=number(fields["round"]),
        satisfied=places_from(fields.get("satisfied")),
        unsatisfied=places_from(fields.get("unsatisfied")),
        job_version=optional_number(fields.get("job_version")),
        members=_members(fields),
        started_at=optional_instant(fields.get("started_at")),
        ended_at=optional_instant(fields.get("ended_at")),
        attempts=number(fields.get("attempts", 0)),
        reason=optional_text(fields.get("reason")),
        error=error_from_field(fields.get("error")),
        result=optional_text(fields.get("result")),
        stored_result=stored_result_from_field(fields.get("stored_result")),
        tokens=tokens_from(fields.get("tokens")),
        intervention=_intervention_from_field(fields.get("intervention")),
    )


def _intervention_to_field(intervention: Intervention | None) -> Plain:
    if intervention is None:
        return None
    named: dict[str, Plain] = {
        "kind": intervention.kind,
        "by": intervention.by,
        "at": compact(intervention.at),
        "note": intervention.note,
        "key": intervention.key,
        "fingerprint": intervention.fingerprint,
        "members": frozenset(intervention.members) or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def _intervention_from_field(value: Plain) -> Intervention | None:
    if value is None:
        return None
    fields = mapping(value)
    return Intervention(
        kind=InterventionKind(text(fields["kind"])),
        by=text(fields["by"]),
        at=from_compact(text(fields["at"])),
        note=optional_text(fields.get("note")),
        key=optional_text(fields.get("key")),
        fingerprint=text(fields["fingerprint"]),
        members=tuple(sorted(places_from(fields.get("members")))),
    )


def _members(fields: Fields) -> Members | None:
    if "width" not in fields:
        return None
    return Members(
        width=number(fields["width"]),
        is_complete=fields.get("is_complete") is True,
        succeeded=places_from(fields.get("members_succeeded")),
        failed=places_from(fields.get("members_failed")),
        skipped=places_from(fields.get("members_skipped")),
        earlier={
            index: int(its_round)
            for its_round, indices in mapping(fields.get("members_earlier") or {}).items()
            for index in places_from(indices)
        },
    )
