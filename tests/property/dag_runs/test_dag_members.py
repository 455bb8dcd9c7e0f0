"""Operators and members of a fan-out, at any moment: the join comes to what the fates say."""

import json
import random
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.dag_runs.dag_interventions import asked, begin
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Crash, Script, crash
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import InterventionKind, TaskProgress
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import FailurePolicy, FanOut, Join, JoinKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Conflict
from timegate.domain.values.identity import TaskKey

PART = TaskKey("part")
INTERVENTIONS = 4
JOINS = (
    Join(kind=JoinKind.ALL),
    Join(kind=JoinKind.AT_LEAST, count=2),
    Join(kind=JoinKind.SHARE, share=0.5),
)


OPERATORS = [InterventionKind.COMPLETE, InterventionKind.SKIP, InterventionKind.RERUN]


@dataclass
class Told:
    """A fan-out, and what its members come to: fated by number and round."""

    join: Join
    width: int
    chance: random.Random
    dag_world: DagWorld = field(default_factory=DagWorld)
    interventions: int = 0

    def __post_init__(self) -> None:
        fan_out = FanOut(over="parameters.parts", join=self.join, max_width=9)
        own = dag(
            (task("part", fan_out=fan_out), task("after")),
            "part -> after",
            failure_policy=FailurePolicy.CONTINUE,
        )
        parts = json.dumps({"parts": list(range(self.width))})
        self.seed = self.chance.random()
        self.run = self.dag_world.start(own, parameters=parts)
        self.rounds = dict.fromkeys(range(self.width), 1)
        self.completed: set[int] = set()
        self.skipped: set[int] = set()

    def fails(self, index: int, number: int) -> bool:
        """A third of all runs do."""
        return random.Random(f"{self.seed} {index} {number}").random() < 0.33

    @property
    def part(self) -> TaskProgress:
        """The fan-out as it is."""
        return self.dag_world.tasks(self.run)[PART]

    def interfere(self) -> None:
        """An operator does something with some members, and repeats it until he is answered."""
        kind = self.chance.choice(OPERATORS)
        some = self.chance.sample(range(self.width), self.chance.randint(1, self.width))
        members = "failed" if self.chance.random() < 0.4 else some
        name = f"request-{self.interventions}"
        while True:
            script = Script(self.chance.randint(0, 14), crash)
            try:
                done = asked(
                    self.dag_world,
                    self.run,
                    PART,
                    kind,
                    members=members,  # type: ignore[arg-type]
                    name=name,
                    result='"by hand"',
                    script=script,
                )
            except Crash:
                continue
            except Conflict:
                return
            break
        intervention = done.progress.intervention
        if intervention is None or intervention.key != name:
            return
        self.interventions += 1
        for index in intervention.members:
            self.rounds[index] = done.progress.round
            self.completed.discard(index)
            self.skipped.discard(index)
        if kind is InterventionKind.COMPLETE:
            self.completed.update(intervention.members)
        if kind is InterventionKind.SKIP:
            self.skipped.update(intervention.members)

    def finish(self, attempt: Attempt) -> Attempt:
        """Its run ends as it is fated to, even without a listener."""
        mark = task_run_mark(attempt.id.run)
        assert mark is not None
        fails = mark.key == PART and self.fails(mark.index, mark.round)
        state = RunState.FAILED if fails else RunState.SUCCEEDED
        return self.dag_world.finish(attempt, state, result=f"[{mark.index},{mark.round}]")

    def answer(self, index: int) -> object:
        """Return a member's last answer in the list."""
        number = self.rounds[index]
        if index in self.skipped:
            return None
        if index in self.completed:
            return "by hand"
        return None if self.fails(index, number) else [index, number]

    def assert_told(self) -> None:
        """The join is about those who are left, each by its latest run."""
        answers = [self.answer(index) for index in range(self.width)]
        left = self.width - len(self.skipped)
        good = sum(answer is not None for answer in answers)
        states = self.dag_world.states(self.run)
        expected = good >= self.join.needed(left)

        assert states == {
            "part": "succeeded" if expected else "failed",
            "after": "succeeded" if expected else "skipped",
        }
        assert not expected or json.loads(self.part.result or "") == answers
        assert self.dag_world.waiting() == []


@settings(max_examples=some(120))
@given(
    join=st.sampled_from(JOINS),
    width=st.integers(2, 6),
    seed=st.integers(0, 2**32),
    loses=st.booleans(),
)
def test_whatever_is_done_with_members_the_join_comes_to_what_the_fates_say(
    join: Join, width: int, seed: int, *, loses: bool
) -> None:
    """While it runs and when it has ended; requests are interrupted, ends come twice, or never."""
    told = Told(join, width, random.Random(seed))
    heard: list[Attempt] = []
    for _ in range(300):
        if told.interventions >= INTERVENTIONS and not told.dag_world.waiting():
            break
        _live(told, heard, loses=loses)
    for _ in range(3):
        told.dag_world.look(told.run)
        for each in told.dag_world.waiting():
            told.dag_world.hear(told.finish(each))

    told.assert_told()


def _live(told: Told, heard: list[Attempt], *, loses: bool) -> None:
    """An operator interferes, some runs end, and a step hears of some of these ends, or late."""
    chance, dag_world = told.chance, told.dag_world
    waiting = dag_world.waiting()
    if told.interventions < INTERVENTIONS and (not waiting or chance.random() < 0.4):
        told.interfere()
        if chance.random() < 0.7:
            dag_world.follow()
    for each in chance.sample(waiting, (len(waiting) + 1) // 2):
        now = next((other for other in dag_world.waiting() if other.id == each.id), None)
        if now is not None:
            heard.append(told.finish(begin(dag_world, now)))
    if not loses or chance.random() < 0.6:
        dag_world.hear(*chance.sample(heard, min(len(heard), chance.randint(0, 3))))
    if loses or not waiting:
        dag_world.look(told.run)
