"""Writes of new jobs with their first runs: one transaction, or one write after the other."""

from collections.abc import Callable, Sequence

from timegate.adapters.dynamo.jobs.job_items import is_barred
from timegate.adapters.dynamo.limits.ample_room import AmpleRoom
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, job_key
from timegate.adapters.dynamo.tables.values import stored
from timegate.adapters.dynamo.tables.writes import Insert, Put, Write
from timegate.domain.execution.quota_usage import is_counted
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Throttled

#: Writes of a new job, and after them those of its first runs.
Opening = Callable[[Job, Sequence[Attempt]], list[Write | Put]]


class OpenedJobs:
    """New jobs and their first runs.

    A member of a transaction costs twice as much as the same write alone. So a job is stored after
    its run where no tally counts it, its record tells of its creation, nothing else is stored with
    them, and the run is offered to no pool.
    """

    def __init__(self, engine: Engine, *, table: str, tally: QuotaTally, opening: Opening) -> None:
        self._engine = engine
        self._table = table
        self._tally = tally
        self._opening = opening
        self._room = AmpleRoom(tally)

    def create(
        self, job: Job, attempts: Sequence[Attempt], *, limit: int | None, repeatable: bool
    ) -> bool:
        """Store a job and its runs; ``False``: its id, its key or its run exists.

        Raises ``QuotaExceeded``, and ``Throttled`` where another process barred the creation.
        """
        job, attempts = self._room.opened(job, attempts, limit=limit)
        writes = self._opening(job, attempts)
        if job.timing.untallied and job.timing.offer is None:
            match writes:
                case [Insert() as new, Insert() as run] if new.fields.get("creation") is not None:
                    return self._run_first(job, new, run, repeatable=repeatable)
        counts = (False, is_counted(job.timing))
        return self._tally.write((job.tenant, job.job_id), writes, counts=counts, limit=limit)

    def _run_first(self, job: Job, new: Insert, run: Insert, *, repeatable: bool) -> bool:
        """Store the run, which is watched, and then its job: no crash leaves a job without it."""
        key = job_key(job.tenant, job.job_id)
        if repeatable and self._engine.get(self._table, key, fields=("pk",)) is not None:
            # A run of another instant would be none of the job's.
            return False
        if not self._store(run):
            return False
        if self._store(new):
            return True
        found = self._engine.get(self._table, key)
        if found is None or is_barred(found):
            raise Throttled("The creation of the job took too long: repeat the request.")
        return False

    def _store(self, insert: Insert) -> bool:
        """Store an item unless another one is there; an answer may have been lost on its way."""
        if self._engine.write(insert).done:
            return True
        key = Key(pk=str(insert.fields["pk"]), sk=str(insert.fields["sk"]))
        return self._engine.get(insert.table, key) == stored(insert.fields)
