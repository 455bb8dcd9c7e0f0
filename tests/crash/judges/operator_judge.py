"""Judge a DAG run with which an operator interferes, by telling a story of it."""

from collections.abc import Sequence

from tests.crash.faults import Call
from tests.crash.judges.dag_judge import DagJudge, Moment, dag_run_of, key_of, tasks_of
from tests.crash.services.tables import Item
from tests.property.dag_runs.dag_story import Seen, Story
from tests.property.dags.dag_strategies import Fate
from timegate.domain.dags.definition import Dag
from timegate.domain.values.identity import TaskKey

_FORCED = {"complete": "succeeded", "skip": "skipped"}


class OperatorJudge(DagJudge):
    """Looks before each write as well: what an operator decides depends on what was there then."""

    def __init__(self, own: Dag, fate: Fate, *, branch: bool = True) -> None:
        super().__init__(own)
        self._story = Story(own, fate)
        self._branch = branch
        #: Moments before writes, until the judge looks; who wrote, and the newest process then.
        self._moments: list[tuple[Moment, Call, int]] = []
        #: The last writer, and the newest process when an operator interfered.
        self._writer = self._newest = 0
        #: The moment before the latest write of a request.
        self._before: Moment | None = None
        self._known: dict[str, tuple[str, str]] = {}
        #: Runs begun when an operator interfered, or begun in vain after that.
        self._early: set[str] = set()
        #: How often he did, and how often the DAG run had ended and was opened anew by that.
        self.interventions = self.reopened = 0

    def notice(self, call: Call, runs: Sequence[Item], newest: int) -> None:
        """A call is about to write. It judges nothing: that would be an error of the call."""
        now = Moment.of(runs)
        if now is not None:
            self._moments.append((now, call, newest))

    def look(self, runs: Sequence[Item]) -> None:
        """Judge it like any DAG run, and tell the story of an operator's decision."""
        moments, self._moments = self._moments, []
        for moment, call, newest in moments:
            self.see(moment)
            self._writer = call.process
            if call.function == "api":
                self._before, self._newest = moment, newest
        super().look(runs)

    def see(self, now: Moment) -> None:
        """Judge a moment like ``look``."""
        for key, intervention in now.interventions.items():
            if self._known.get(key) != intervention:
                self._known[key] = intervention
                self._tell(TaskKey(key), intervention[0])
        new = now.begun.keys() - (self._seen.begun.keys() if self._seen else ())
        self._early |= {name for name in new if self._is_in_vain(now.begun[name][1], now)}
        super().see(now)

    def _is_in_vain(self, key: str, now: Moment) -> bool:
        """The process had begun before the operator decided; and what it starts is cancelled."""
        return self._is_leaving(key, now) and self._writer <= self._newest

    def _is_leaving(self, key: str, now: Moment) -> bool:
        place = [task.key for task in self._dag.tasks].index(TaskKey(key))
        is_asked = now.status == "reopening" and place in now.repeats
        return is_asked and now.tasks[key][0] < now.round

    def _tell(self, key: TaskKey, kind: str) -> None:
        before = self._before
        assert before is not None, f"no operator has asked for {kind} of {key}"
        self.interventions += 1
        self.reopened += before.is_over
        self._early |= before.begun.keys()
        begun = {TaskKey(each) for each, (_, s) in before.tasks.items() if s != "pending"}
        seen = Seen(begun=frozenset(begun), ended=frozenset(before.ended()), over=before.is_over)
        self._story.tell_on(until=before.round)
        if kind == "rerun":
            self._story.rerun(key, seen, branch=self._branch)
        else:
            self._story.decide(key, _FORCED[kind], seen)

    def assert_told(self, runs: Sequence[Item]) -> None:
        """Assert that it came to what the story says, and that each task ran in its round, once."""
        self._story.tell_on()
        tasks, run = tasks_of(runs), dag_run_of(runs)
        assert run is not None
        assert {key: state for key, (_, state) in tasks.items()} == self._story.outlook()
        ended = run["status"]["S"], int(run["round"]["N"])
        assert ended == (self._story.status(), self._story.round)
        rounds = {key: self._story.rounds.get(TaskKey(key), 1) for key in tasks}
        assert {key: number for key, (number, _) in tasks.items()} == rounds
        self._assert_begun(runs, rounds)

    def _assert_begun(self, runs: Sequence[Item], rounds: dict[str, int]) -> None:
        """Assert that repeated tasks ran again, and that each ran in its last round alone."""
        now = Moment.of(runs)
        assert now is not None
        forced = {
            key_of(item)
            for item in runs
            if "task_state" in item and item.get("reason") == {"S": "forced"}
        }
        last = {key for number, key in now.begun.values() if number == rounds[key]}
        ran = {key for key, (_, state) in now.tasks.items() if state != "skipped"}
        assert last - forced == ran - forced
        late = {
            name
            for name, (number, key) in now.begun.items()
            if number != rounds[key] and name not in self._early
        }
        assert not late, f"{late} began when they were to be put back"
