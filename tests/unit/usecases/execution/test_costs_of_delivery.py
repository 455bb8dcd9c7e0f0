"""Decision 17 lists the store calls that each delivery mode costs."""

from dataclasses import replace

import pytest

from tests.support.execution.executing import MINUTELY, only, prepare
from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.run import Attempt

LEAST, EXACTLY = DeliveryMode.AT_LEAST_ONCE, DeliveryMode.EXACTLY_ONCE
READ, CLAIM, END = "load_all", "claim_all", "finish_all"


def counted(world: World) -> list[str]:
    """The names of the store's methods that are called from now on."""
    calls: list[str] = []
    for name in (READ, CLAIM, END, "extend", "replace", "keep_answer", "count_duplicate"):
        count_calls(world.runs, name, calls)
    return calls


def count_calls(store: object, name: str, calls: list[str]) -> None:
    """Write down every call of a method."""
    method = getattr(store, name)

    def counting(*args: object, **kwargs: object) -> object:
        calls.append(name)
        return method(*args, **kwargs)

    setattr(store, name, counting)


@pytest.mark.parametrize("mode", [LEAST, EXACTLY], ids=str)
def test_ten_short_runs_cost_the_same_in_either_mode(mode: DeliveryMode) -> None:
    """One read, one claim, one end."""
    world = World()
    world.add_job(anchored_at=after(-3600), schedule=MINUTELY, delivery=mode)
    attempts = [attempt_factory(due_at=after(-60 * n)) for n in range(10)]
    world.runs.insert_all(attempts)
    calls = counted(world)
    world.execute([delivery(RunMessage.of(a), n) for n, a in enumerate(attempts)])

    assert calls == [READ, CLAIM, END]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(LEAST, [READ, CLAIM, END]), (EXACTLY, [READ, CLAIM, READ, END])],
    ids=str,
)
def test_a_take_over_looks_for_an_answer(mode: DeliveryMode, expected: list[str]) -> None:
    """After its claim: one more read."""
    world = World()
    abandoned = running(lease=lease_factory(expires_at=NOW))
    message = prepare(world, replace(abandoned, delivery=mode), delivery=mode)
    calls = counted(world)
    world.execute([message])

    assert calls == expected


@pytest.mark.parametrize(
    ("mode", "expected"), [(LEAST, [READ]), (EXACTLY, [READ, "count_duplicate"])], ids=str
)
def test_a_duplicate_is_counted_by_one_write(mode: DeliveryMode, expected: list[str]) -> None:
    """The write is made only under exactly_once."""
    world = World()
    message = prepare(world, replace(running(), delivery=mode), delivery=mode)
    calls = counted(world)
    world.execute([message])

    assert calls == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(LEAST, [READ, CLAIM, END]), (EXACTLY, [READ, CLAIM, END, "keep_answer"])],
    ids=str,
)
def test_a_late_answer_is_kept_by_one_write(mode: DeliveryMode, expected: list[str]) -> None:
    """Behind the end that its lost lease refuses."""
    world = World()
    message = prepare(world, delivery=mode)
    invoke = world.target.invoke

    def lose_the_lease(call: Call) -> Answer:
        taken: Attempt = replace(only(world), fence=2, lease=lease_factory(owner="other", fence=2))
        world.tables.put_attempt(taken)
        return invoke(call)

    world.target.invoke = lose_the_lease  # type: ignore[method-assign]
    calls = counted(world)
    world.execute([message])

    assert calls == expected
