"""A run queue: messages that are delayed, visible or in flight."""

import heapq
from collections import deque
from itertools import count

import simpy

from bench.scale import facts
from bench.scale.model.capacity import Component
from bench.scale.model.parcels import Parcel


class RunQueue:
    """The standard queue of one lane; ``changed`` happens when a message becomes visible."""

    def __init__(self, env: simpy.Environment, name: str) -> None:
        self._env = env
        self.name = name
        self.in_flight = 0
        self.visible = 0
        self.limit = Component(name=f"{name}: in flight")
        self._delayed: list[tuple[float, int, Parcel]] = []
        self._waiting: deque[Parcel] = deque()
        self._numbers = count()
        self._wakes_at: float | None = None
        self.changed = env.event()

    def send(self, parcel: Parcel, *, visible_at: float) -> None:
        """Store messages; they are visible from then on."""
        heapq.heappush(self._delayed, (visible_at, next(self._numbers), parcel))
        self._wake_at(visible_at)

    def receive(self, most: int) -> list[Parcel]:
        """Take visible messages, oldest first; they are in flight until they are deleted."""
        room = min(most, facts.QUEUE_IN_FLIGHT - self.in_flight)
        if room <= 0 and self.visible:
            self.limit.refuse(now=self._env.now)
        taken: list[Parcel] = []
        while room > 0 and self._waiting:
            parcel, rest = self._waiting.popleft().split(room)
            if rest is not None:
                self._waiting.appendleft(rest)
            taken.append(parcel)
            room -= parcel.count
            self.visible -= parcel.count
            self.in_flight += parcel.count
        return taken

    def delete(self, messages: int) -> None:
        """Delete received messages."""
        self.in_flight -= messages

    def _wake_at(self, at: float) -> None:
        if self._wakes_at is not None and self._wakes_at <= at:
            return
        self._wakes_at = at
        delay = max(at - self._env.now, 0)
        self._env.timeout(delay).callbacks.append(lambda _: self._show(at))

    def _show(self, at: float) -> None:
        if self._wakes_at == at:
            self._wakes_at = None
        while self._delayed and self._delayed[0][0] <= self._env.now:
            _, _, parcel = heapq.heappop(self._delayed)
            self._waiting.append(parcel)
            self.visible += parcel.count
        if self._delayed:
            self._wake_at(self._delayed[0][0])
        if self.visible and not self.changed.triggered:
            self.changed.succeed()
