"""A region in virtual time: streams, queues and ticks drive the functions, as event sources do."""

import json
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any

from tests.crash.faults import NO_PROCESS, Fault, Outage
from tests.crash.region import Region
from tests.crash.services.actors import Actor, Context
from tests.crash.services.appointments import Appointments
from tests.crash.services.functions import TIMEOUT_SECONDS
from tests.crash.services.queueing.queues import Queues
from tests.crash.services.queueing.sources import put_looks_of_this_minute, sources
from tests.crash.services.service import KIND, Service
from tests.crash.services.streams import readers
from tests.crash.services.targets import owned
from tests.crash.services.ticks import MINUTE, Tick, Ticks
from tests.support.api import ADMIN_SCOPES, SCOPES, Answer, gateway_event
from timegate.domain.dispatch.buckets import INDEX_MARGIN, LONGEST_LIFE
from timegate.domain.values.instants import compact

Answered = dict[str, Any] | None
#: Continuation of an invocation's end; it receives the answer.
Then = Callable[[Any], None]

#: Longer than a message of the lane ``long`` takes to be received in vain for the last time.
PATIENCE = timedelta(hours=2)
#: How often a caller repeats a request that was not answered, or by a fault of ours; each pause is
#: four times the last. A hook's secret that could not be read is not read again for a minute.
ASKS = 5


