"""What must hold of a DAG run, read off the raw items, and against an oracle of its own."""

from collections.abc import Mapping, Sequence

from tests.crash.checker import ENDED, Row, rows_of
from tests.crash.tables import Item
from tests.property.dag_oracle import wants
from timegate.domain.dag.definition import Dag, TaskKey

_ENDED_RUNS = frozenset({"succeeded", "failed", "cancelled", "timed_out"})


class DagJudge:
    """Looks at one DAG run after each invocation, and remembers what it saw."""

    def __init__(self, own: Dag) -> None:
        self._dag = own
        #: Of each task: its round and its state.
        self._tasks: dict[str, tuple[int, str]] = {}
        self._run: tuple[int, str] = (1, "opening")
        self._begun: set[str] = set()

    def look(self, runs: Sequence[Item]) -> None:
        """Assert that tasks and the DAG run only go forward, and what begins may begin."""
        run = dag_run_of(runs)
        if run is None:
            return
        tasks = tasks_of(runs)
        for key, (number, state) in tasks.items():
            _goes_forward(key, self._tasks.get(key), (number, state), ENDED)
        now = int(run["round"]["N"]), str(run["status"]["S"])
        _goes_forward("the DAG run", self._run, now, _ENDED_RUNS)
        for row in task_rows(runs):
            if row.run not in self._begun:
                self._begun.add(row.run)
                self._may_begin(row, tasks)
        self._tasks, self._run = tasks, now

    def _may_begin(self, row: Row, tasks: Mapping[str, tuple[int, str]]) -> None:
        number, key, _ = mark_of(row)
        ended = {TaskKey(each): s for each, (_, s) in tasks.items() if s in ENDED}
        assert tasks[key][0] == number, f"{row.run} belongs to no round of {key}"
        assert wants(self._dag, TaskKey(key), ended) is True, f"{key} began before its edges held"

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
        item["sk"]["S"].partition("#")[2]: (int(item["round"]["N"]), str(item["task_state"]["S"]))
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


def _goes_forward(
    name: str, before: tuple[int, str] | None, now: tuple[int, str], ended: frozenset[str]
) -> None:
    if before is None:
        return
    assert now[0] >= before[0], f"{name} fell back to round {now[0]}"
    over = before[1] in ended and now[0] == before[0]
    assert not over or now[1] == before[1], f"{name} had ended as {before[1]}, and is {now[1]}"
