"""Runs that want the same slots, and workers that hold them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from tests.support.factories import after, attempt_factory, attempt_id, job_id
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer
from timegate.domain.limits.overlap import Overlap, OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import Recorded, Succeeded
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Claimed

KEY = "database"


def limited(policy: OverlapPolicy, limit: int = 1, key: str | None = KEY) -> Overlap:
    """A policy on the key of the tests, unless another is named."""
    return Overlap(policy=policy, max_concurrent=limit, concurrency_key=key)


def due(world: World, name: str, overlap: Overlap, *, at: float = 0, **fields: Any) -> Attempt:  # noqa: ANN401
    """A job with one attempt that is due so many seconds from the start; both stored."""
    job = job_id(name)
    instant = after(at)
    world.add_job(job_id=job, overlap=overlap, anchored_at=after(at - 600), **fields)
    attempt = attempt_factory(id=attempt_id(job=job, scheduled_at=instant), due_at=instant)
    world.runs.insert_all([attempt])
    return attempt


def claimed(world: World, attempt: Attempt, *, owner: str | None = None) -> Claimed | None:
    """Claim a run by its message, as a worker does; ``None`` if it may not be claimed."""
    execution = world.execution(owner=owner or f"worker of {attempt.id}")
    held = claim_runs([delivery(RunMessage.of(attempt))], execution, alone=True).held
    return held[0] if held else None


def finish(world: World, holder: Claimed | None, ending: Recorded | None = None) -> None:
    """Let a worker record an end, a success unless said otherwise."""
    assert holder is not None
    execution = world.execution(owner=holder.lease.owner)
    completions = Completions(execution.runs, execution.telemetry, window_seconds=0)
    completions.begin()
    done = Succeeded(started_at=world.clock.now(), answer=Answer(text="ok"))
    record_ending(holder, ending or done, execution, completions)


def stored(world: World, attempt: Attempt) -> Attempt:
    """The attempt as it is now."""
    return world.tables.attempts[attempt.tenant, attempt.id]


def slots_of(world: World, attempt: Attempt, key: str = KEY) -> Slots:
    """The record of a key of the attempt's tenant."""
    return world.tables.slots.get(SlotKey(tenant=attempt.tenant, name=key), Slots())


def alive(world: World) -> list[Attempt]:
    """Every attempt under a live lease."""
    return live_at(world.attempts(), world.clock.now())


def live_at(attempts: list[Attempt], now: datetime) -> list[Attempt]:
    """Return the attempts that a worker holds then."""
    return [
        each
        for each in attempts
        if each.state is RunState.RUNNING and each.lease and each.lease.expires_at > now
    ]


class Interrupted:
    """A store that lets something happen before or after one of its calls: a crash, say."""

    def __init__(self, store: object, script: "Script") -> None:
        self._store = store
        self._script = script

    def __getattr__(self, name: str) -> Callable[..., object]:
        """The store's own method, counted."""
        method = getattr(self._store, name)

        def call(*args: object, **kwargs: object) -> object:
            self._script.reached()
            answer = method(*args, **kwargs)
            self._script.reached()
            return answer

        return call


class Script:
    """An event, and the moment before or after a call at which it happens."""

    def __init__(self, moment: int, event: Callable[[], None]) -> None:
        self._moment = moment
        self._event = event
        self.moments = 0

    def reached(self) -> None:
        """One moment further."""
        self.moments += 1
        if self.moments == self._moment + 1:
            self._event()


class Crash(BaseException):
    """The process dies here."""


def crash() -> None:
    """Die."""
    raise Crash


def throttle() -> None:
    """The store refuses for load: before its effect, or after a part of it."""
    raise Throttled("busy")


@contextmanager
def interrupted_stores(world: World, script: Script, *names: str) -> Iterator[None]:
    """Let a process die of its script in these stores of the world, or be refused; then go on."""
    stores = {name: getattr(world, name) for name in names}
    for name, store in stores.items():
        setattr(world, name, Interrupted(store, script))
    try:
        with suppress(Crash, Throttled):
            yield
    finally:
        for name, store in stores.items():
            setattr(world, name, store)
