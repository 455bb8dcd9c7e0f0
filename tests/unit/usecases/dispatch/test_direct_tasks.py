"""Outcomes publishes the runs of tasks that it starts; the sweeper makes good what it left."""

from dataclasses import replace

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Crash
from tests.unit.domain.dags.definitions import dag, task, tasks
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import FanOut
from timegate.domain.runs.run import RunState
from timegate.domain.runs.watch import UNSURE_PATIENCE

LINE = dag(tasks("a", "b"), "a -> b")


def sent(dag_world: DagWorld) -> list[str]:
    """Keys of the tasks whose messages were sent, in order."""
    marks = [task_run_mark(each.message.attempt.run) for each in dag_world.world.publisher.sent]
    return [mark.key for mark in marks if mark is not None]


def test_outcomes_publishes_a_task_that_starts_and_the_relay_does_not() -> None:
    """One message each; a record of an end that comes twice sends no other."""
    dag_world = DagWorld()
    dag_world.start(LINE)
    (first,) = dag_world.waiting()
    ended = dag_world.finish(first, RunState.SUCCEEDED)
    dag_world.hear(ended, ended)
    dag_world.hear(ended)
    at_once = sent(dag_world)
    dag_world.world.stream()

    assert at_once == ["a", "b"]
    assert sent(dag_world) == ["a", "b"]


def test_a_run_that_a_queue_refused_is_left_to_the_relay() -> None:
    """By one write, which the stream shows."""
    dag_world = DagWorld()
    dag_world.world.publisher.refusing.add("normal-short")
    dag_world.start(LINE)
    refused = sent(dag_world)
    dag_world.world.publisher.refusing.clear()
    dag_world.world.stream()

    assert (refused, sent(dag_world)) == ([], ["a"])


def test_the_sweeper_has_a_run_published_whose_starter_died() -> None:
    """Ten seconds later: nothing on record says that its message was sent."""
    dag_world = DagWorld()

    class Dying:
        """A queue that no call reaches."""

        @staticmethod
        def publish_all(_: object) -> list[bool]:
            """The process dies."""
            raise Crash

    sound = dag_world.works
    assert sound.scheduling is not None
    dying = replace(sound.scheduling, publisher=Dying())
    dag_world.works = replace(sound, scheduling=dying)
    with pytest.raises(Crash):
        dag_world.start(LINE)
    dag_world.works = sound
    world = dag_world.world
    world.clock.advance(UNSURE_PATIENCE.total_seconds() + 1)
    world.look()
    world.stream()
    (waiting,) = dag_world.waiting()
    dag_world.follow()

    assert sent(dag_world) == ["a"]
    assert waiting.direct is False


def test_members_of_a_fan_out_are_left_to_the_relay() -> None:
    """A thousand messages would hold up what comes behind them in the stream."""
    dag_world = DagWorld()
    wide = dag((task("part", fan_out=FanOut(over="parameters.parts", max_width=5)),))
    run = dag_world.start(wide, parameters='{"parts": [1, 2]}')
    at_once = sent(dag_world)
    dag_world.world.stream()

    assert (at_once, sent(dag_world)) == ([], ["part", "part"])
    after = dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    assert after.status is DagRunStatus.SUCCEEDED
