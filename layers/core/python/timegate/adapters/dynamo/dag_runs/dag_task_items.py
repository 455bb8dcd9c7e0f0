"""Tasks of DAG runs as items."""

from collections.abc import Mapping
from zlib import crc32

from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_id_of
from timegate.adapters.dynamo.runs.items.index_items import (
    FAILURE_FIELDS,
    FAILURE_PARTS,
    tenant_partition,
)
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import task_key
from timegate.adapters.dynamo.tables.reading import mapping, number_set, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dag_runs.progress import Members, TaskProgress
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.instants import compact

Fields = Mapping[str, Plain]

#: Partitions in which approvals lie: no listing of failures reads them.
APPROVAL_PARTS = tuple(f"asks{part}" for part in range(FAILURE_PARTS))

#: Sets of members that have ended.
_ENDS = ("members_succeeded", "members_failed")
_NAMES = {"state": "task_state"}
#: Fields that are written at their default as well: conditions name them.
_ALWAYS = ("state", "round")
_TASK = Part(TaskProgress, without=("dag_run_id", "key", "members"), names=_NAMES, always=_ALWAYS)
_DECIDED = Part(TaskProgress, only=("satisfied", "unsatisfied"))
#: The fields that change with the state.
_STATE = Part(
    TaskProgress,
    only=(
        *(
            *_ALWAYS,
            "started_at",
            "waits_until",
            "asks",
            "correlation",
            "event",
            "ended_at",
            "attempts",
            "reason",
        ),
        *("error", "result", "stored_result", "intervention"),
    ),
    names=_NAMES,
    always=_ALWAYS,
)
_MEMBER_NAMES = {each: f"members_{each}" for each in ("succeeded", "failed", "skipped")}
_MEMBERS = Part(Members, without=("earlier",), names=_MEMBER_NAMES)
#: Without the ends of members, which are counted one by one.
_DECIDED_MEMBERS = Part(Members, only=("width", "is_complete", "skipped"), names=_MEMBER_NAMES)


def task_to_fields(task: TaskProgress, *, expires_at: int) -> dict[str, Plain]:
    """The whole item of a task of a DAG run."""
    key = task_key(task.tenant, task.dag_run_id, task.key)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_TASK.fields(task),
        "expires_at": expires_at,
        **task_state_fields(task),
    }


def decided_fields(task: TaskProgress) -> dict[str, Plain]:
    """Build the sets of decided edges."""
    return _DECIDED.fields(task)


def task_state_fields(task: TaskProgress) -> dict[str, Plain]:
    """Build the fields that change with the state; the ends of members are counted apart."""
    members = task.members
    return {
        **_STATE.fields(task),
        "result": task.result or None,
        **(_DECIDED_MEMBERS.fields(members) if members is not None else _DECIDED_MEMBERS.unset),
        "members_earlier": _earlier_to_field(members),
        **approval_fields(task),
    }


def approval_fields(task: TaskProgress) -> dict[str, Plain]:
    """The place in the index ``failures`` of a task that asks a person; else there is none.

    The write that ends the wait takes it out.
    """
    if not task.is_waiting or not task.asks or task.started_at is None:
        return dict.fromkeys(FAILURE_FIELDS)
    name = f"{task.dag_run_id}#{task.key}"
    part = APPROVAL_PARTS[crc32(name.encode()) % len(APPROVAL_PARTS)]
    return {
        "failure_part": tenant_partition(task.tenant, part),
        "failure_at": f"{compact(task.started_at)}#{name}",
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
    own = _TASK.arguments(fields)
    # A request that was repeated has left its token twice.
    own["tokens"] = tuple(dict.fromkeys(own.get("tokens", ())))
    return TaskProgress(
        dag_run_id=dag_run_id_of(fields),
        key=TaskKey(text(fields["sk"]).partition("#")[2]),
        members=_members(fields),
        **own,
    )


def _members(fields: Fields) -> Members | None:
    if "width" not in fields:
        return None
    return _MEMBERS.read(
        fields,
        earlier={
            index: int(its_round)
            for its_round, indices in mapping(fields.get("members_earlier")).items()
            for index in number_set(indices)
        },
    )