class Cloud:
    """Everything that happens between a request and the last record it leaves behind."""

    def __init__(self, region: Region) -> None:
        self.region = region
        region.live = self._wait
        region.machine.later, region.machine.start = self.at, partial(self.start, "dag_runs")
        #: Invocations under way, each with what follows its end.
        self.actors: list[tuple[Actor, Callable[[], None]]] = []
        self.readers = readers(self.queues.rejected)
        self.sources = sources(self.queues)
        self.appointments = Appointments()
        self.ticks = Ticks(region.clock.now())
        #: Called after each invocation, however it ended.
        self.watch: Callable[[], None] = lambda: None
        #: So long the next executors have to live.
        self.short_lives: list[int] = []
        #: Each of these functions works on one at a time: Lambda throttles the others meanwhile.
        self.crowded: set[str] = set()
        self.outage: Outage | None = None
        self.service = KIND
        self.began_at = self.now

    @property
    def now(self) -> datetime:
        """The instant the region stands at."""
        return self.region.clock.now()

    @property
    def is_idle(self) -> bool:
        """Nothing but ticks is left to happen."""
        idle = not self.appointments and not self.actors and self.queues.owe_nothing
        return idle and not any(reader.ahead for reader in self.readers)

    @property
    def queues(self) -> Queues:
        """All of them."""
        return self.region.queues

    def begin(
        self, faults: Collection[Fault], service: Service = KIND, *, tells: bool = False
    ) -> None:
        """Begin a story with nothing on its way. ``tells``: the stage tells of transitions."""
        for actor, _ in self.actors:
            self.region.injector.current = actor.process
            actor.abandon()
        self.actors.clear()
        self.appointments.clear()
        self.short_lives.clear()
        self.service = service
        self.queues.begin(service)
        self.readers = readers(self.queues.rejected, service, tells=tells)
        for reader in self.readers:
            reader.begin(self.region.tables.begin_stream(reader.table))
        for source in self.sources:
            source.at_work = 0
        self.region.clock.set(self.now.replace(second=10, microsecond=0) + MINUTE)
        self.ticks.begin(self.now, service)
        self.began_at, self.outage = self.now, None
        # Which buckets a tick reads must not depend on the story before.
        now = self.now.replace(second=0)
        sealed = now - LONGEST_LIFE - INDEX_MARGIN
        self.region.tables.set_watermarks(compact(now - INDEX_MARGIN), compact(sealed))
        self.crowded.clear()
        self.region.begin(faults, tells=tells)

    def at(self, seconds: float, act: Callable[[], object]) -> None:
        """Do something so many seconds from now."""
        self.appointments.add(self.now + timedelta(seconds=seconds), act)

    # --- invocations

    def start(self, function: str, event: dict[str, Any], then: Then, **told: Any) -> Actor:  # noqa: ANN401
        """Begin an invocation; ``then`` is told what it answered, or ``None`` if it did not."""
        process = self.region.injector.started(function, self.now)
        if self.outage is not None and self.outage.strikes(function, self.now - self.began_at):
            process.dies_after = self.outage.calls
        told = {"remaining_ms": TIMEOUT_SECONDS[function] * 1000} | told
        context = Context(**{"aws_request_id": process.name, **told})
        container = self.region.container(function)
        actor = Actor(process, lambda: container.handle(event, context))
        self.actors.append((actor, lambda: self._end(actor, container, then)))
        self._give_turn(actor, actor.begin)
        return actor

    def invoke(self, function: str, event: dict[str, Any]) -> Any:  # noqa: ANN401 - as each answers
        """An invocation that is waited for; ``None`` when it died or failed."""
        actor = self.start(function, event, _nothing)
        while not actor.done:
            if not self._step():
                self.region.clock.wait_until(self._next_at())
        return actor.answered

    def request(
        self,
        tenant: str,
        method: str,
        path: str,
        body: object = None,
        *,
        function: str = "api",
        **headers: str,
    ) -> Answer:
        """A caller's request, repeated as long as no answer comes."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        text = None if body is None else owned(json.dumps(body), tenant)
        if text is not None:
            named["Content-Type"] = "application/json"
        claims = {"client_id": tenant, "scope": f"{SCOPES} {ADMIN_SCOPES}"}
        event = gateway_event(method, path, body=text, headers=named, claims=claims)
        answered = None
        for ask in range(ASKS):
            response = self.invoke(function, event)
            answered = Answer.of(response) if response is not None else None
            if answered is not None and answered.status < 500:
                return answered
            self.live_until(self.now + timedelta(seconds=4**ask))
        raise AssertionError(f"No function answers {method} {path}: {answered}")

    def _give_turn(self, actor: Actor, go: Callable[[], None]) -> None:
        injector = self.region.injector
        injector.current = actor.process
        go()
        injector.current = NO_PROCESS
        if actor.done:
            (end,) = (end for each, end in self.actors if each is actor)
            self.actors = [(each, end) for each, end in self.actors if each is not actor]
            end()

    def _end(self, actor: Actor, container: ModuleType, then: Then) -> None:
        injector = self.region.injector
        injector.current = actor.process
        if actor.error is None and not actor.process.dead:
            self.region.keep(actor.process.function, container)
            then(actor.answered)
        else:
            actor.answered = None
            self.region.note(actor.process, actor.error)
            then(None)
        injector.current = NO_PROCESS
        self.watch()

    def _wait(self, until: datetime) -> None:
        """The actor at work waits, and others have theirs."""
        current = self.region.injector.current
        (actor,) = (each for each, _ in self.actors if each.process is current)
        actor.wait(until)

    # --- time

    def live_until(self, until: datetime) -> None:
        """Let everything happen that happens until then."""
        while True:
            if self._step():
                continue
            if self._next_at() > until:
                break
            self.region.clock.wait_until(self._next_at())
        self.region.clock.wait_until(until)

    def settle(self, quiet: Callable[[], bool]) -> None:
        """Live until nothing is left to happen; what takes for ever fails."""
        limit = self.now + PATIENCE
        while True:
            if self._step():
                continue
            if self.is_idle and quiet():
                return
            assert self.now < limit, "it never comes to rest"
            self.region.clock.wait_until(self._next_at())

    def _next_at(self) -> datetime:
        instants = [self.ticks.wakes_at(), *(source.wakes_at() for source in self.sources)]
        instants += [appointment.at for appointment in self.appointments[:1]]
        instants += [actor.wakes_at for actor, _ in self.actors]
        instants += [reader.wakes_at() for reader in self.readers]
        return min(each for each in instants if each is not None)

    def _step(self) -> bool:
        """Do one thing that is to be done now, if there is any."""
        return (
            self._wake()
            or self._read_streams()
            or self._receive()
            or self.appointments.keep(self.now)
            or self._tick()
        )

    def _wake(self) -> bool:
        for actor, _ in self.actors:
            if actor.wakes_at is not None and actor.wakes_at <= self.now:
                self._give_turn(actor, actor.resume)
                return True
        return False

    def _read_streams(self) -> bool:
        """A reader has one batch at a time, and that again until it is done or given up."""
        for reader in self.readers:
            if reader.is_busy:
                continue
            batch = reader.next_batch(partial(self.region.tables.stream, reader.table), self.now)
            if batch is not None:
                reader.is_busy = True
                self.start(reader.function, {"Records": batch.records}, reader.answered)
                return True
        return False

    def _receive(self) -> bool:
        for source in self.sources:
            messages = source.next_batch(self.now)
            if not messages:
                continue
            if self._is_throttled(source.function):
                # The batch shows itself again when its queue does not hide it any more.
                return True
            hurried = bool(self.short_lives) and source.feeds_executor
            told = {"remaining_ms": self.short_lives.pop(0)} if hurried else {}
            records = [message.record(source.queue.name) for message in messages]
            batch = [(message.id, message.receipt) for message in messages]
            source.at_work += 1
            then = partial(source.answered, batch, self.queues)
            self.start(source.function, {"Records": records}, then, **told)
            return True
        return False

    def _tick(self) -> bool:
        if self.now >= self.ticks.next_at:
            self.ticks.fire(self.now)
            return True
        tick = self.ticks.take(self.now)
        if tick is None:
            return False
        if self._is_throttled(tick.function):
            self.ticks.throttle(tick, self.now)
        else:
            then = partial(self._ticked, tick)
            self.start(tick.function, tick.event, then, aws_request_id=tick.request_id)
        return True

    def _ticked(self, tick: Tick, answered: Answered) -> None:
        if answered is None:
            self.ticks.fail(tick, self.now)

    def _is_throttled(self, function: str) -> bool:
        at_work = {actor.process.function for actor, _ in self.actors}
        if function in self.crowded & at_work:
            return True
        if not function.startswith("executor"):
            return False
        taken = self.now - self.began_at < timedelta(seconds=self.service.taken_seconds)
        return taken or (self.service.is_crowded and function in at_work)

    def tick(self, function: str) -> None:
        """Send a tick of a function."""
        self.ticks.send(function, self.now)

    def tick_in_full(self) -> None:
        """Have looks and the auditor's ticks from now on."""
        self.ticks.are_whole = True
        put_looks_of_this_minute(self.queues, self.now)


def _nothing(_: object) -> None:
    """No caller waits for the answer."""
