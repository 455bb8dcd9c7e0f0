"""Judge a DAG run by its raw items, and against an oracle of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tests.crash.judges.checker import ENDED, Row, rows_of
from tests.crash.services.tables import Item
from tests.property.dag_runs.dag_oracle import wants
from timegate.domain.dags.definition import Dag
from timegate.domain.values.identity import TaskKey

_ENDED_RUNS = frozenset({"succeeded", "failed", "cancelled", "timed_out"})


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A DAG run as it is at a moment."""

    round: int
    status: str
    #: Places of the tasks that are being put back.
    repeats: frozenset[int]
    #: Round and state of each task.
    tasks: dict[str, tuple[int, str]]
    #: Kind and instant of each task's intervention by an operator.
    interventions: dict[str, tuple[str, str]]
    #: Round and key of every task's run that has begun, by its name.
    begun: dict[str, tuple[int, str]]

    @classmethod
    def of(cls, runs: Sequence[Item]) -> Self | None:
        """Read the moment off the raw items; ``None``: there is no DAG run yet."""
        run = dag_run_of(runs)
        if run is None:
            return None
        return cls(
            round=int(run["round"]["N"]),
            status=str(run["status"]["S"]),
            repeats=frozenset(int(place) for place in run.get("repeats", {}).get("NS", ())),
            tasks=tasks_of(runs),
            interventions=_interventions_of(runs),
            begun={row.run: mark_of(row)[:2] for row in task_rows(runs)},
        )

    @property
    def is_over(self) -> bool:
        """The DAG run has ended."""
        return self.status in _ENDED_RUNS

    def ended(self) -> dict[TaskKey, str]:
        """The states of the tasks that have ended."""
        return {TaskKey(key): state for key, (_, state) in self.tasks.items() if state in ENDED}


class DagJudge:
    """Looks at one DAG run after each invocation, and remembers what it saw."""

    def __init__(self, own: Dag) -> None:
        self._dag = own
        self._seen: Moment | None = None

    def look(self, runs: Sequence[Item]) -> None:
        """Assert that tasks and the DAG run only go forward, and what begins may begin.

        An approval is in its tenant's index while it waits, and no other task is.
        """
        for item in runs:
            if "task_state" in item:
                waits = item["task_state"]["S"] == "running" and "asks" in item
                assert ("failure_part" in item) is waits, f"{key_of(item)} waits unlisted, or not"
        now = Moment.of(runs)
        if now is not None:
            self.see(now)

    def see(self, now: Moment) -> None:
        """Judge a moment like ``look``."""
        before, self._seen = self._seen, now
        if before is not None:
            for key, task in now.tasks.items():
                _goes_forward(key, before.tasks.get(key), task, ENDED)
            was, is_now = (before.round, before.status), (now.round, now.status)
            _goes_forward("the DAG run", was, is_now, _ENDED_RUNS)
        for name in now.begun.keys() - (before.begun.keys() if before else ()):
            self._may_begin(name, now)

    def _may_begin(self, name: str, now: Moment) -> None:
        number, key = now.begun[name]
        assert now.tasks[key][0] == number, f"{name} belongs to no round of {key}"
        wanted = wants(self._dag, TaskKey(key), now.ended())
        may = wanted is True or self._is_in_vain(key, now)
        assert may, f"{key} began before its edges held"

    def _is_in_vain(self, key: str, now: Moment) -> bool:
        """The step that starts it could not know that it is about to be put back."""
        del key, now
        return False

    def look_at_end(self, runs: Sequence[Item]) -> None:
        """Assert that all has ended, and nothing is missing."""
        run, tasks = dag_run_of(runs), tasks_of(runs)
        assert run is not None, "there is no DAG run"
        assert run["status"]["S"] in _ENDED_RUNS, f"the DAG run is {run['status']['S']}"
        assert sorted(tasks) == sorted(task.key for task in self._dag.tasks)
        assert {state for _, state in tasks.values()} <= ENDED, tasks
        assert len(run["ended"]["NS"]) == len(tasks), "an end was not counted"


def dag_run_of(runs: Sequence[Item]) -> Item | None:
    """The only DAG run there is."""
    found = [item for item in runs if item["sk"]["S"] == "dag-run"]
    assert len(found) <= 1, f"{len(found)} DAG runs were started"
    return found[0] if found else None


def tasks_of(runs: Sequence[Item]) -> dict[str, tuple[int, str]]:
    """Round and state of each task."""
    return {
        key_of(item): (int(item["round"]["N"]), str(item["task_state"]["S"]))
        for item in runs
        if "task_state" in item
    }


def task_rows(runs: Sequence[Item]) -> list[Row]:
    """The attempts at runs of tasks."""
    return [row for row in rows_of(runs) if row.run.startswith("d#")]


def mark_of(row: Row) -> tuple[int, str, int]:
    """Round, key and place, off ``d#<instant>#<round>-<key>-<place>``."""
    number, _, rest = row.run.rpartition("#")[2].partition("-")
    key, _, place = rest.rpartition("-")
    return int(number), key, int(place)


def _interventions_of(runs: Sequence[Item]) -> dict[str, tuple[str, str]]:
    return {
        key_of(item): (item["intervention"]["M"]["kind"]["S"], item["intervention"]["M"]["at"]["S"])
        for item in runs
        if "intervention" in item
    }


def key_of(item: Item) -> str:
    """The key of a task's item."""
    return str(item["sk"]["S"]).partition("#")[2]


def _goes_forward(
    name: str, before: tuple[int, str] | None, now: tuple[int, str], ended: frozenset[str]
) -> None:
    if before is None:
        return
    assert now[0] >= before[0], f"{name} fell back to round {now[0]}"
    over = before[1] in ended and now[0] == before[0]
    assert not over or now[1] == before[1], f"{name} had ended as {before[1]}, and is {now[1]}"
