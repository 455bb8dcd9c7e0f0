"""A region in virtual time: streams, queues and ticks drive the functions, as event sources do."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any

from tests.crash.actors import Actor, Context
from tests.crash.faults import NOBODY, Fault, Outage
from tests.crash.functions import TIMEOUT_SECONDS
from tests.crash.queues import Queue, Queues
from tests.crash.region import Region
from tests.crash.streams import readers
from tests.crash.targets import owned
from tests.support.api import SCOPES, Answer, gateway_event
from timegate.domain.buckets import INDEX_MARGIN, LONGEST_LIFE
from timegate.domain.instants import compact

Answered = dict[str, Any] | None
#: What follows the end of an invocation; it is told the answer.
Then = Callable[[Any], None]

MINUTE = timedelta(minutes=1)
#: Whatever a flow began has ended by then, faults and all.
PATIENCE = timedelta(minutes=45)
#: How often a caller repeats a request that was not answered, or by a fault of ours.
ASKS = 4


@dataclass(order=True)
class Appointment:
    """Something that a caller does at an instant."""

    at: datetime
    act: Callable[[], object] = field(compare=False)


class Cloud:
    """Everything that happens between a request and the last record it leaves behind."""

    def __init__(self, region: Region) -> None:
        self.region = region
        region.live = self._wait
        region.machine.later, region.machine.start = self.at, partial(self.start, "dag_steps")
        #: Invocations under way, each with what follows its end.
        self.actors: list[tuple[Actor, Callable[[], None]]] = []
        self.readers = readers(self.queues.rejected)
        self.appointments: list[Appointment] = []
        self.next_tick = region.clock.now()
        #: Called after each invocation, however it ended.
        self.watch: Callable[[], None] = lambda: None
        #: So long the next executors have to live.
        self.short_lives: list[int] = []
        #: Of these functions one works at a time: ticks that come meanwhile are refused.
        self.crowded: set[str] = set()
        #: Ticks of these functions do not come before then.
        self.silent_until: dict[str, datetime] = {}
        self.ticked = 0
        self.outage: Outage | None = None
        self.began_at = self.now

    @property
    def now(self) -> datetime:
        """The instant the region stands at."""
        return self.region.clock.now()

    @property
    def queues(self) -> Queues:
        """All of them."""
        return self.region.queues

    def begin(self, faults: Collection[Fault]) -> None:
        """A new story: nothing is on its way, and calls are counted from here."""
        for actor, _ in self.actors:
            self.region.injector.current = actor.process
            actor.abandon()
        self.actors.clear()
        self.appointments.clear()
        self.short_lives.clear()
        self.queues.clear()
        for reader in self.readers:
            reader.begin(self.region.tables.end_of_stream(reader.table))
        self.region.clock.set(self.now.replace(second=10, microsecond=0) + MINUTE)
        self.next_tick = self.now.replace(second=0) + MINUTE
        self.began_at, self.outage = self.now, None
        # Which buckets a tick reads must not depend on the story before.
        now = self.now.replace(second=0)
        sealed = now - LONGEST_LIFE - INDEX_MARGIN
        self.region.tables.set_watermarks(compact(now - INDEX_MARGIN), compact(sealed))
        self.crowded.clear()
        self.silent_until.clear()
        self.region.begin(faults)

    def at(self, seconds: float, act: Callable[[], object]) -> None:
        """Do something so many seconds from now."""
        self.appointments.append(Appointment(self.now + timedelta(seconds=seconds), act))
        self.appointments.sort()

    # --- invocations

    def start(self, function: str, event: dict[str, Any], then: Then, **told: Any) -> Actor:  # noqa: ANN401
        """Begin an invocation; ``then`` is told what it answered, or ``None`` if it did not."""
        process = self.region.injector.started(function, self.now)
        if self.outage is not None and self.outage.strikes(function, self.now - self.began_at):
            process.dies_after = self.outage.calls
        told = {"remaining_ms": TIMEOUT_SECONDS[function] * 1000} | told
        context = Context(aws_request_id=process.name, **told)
        container = self.region.container(function)
        actor = Actor(process, lambda: container.handle(event, context))
        self.actors.append((actor, lambda: self._end(actor, container, then)))
        self._give_turn(actor, actor.begin)
        return actor

    def invoke(self, function: str, event: dict[str, Any]) -> Any:  # noqa: ANN401 - as each answers
        """An invocation that is waited for; ``None`` when it died or failed."""
        actor = self.start(function, event, _nothing)
        while not actor.done:
            self._advance()
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
        """A caller's request, repeated as long as nobody answers it."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        text = None if body is None else owned(json.dumps(body), tenant)
        if text is not None:
            named["Content-Type"] = "application/json"
        claims = {"client_id": tenant, "scope": SCOPES}
        event = gateway_event(method, path, body=text, headers=named, claims=claims)
        answered = None
        for _ in range(ASKS):
            response = self.invoke(function, event)
            answered = Answer.of(response) if response is not None else None
            if answered is not None and answered.status < 500:
                return answered
            self.live_until(self.now + timedelta(seconds=1))
        raise AssertionError(f"Nobody answers {method} {path}: {answered}")

    def _give_turn(self, actor: Actor, go: Callable[[], None]) -> None:
        injector = self.region.injector
        injector.current = actor.process
        go()
        injector.current = NOBODY
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
        injector.current = NOBODY
        self.watch()

    def _wait(self, until: datetime) -> None:
        """Whoever has his turn waits, and others have theirs."""
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
            idle = not self.appointments and not self.actors and self.queues.next_at() is None
            if idle and quiet():
                return
            assert self.now < limit, "it never comes to rest"
            self.region.clock.wait_until(self._next_at())

    def _advance(self) -> None:
        if not self._step():
            self.region.clock.wait_until(self._next_at())

    def _next_at(self) -> datetime:
        instants = [self.next_tick, self.queues.next_at()]
        instants += [appointment.at for appointment in self.appointments[:1]]
        instants += [actor.wakes_at for actor, _ in self.actors]
        return min(each for each in instants if each is not None)

    def _step(self) -> bool:
        """Do one thing that is to be done now, if there is any."""
        return (
            self._wake()
            or self._read_streams()
            or self._receive()
            or self._keep_appointment()
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
        for queue in self.queues.queues.values():
            messages = queue.receive(self.now)
            if not messages:
                continue
            dead = queue.dead_letters is None
            function = "dead_letter" if dead else f"executor {queue.name.rpartition('-')[2]}"
            hurried = bool(self.short_lives) and not dead
            told = {"remaining_ms": self.short_lives.pop(0)} if hurried else {}
            records = [message.record(queue.name) for message in messages]
            receipts = {message.id: message.receipt for message in messages}
            self.start(
                function, {"Records": records}, partial(self._delete, queue, receipts), **told
            )
            return True
        return False

    def _delete(self, queue: Queue, receipts: Mapping[str, str], answered: Answered) -> None:
        """What the poller does with a batch that was answered; any other shows itself again."""
        if answered is None:
            return
        failed = {each["itemIdentifier"] for each in answered["batchItemFailures"]}
        for message_id, receipt in receipts.items():
            if message_id in failed:
                continue
            deleted = queue.delete(receipt)
            if deleted is not None:
                self.queues.watch_deleted(deleted.body)

    def _keep_appointment(self) -> bool:
        if not self.appointments or self.appointments[0].at > self.now:
            return False
        self.appointments.pop(0).act()
        return True

    def _tick(self) -> bool:
        if self.now < self.next_tick:
            return False
        self.next_tick = self.now.replace(second=0, microsecond=0) + MINUTE
        self.ticked += 1
        at_work = {actor.process.function for actor, _ in self.actors}
        for function in ("planner", "sweeper"):
            silent = self.now < self.silent_until.get(function, self.now)
            if function not in self.crowded & at_work and not silent:
                self.tick(function)
        return True

    def tick(self, function: str) -> None:
        """Begin a tick of planner or sweeper."""
        self.start(function, {"shards": [0], "of": 1}, _nothing)


def _nothing(_: object) -> None:
    """Nobody asks."""
