"""The streams of a world's tables, read as their readers would."""

from dataclasses import dataclass

from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_from_fields
from timegate.adapters.dynamo.operations.operation_items import OPERATION_SK, operation_from_fields
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.keys import DAG_RUN_SK, Key
from timegate.adapters.memory.engine import Change, MemoryEngine
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.operations.operation import Operation
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """One change of an attempt, as the stream shows it; no ``before`` means it is new."""

    before: Attempt | None
    after: Attempt


class StreamImages:
    """Changes of attempts, operations and DAG runs, oldest first; each is read once."""

    def __init__(self, engine: MemoryEngine, *, jobs: str, runs: str) -> None:
        self.engine = engine
        self._jobs_table = jobs
        self._runs_table = runs
        self._seen = 0
        self._images: list[Image] = []
        self._operations: list[Operation] = []
        self._dag_runs: list[DagRun] = []
        #: The attempts as last read, with the items they were read from.
        self._last: dict[Key, tuple[Fields, Attempt]] = {}

    @property
    def images(self) -> list[Image]:
        """Return every change of an attempt that its readers understand."""
        self._read()
        return self._images

    @property
    def operation_images(self) -> list[Operation]:
        """Return every change of an operation."""
        self._read()
        return self._operations

    @property
    def dag_run_images(self) -> list[DagRun]:
        """Return every change of a DAG run."""
        self._read()
        return self._dag_runs

    def _read(self) -> None:
        changes = self.engine.changes
        while self._seen < len(changes):
            self._file(changes[self._seen])
            self._seen += 1

    def _file(self, change: Change) -> None:
        after = change.after
        if after is None:
            return
        if change.table == self._jobs_table:
            if change.key.sk == OPERATION_SK:
                self._operations.append(operation_from_fields(after))
        elif change.key.sk == DAG_RUN_SK:
            self._dag_runs.append(dag_run_from_fields(after))
        elif "state" in after:
            self._file_attempt(change, after)

    def _file_attempt(self, change: Change, after: Fields) -> None:
        try:
            before = self._attempt(change.key, change.before) if change.before else None
            read = self._attempt(change.key, after)
        except Malformed:
            # The stream's readers reject it, and look at its neighbours.
            return
        self._images.append(Image(before=before, after=read))

    def _attempt(self, key: Key, item: Fields) -> Attempt:
        known = self._last.get(key)
        if known is not None and known[0] is item:
            return known[1]
        read = attempt_from_fields(item)
        self._last[key] = (item, read)
        return read
