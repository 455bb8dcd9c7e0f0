"""DAG runs with which operators interfere at any moment: they come to what the story says."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.dag_runs.dag_story import Seen, Story
from tests.property.dags.dag_strategies import Fate, dags, fates
from tests.support.dag_runs.dag_interventions import asked, begin
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Crash, Interrupted, Script, crash, throttle
from timegate.domain.dag_runs.intervening import RerunScope
from timegate.domain.dag_runs.progress import DagRun, InterventionKind, TaskState
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import Dag, FailurePolicy
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Conflict, Throttled

#: More would tell nothing that these do not.
INTERVENTIONS = 4
OPERATORS = [InterventionKind.COMPLETE, InterventionKind.SKIP, InterventionKind.RERUN]
FORCED = {InterventionKind.COMPLETE: "succeeded", InterventionKind.SKIP: "skipped"}


@dataclass
class Told:
    """A DAG run, and the story that is told of it."""

    own: Dag
    fate: Fate
    chance: random.Random
    dag_world: DagWorld = field(default_factory=DagWorld)
    interventions: int = 0

    def __post_init__(self) -> None:
        self.run = self.dag_world.start(self.own)
        self.story = Story(self.own, self.fate)

    @property
    def now(self) -> DagRun:
        """The DAG run as it is."""
        return self.dag_world.dag_runs.get(self.run.tenant, self.run.dag_run_id)

    def interfere(self, *, interrupted: bool = False) -> None:
        """An operator does something with some task, and repeats it until he is answered."""
        key = self.chance.choice(self.own.tasks).key
        kind, scope = self.chance.choice(OPERATORS), self.chance.choice([*RerunScope])
        name = f"request-{self.interventions}"
        seen, number = self._seen(), self.now.round
        world = self.dag_world
        while True:
            script = Script(self.chance.randint(0, 6) if interrupted else 1_000, crash)
            try:
                done = asked(world, self.run, key, kind, scope=scope, name=name, script=script)
            except Crash:
                continue
            except Conflict:
                return
            break
        if done.progress.intervention is None or done.progress.intervention.key != name:
            # An operator had said so before.
            return
        self.interventions += 1
        self.story.tell_on(until=number)
        assert self.story.round == number
        if kind is InterventionKind.RERUN:
            self.story.rerun(key, seen, branch=scope is RerunScope.BRANCH)
        else:
            self.story.decide(key, FORCED[kind], seen)

    def begin(self, attempt: Attempt) -> Attempt:
        """Some worker is at it, unless it is bound to be skipped."""
        skipped = self._bound_to(attempt) is RunState.SKIPPED
        return attempt if skipped else begin(self.dag_world, attempt)

    def finish(self, attempt: Attempt) -> Attempt:
        """Its run ends as it is bound to, even without a listener."""
        return self.dag_world.finish(attempt, self._bound_to(attempt))

    def _bound_to(self, attempt: Attempt) -> RunState:
        mark = task_run_mark(attempt.id.run)
        assert mark is not None
        return self.fate.of(mark.key, mark.round)

    def assert_told(self) -> None:
        """All has ended as the story says, and nothing began twice in a round."""
        self.story.tell_on()
        after, tasks = self.now, self.dag_world.tasks(self.run)
        begun = Counter(
            (str(event.fields["task"]), event.fields["round"])
            for event in self.dag_world.world.telemetry.named("task_started")
        )

        assert {key: task.state.value for key, task in tasks.items()} == self.story.outlook()
        assert (after.status.value, after.round) == (self.story.status(), self.story.round)
        assert len(after.ended) == len(tasks)
        assert max(begun.values(), default=1) == 1
        assert self.dag_world.waiting() == []

    def _seen(self) -> Seen:
        tasks = self.dag_world.tasks(self.run)
        pending = {key for key, task in tasks.items() if task.state is TaskState.PENDING}
        return Seen(
            begun=frozenset(tasks.keys() - pending),
            ended=frozenset(key for key, task in tasks.items() if task.has_ended),
            over=self.now.has_ended,
        )


def told_of(data: st.DataObject, own: Dag, seed: int) -> Told:
    """Under a policy that stops nothing: what is stopped depends on who was first."""
    if own.failure_policy is FailurePolicy.FAIL_FAST:
        own = replace(own, failure_policy=FailurePolicy.CONTINUE)
    fate = data.draw(fates(own, asked=INTERVENTIONS))
    return Told(own, fate, random.Random(seed))


@settings(max_examples=some(60))
@given(data=st.data(), own=dags(largest=12), seed=st.integers(0, 2**32))
def test_whatever_operators_do_it_comes_to_what_the_story_says(
    data: st.DataObject, own: Dag, seed: int
) -> None:
    """While it runs and when it has ended; runs that no task wants any more end late, and twice."""
    told = told_of(data, own, seed)
    heard: list[Attempt] = []
    chance, dag_world = told.chance, told.dag_world
    while (waiting := dag_world.waiting()) or told.interventions < INTERVENTIONS:
        if told.interventions < INTERVENTIONS and (not waiting or chance.random() < 0.3):
            told.interfere()
            dag_world.follow()
            continue
        for each in chance.sample(waiting, chance.randint(0, len(waiting))):
            told.begin(each)
        waiting = dag_world.waiting()
        chosen = chance.sample(waiting, chance.randint(1, len(waiting)))
        ended = [told.finish(each) for each in chosen]
        heard += ended
        again = chance.sample(heard, min(len(heard), chance.randint(0, 3)))
        dag_world.hear(*chance.sample(ended + again, len(ended + again)))

    told.assert_told()


@settings(max_examples=some(40))
@given(data=st.data(), own=dags(largest=8), seed=st.integers(0, 2**32))
def test_and_whatever_dies_on_the_way(data: st.DataObject, own: Dag, seed: int) -> None:
    """Operators' requests are interrupted and repeated, readers die, and records do not come."""
    told = told_of(data, own, seed)
    chance, dag_world = told.chance, told.dag_world
    for _ in range(400):
        if told.interventions == INTERVENTIONS and told.now.has_ended:
            break
        if told.interventions < INTERVENTIONS and chance.random() < 0.3:
            told.interfere(interrupted=True)
        _work(told)
        if chance.random() < 0.4:
            dag_world.look(told.run)
    for each in dag_world.waiting():
        dag_world.hear(told.finish(each))

    told.assert_told()


def _work(told: Told) -> None:
    """Some runs end, and of most of these ends a step hears, which may die or be refused."""
    for each in told.dag_world.waiting():
        now = next((other for other in told.dag_world.waiting() if other.id == each.id), None)
        if now is not None and told.chance.random() < 0.6:
            ended = told.finish(told.begin(now) if told.chance.random() < 0.5 else now)
            if told.chance.random() < 0.7:
                _interrupted(told.dag_world, told.chance, ended)


def _interrupted(dag_world: DagWorld, chance: random.Random, ended: Attempt) -> None:
    """The step that reads this may die at one of its calls, or be refused."""
    script = Script(chance.randint(0, 40), chance.choice([crash, throttle]))
    works = dag_world.works
    dag_world.works = replace(
        works,
        dag_runs=Interrupted(works.dag_runs, script),  # type: ignore[arg-type]
        runs=Interrupted(works.runs, script),  # type: ignore[arg-type]
    )
    try:
        dag_world.hear(ended)
    except (Crash, Throttled):
        pass
    finally:
        dag_world.works = works
