"""Direct publications that a queue refused, or that no record confirms, are made all the same."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.execution.executing import only
from tests.support.factories import NOW, after
from tests.support.world import World
from tests.unit.usecases.jobs.test_create_job import create, delayed
from timegate.domain.values.errors import Throttled


def test_what_a_queue_refuses_is_published_by_the_stream() -> None:
    """One write more, and only then: the creator knows that it did not publish."""
    world = World()
    world.publisher.refusing.add("normal-short")
    create(world, delayed(0))
    world.publisher.refusing.clear()
    world.stream()

    assert [sent.message.attempt for sent in world.publisher.sent] == [only(world).id]
    assert not only(world).direct


def test_what_cannot_be_left_to_the_stream_is_the_sweepers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The caller has his job; nothing fails for him."""
    world = World()

    world.publisher.refusing.add("normal-short")
    monkeypatch.setattr(world.runs, "replace", Mock(side_effect=Throttled("busy")))
    create(world, delayed(0))

    assert only(world).direct
    assert only(world).watch_at == after(10)


@pytest.mark.parametrize(("taken", "delay"), [(0, 1), (1, 0), (5, 0)])
def test_a_message_is_delayed_from_the_moment_of_its_sending(
    monkeypatch: pytest.MonkeyPatch, taken: float, delay: int
) -> None:
    """A busy store takes its time: the run would start so much later than it is due."""
    world = World()
    store = world.runs.create_job

    def slow(*given: Any, **named: Any) -> bool:  # noqa: ANN401 - as the store takes them
        world.clock.advance(taken)
        return store(*given, **named)

    monkeypatch.setattr(world.runs, "create_job", slow)
    create(world, delayed(1))

    assert [sent.delay_seconds for sent in world.publisher.sent] == [delay]


@pytest.mark.parametrize(
    ("seconds", "published"),
    [pytest.param(1, 1, id="unsure"), pytest.param(30, 0, id="the sweeper has published it")],
)
def test_a_repeated_request_publishes_what_may_not_have_been(
    seconds: float, published: int
) -> None:
    """The process that answered first may have died between its write and its publication."""
    world = World()
    create(world, delayed(0))
    world.publisher.sent.clear()
    world.read_images = len(world.tables.images)
    if seconds > 1:
        world.clock.set(NOW + timedelta(seconds=20))
        world.look()
    create(world, delayed(0), seconds=seconds)

    assert len(world.publisher.sent) == published


def test_a_repeated_request_leaves_a_claimed_run_alone() -> None:
    """Its message has arrived."""
    world = World()
    create(world, delayed(0))
    world.execute(world.receive())
    create(world, delayed(0), seconds=1)

    assert world.publisher.sent == []
