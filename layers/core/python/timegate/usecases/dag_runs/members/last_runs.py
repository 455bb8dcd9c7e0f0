"""The last attempts at tasks' runs: read at once where they are few, else task by task."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.tasks.cancel_task_run import last_attempts

#: Runs that are read at once: a page or two.
FEW = 1_000


class LastRuns:
    """Reads runs of a DAG run's tasks when they are asked for."""

    def __init__(self, run: DagRun, tasks: Sequence[TaskProgress], works: DagWorks) -> None:
        self._run, self._works = run, works
        self._are_few = sum(map(_width, tasks)) <= FEW

    def of(self, task: TaskProgress) -> Mapping[RunId, Attempt]:
        """Return the last attempts at a task's runs, and at others' where all were read."""
        return self._all if self._are_few else self.anew(task)

    def anew(self, task: TaskProgress) -> Mapping[RunId, Attempt]:
        """Return the last attempts at a task's runs as they are by now."""
        attempts: list[Attempt] = []
        earlier = task.members.earlier.values() if task.members is not None else ()
        for in_round in sorted({task.round, *earlier}):
            attempts += self._works.dag_runs.attempts(self._run, key=task.key, in_round=in_round)
        return last_attempts(attempts)

    @cached_property
    def _all(self) -> Mapping[RunId, Attempt]:
        return last_attempts(self._works.dag_runs.attempts(self._run))


def _width(task: TaskProgress) -> int:
    return task.members.width if task.members is not None else 1
