"""Capacity a second that is taken in turn, and the record of waits for it."""

from dataclasses import dataclass

#: A component counts as saturated once it made work wait so long.
SATURATED_SECONDS = 0.5


@dataclass(kw_only=True, slots=True)
class Component:
    """Anything that work may have to wait for."""

    name: str
    waited_seconds: float = 0.0
    refusals: int = 0
    #: When it first made work wait for longer than ``SATURATED_SECONDS``; ``None``: never.
    saturated_at: float | None = None

    def wait(self, seconds: float, *, now: float, weight: float = 1) -> None:
        """Record that ``weight`` runs wait."""
        self.waited_seconds += seconds * weight
        if seconds >= SATURATED_SECONDS and self.saturated_at is None:
            self.saturated_at = now

    def forget(self) -> None:
        """Forget what was recorded so far."""
        self.waited_seconds, self.refusals, self.saturated_at = 0.0, 0, None

    def refuse(self, *, now: float) -> None:
        """Record a throttle."""
        self.refusals += 1
        if self.saturated_at is None:
            self.saturated_at = now


@dataclass(kw_only=True, slots=True)
class Throughput(Component):
    """Units a second, without a burst: what is not used is lost, which is the worst AWS allows."""

    per_second: float
    taken: float = 0.0
    _free_at: float = 0.0

    def forget(self) -> None:
        """Forget what was recorded and taken so far; what waits still waits."""
        Component.forget(self)
        self.taken = 0.0

    def delay(self, now: float) -> float:
        """Return how long a taker waits now."""
        return max(self._free_at - now, 0.0)

    def take(self, units: float, now: float, *, share: float = 1) -> float:
        """Take units behind those taken before; return the wait in seconds.

        ``share``: of the throughput, that is there now.
        """
        begins = max(self._free_at, now)
        self._free_at = begins + units / self.per_second / share
        self.taken += units
        return self._free_at - now


@dataclass(kw_only=True, slots=True)
class Tables:
    """Write throughput of both tables and of the partitions of their indexes."""

    throughputs: dict[str, Throughput]
    #: From when to when, and to what share, all of it is throttled.
    dips: tuple[tuple[float, float, float], ...] = ()

    def take(
        self, units: dict[str, float], now: float, *, patience: float, times: float = 1
    ) -> float | None:
        """Take units of several; ``None``, with nothing taken, where one waits beyond ``patience``.

        Return the longest wait in seconds.
        """
        share = self._share(now)
        for name in units:
            each = self.throughputs[name]
            if each.delay(now) > patience:
                each.refuse(now=now)
                return None
        waits = {
            name: self.throughputs[name].take(count * times, now, share=share)
            for name, count in units.items()
        }
        for name, seconds in waits.items():
            self.throughputs[name].wait(seconds, now=now, weight=times)
        return max(waits.values(), default=0.0)

    def _share(self, now: float) -> float:
        return next((share for begin, end, share in self.dips if begin <= now < end), 1.0)
