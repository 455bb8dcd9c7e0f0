"""DAG runs of any shape: in order, each task once, and ended as the whole graph says."""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.dag_runs.dag_oracle import (
    begun_against,
    broken_by_stopping,
    come_to,
    undealt,
    wants,
)
from tests.property.dags.dag_strategies import Fate, dags, fates
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Crash, Interrupted, Script, crash, throttle
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import Dag, FailurePolicy
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import TaskKey


@settings(max_examples=some(50))
@given(data=st.data(), own=dags(), seed=st.integers(0, 2**32))
def test_a_dag_run_comes_to_what_the_whole_graph_says(
    data: st.DataObject, own: Dag, seed: int
) -> None:
    """Records come in any order, some of them twice and much later."""
    fate, chance, dag_world = data.draw(fates(own)), random.Random(seed), DagWorld()
    run = dag_world.start(own)
    heard: list[Attempt] = []
    while waiting := dag_world.waiting():
        assert_in_order(dag_world, own, run)
        chosen = chance.sample(waiting, chance.randint(1, len(waiting)))
        ended = [dag_world.finish(each, _fate_of(fate, each)) for each in chosen]
        heard += ended
        again = chance.sample(heard, min(len(heard), chance.randint(0, 3)))
        dag_world.hear(*chance.sample(ended + again, len(ended + again)))

    assert_come_to(dag_world, own, fate, run)
    assert_late_ones_were_triggered(dag_world, own, fate, run)


@settings(max_examples=some(25))
@given(data=st.data(), own=dags(largest=12), seed=st.integers(0, 2**32))
def test_it_comes_to_that_whatever_dies_on_the_way(
    data: st.DataObject, own: Dag, seed: int
) -> None:
    """Readers die or are throttled at any call, and their records do not all come again."""
    fate, chance, dag_world = data.draw(fates(own)), random.Random(seed), DagWorld()
    run = dag_world.start(own)
    for _ in range(400):
        if dag_world.dag_runs.get(run.tenant, run.dag_run_id).has_ended:
            break
        for found in dag_world.waiting():
            # Another end may have stopped the DAG run meanwhile, and with it this one.
            each = next((now for now in dag_world.waiting() if now.id == found.id), None)
            if each is not None and chance.random() < 0.7:
                ended = dag_world.finish(each, _fate_of(fate, each))
                if chance.random() < 0.8:
                    _interrupted(dag_world, chance, [ended])
        if chance.random() < 0.3:
            dag_world.look(run)
    # It is watched until its execution knows that it has ended.
    dag_world.look(run)

    assert_come_to(dag_world, own, fate, run)


def assert_in_order(dag_world: DagWorld, own: Dag, run: DagRun) -> None:
    """Assert that ended tasks let each waiting run begin."""
    states = {key: task.state.value for key, task in dag_world.tasks(run).items() if task.has_ended}
    for attempt in dag_world.waiting():
        mark = task_run_mark(attempt.id.run)

        assert mark is not None
        assert wants(own, mark.key, states) is True


def assert_come_to(dag_world: DagWorld, own: Dag, fate: Fate, run: DagRun) -> None:
    """Every task has ended, none began twice in a round, and all is as the oracle says."""
    after = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    states = {TaskKey(key): state for key, state in dag_world.states(run).items()}
    status, wanted = come_to(own, fate)
    begun = Counter(
        (str(event.fields["task"]), event.fields["round"])
        for event in dag_world.world.telemetry.named("task_started")
    )

    assert after.status.value == status
    assert max(begun.values(), default=1) == 1
    assert after.watch_at is None
    assert len(after.ended) == len(own.tasks) == len(states)
    if own.failure_policy is not FailurePolicy.FAIL_FAST or not undealt(own, wanted):
        assert states == wanted
        return
    # Which tasks were stopped depends on who was first, and so does what that triggers.
    runs = {mark.key for a in dag_world.world.attempts() if (mark := task_run_mark(a.id.run))}
    assert broken_by_stopping(own, fate, states, runs) == []


def assert_late_ones_were_triggered(dag_world: DagWorld, own: Dag, fate: Fate, run: DagRun) -> None:
    """Assert that a failure triggered each run begun after it, and that the run ended."""
    late, stopping = set[TaskKey](), False
    for event in dag_world.world.telemetry.events:
        stopping |= event.name == "dag_run_decided" and event.fields["status"] == "stopping"
        if event.name == "task_started" and stopping:
            late.add(TaskKey(str(event.fields["task"])))
    states = {TaskKey(key): state for key, state in dag_world.states(run).items()}
    runs = {mark.key for a in dag_world.world.attempts() if (mark := task_run_mark(a.id.run))}

    assert begun_against(own, fate, states, runs, late) == []


def _fate_of(fate: Fate, attempt: Attempt) -> RunState:
    mark = task_run_mark(attempt.id.run)
    assert mark is not None
    return fate.of(mark.key, mark.round)


def _interrupted(dag_world: DagWorld, chance: random.Random, ended: list[Attempt]) -> None:
    """The step that reads this may die at one of its calls, or be refused."""
    script = Script(chance.randint(0, 40), chance.choice([crash, throttle]))
    works = dag_world.works
    dag_world.works = replace(
        works,
        dag_runs=Interrupted(works.dag_runs, script),  # type: ignore[arg-type]
        runs=Interrupted(works.runs, script),  # type: ignore[arg-type]
    )
    try:
        dag_world.hear(*ended)
    except (Crash, Throttled):
        pass
    finally:
        dag_world.works = works
