"""DAG runs that move: each with its own tasks and rows, and no task without its DAG run."""

from collections.abc import Sequence

from timegate.adapters.dynamo.tables.engine import Engine, Fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.writes import Replace
from timegate.domain.dag_runs.progress import ENDED_STATUSES
from timegate.domain.moving.moved_kinds import MovedKind

#: Kinds of records that a DAG run has of its own.
_PARTS = frozenset({MovedKind.DAG_TASK, MovedKind.GOVERNOR, MovedKind.DAG_RUN_ROW})
_ENDED = frozenset(each.value for each in ENDED_STATUSES)
#: Fields that differ between two states of a task.
_MARKS = ("task_state", "round")


class MovedDagRuns:
    """DAG runs of a file, as far as the stage has them in the state that the file has.

    The file has ended DAG runs alone. Tasks of any other go on in the stage that began it, and
    those of an earlier end are none of a later one's.
    """

    def __init__(self, engine: Engine, table: str) -> None:
        self._engine = engine
        self._table = table
        self._as_in_file: set[str] = set()

    def left_out(self, kind: MovedKind, fields: Fields) -> bool:
        """Tell if a record belongs to a DAG run that the stage does not have as the file has it."""
        return kind in _PARTS and _partition(kind, fields) not in self._as_in_file

    def bring_up_to_date(
        self, kind: MovedKind, ours: Sequence[Fields], theirs: dict[Key, Fields]
    ) -> None:
        """Replace what an earlier import brought of a tenant that arrives.

        An operator may have had a DAG run go on in the stage that it leaves, and it has ended anew.
        """
        for each in ours:
            key = Key(pk=str(each["pk"]), sk=str(each["sk"]))
            found = theirs.get(key)
            if found is None or found == each or not _is_later(kind, each, found):
                continue
            marks = ("revision",) if kind is MovedKind.DAG_RUN else _MARKS
            where = {name: found[name] for name in marks if name in found}
            if self._engine.write(Replace(table=self._table, fields=each, where=where)).done:
                theirs[key] = each

    def note(self, ours: Sequence[Fields], theirs: dict[Key, Fields]) -> None:
        """Remember the DAG runs whose records are there as the file has them."""
        for each in ours:
            found = theirs.get(Key(pk=str(each["pk"]), sk=str(each["sk"])))
            if found is None or found.get("revision") == each.get("revision"):
                self._as_in_file.add(str(each["pk"]))


def _is_later(kind: MovedKind, ours: Fields, theirs: Fields) -> bool:
    """Tell if a DAG run has gone on since; its parts follow it, whose own state was judged."""
    if kind is not MovedKind.DAG_RUN:
        return kind in _PARTS
    revision, before = (number(each.get("revision", 0)) for each in (ours, theirs))
    return theirs.get("status") in _ENDED and revision >= before


def _partition(kind: MovedKind, fields: Fields) -> str:
    """Return the partition of the DAG run whose record it is; rows lie in that of their DAG."""
    if kind is not MovedKind.DAG_RUN_ROW:
        return str(fields["pk"])
    tenant = str(fields["pk"]).partition("#")[0]
    return f"{tenant}#{fields['dag_run_id']}"
