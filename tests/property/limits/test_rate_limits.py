"""Rate limits: never more than allowed, whatever happens; and everything runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.execution.overlapping import Crash, Interrupted, Script, crash, due
from tests.support.factories import NOW, TENANT, after
from tests.support.stores.memory_rates import memory_rates
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer, Call
from timegate.domain.limits.overlap import Overlap
from timegate.domain.limits.rate_limit import RateKey, RateLimit, RateRequest
from timegate.domain.runs.run import RunState
from timegate.domain.values.instants import MILLISECOND

limits = st.builds(RateLimit, calls=st.integers(1, 5), burst=st.integers(1, 3))


def assert_within(
    limit: RateLimit, instants: Sequence[datetime], *, late: timedelta = timedelta(0)
) -> None:
    """In no span that begins with one of them lie more than the limit allows in it."""
    times = sorted(instants)
    interval = timedelta(microseconds=limit.interval)
    for first, begin in enumerate(times):
        for last in range(first + limit.burst, len(times)):
            # So many in a span that is open at its end take this long at least.
            assert times[last] - begin + late >= (last - first - limit.burst + 1) * interval


@settings(max_examples=some(100))
@given(
    limit=limits, asks=st.lists(st.tuples(st.integers(-3000, 9000), st.integers(1, 4)), max_size=20)
)
def test_turns_are_never_more_than_allowed(limit: RateLimit, asks: list[tuple[int, int]]) -> None:
    """Any workers, in any order, and with any error of their clocks."""
    rates, given_out = memory_rates(), []
    for milliseconds, count in asks:
        key = RateKey(tenant=TENANT, name="k")
        turns = rates.take_turns(
            key, [RateRequest(limit=limit)] * count, at=after(milliseconds / 1000)
        )
        given_out += [turn for turn in turns if turn is not None]

    assert len(given_out) == sum(count for _, count in asks)
    assert_within(limit, given_out)


@dataclass
class Effect:
    """A call, and the turn it was made on."""

    at: datetime
    turn: datetime


@dataclass
class Stage:
    """Runs under one limit, a queue that is late at times, and workers that die."""

    world: World
    #: Messages, and when they show themselves.
    queue: list[tuple[datetime, RunMessage]] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.invoke = self.world.target.invoke
        self.world.target.invoke = self.record  # type: ignore[method-assign]

    def record(self, call: Call) -> Answer:
        turn = self.world.tables.attempts[call.tenant, call.attempt].due_at
        self.effects.append(Effect(at=self.world.clock.now(), turn=turn))
        return self.invoke(call)

    def publish(self, late: timedelta) -> None:
        """Queue the relay's messages for their due instants, or later."""
        self.world.stream()
        now = self.world.clock.now()
        for sent in self.world.publisher.sent:
            shown_at = now + timedelta(seconds=sent.delay_seconds) + late
            self.queue.append((shown_at, sent.message))
        self.world.publisher.sent = []

    def step(self, *, dies_at: int | None) -> None:
        """One worker takes what is there, up to ten messages."""
        self.queue.sort(key=lambda entry: (entry[0], entry[1].due_at))
        self.world.clock.wait_until(self.queue[0][0])
        now = self.world.clock.now()
        batch = [entry for entry in self.queue if entry[0] <= now][:10]
        self.queue = [entry for entry in self.queue if entry not in batch]
        try:
            again = self.work([message for _, message in batch], dies_at)
        except Crash:
            again = [message for _, message in batch]
        hidden = self.world.clock.now() + timedelta(seconds=80)
        self.queue += [(hidden, message) for message in again]

    def work(self, messages: Iterable[RunMessage], dies_at: int | None) -> list[RunMessage]:
        world = self.world
        named = {f"message-{n}": message for n, message in enumerate(messages)}
        script = Script(-1 if dies_at is None else dies_at, crash)
        doubles = {
            "runs": Interrupted(world.runs, script),
            "rates": Interrupted(world.rates, script),
        }
        before = {name: getattr(world, name) for name in doubles}
        vars(world).update(doubles)
        try:
            again = world.execute([delivery(m, n) for n, m in enumerate(named.values())])
        finally:
            vars(world).update(before)
        return [named[name] for name in again]


@settings(max_examples=some(60))
@given(
    limit=limits,
    dues=st.lists(st.integers(0, 3000), min_size=1, max_size=12),
    copies=st.integers(1, 2),
    lates=st.lists(st.sampled_from([0, 0, 0, 400, 1500, 20_000]), min_size=1, max_size=6),
    deaths=st.lists(st.none() | st.integers(0, 9), max_size=6),
)
def test_limited_runs_all_run_and_never_too_often(
    limit: RateLimit, dues: list[int], copies: int, lates: list[int], deaths: list[int | None]
) -> None:
    """Workers die before and after each call they make, messages come twice, or late."""
    stage = Stage(World())
    for number, milliseconds in enumerate(dues):
        name, at = f"job {number}", milliseconds / 1000
        attempt = due(stage.world, name, Overlap(), at=at, rate_limit=limit)
        shown_at = max(NOW, attempt.due_at)
        stage.queue += [(shown_at, RunMessage.of(attempt))] * copies
    stage.world.read_images = len(stage.world.tables.images)
    steps = 0
    while stage.queue:
        stage.step(dies_at=deaths[steps] if steps < len(deaths) else None)
        stage.publish(timedelta(milliseconds=lates[steps % len(lates)]))
        steps += 1
        assert steps < 400

    assert set(stage.world.states()) == {RunState.SUCCEEDED}
    assert len({attempt.id.run for attempt in stage.world.attempts()}) == len(dues)
    assert all(attempt.id.number == 1 for attempt in stage.world.attempts())
    assert all(effect.at >= effect.turn for effect in stage.effects)
    # Turns lie between two milliseconds, and effects on them.
    late = max(effect.at - effect.turn for effect in stage.effects) + MILLISECOND
    assert_within(limit, [effect.at for effect in stage.effects], late=late)
