"""AWS delivers in a story by its own rules, and less kindly than on most days."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random

#: A schedule invokes its target at some moment of the minute that it names.
_MOMENTS = 60_000


@dataclass(frozen=True, kw_only=True)
class Service:
    """Service of a story; without arguments, everything comes in time, once."""

    #: Seed of the moments at which ticks come; ``None``: at the beginning of their minute.
    seed: str | None = None
    #: Every message, stream record and asynchronous invocation comes again so many seconds later:
    #: AWS delivers each at least once. ``None``: once.
    again_after: float | None = None
    #: One batch of each executor is at work at once. Messages that its source receives meanwhile
    #: are throttled, and show themselves again when the queue no longer hides them.
    is_crowded: bool = False
    #: Queues refuse one entry of each batch, once: to send it, to hide it or to delete it.
    refuses_entries: bool = False
    #: Queues hand over what came last first, and count what lay in them up to a minute ago.
    is_careless: bool = False
    #: For so many seconds others have the lanes to themselves: each batch is throttled.
    taken_seconds: float = 0

    def tick_delay(self, function: str, minute: int) -> timedelta:
        """From the beginning of a minute, counted from that of the story, to a function's tick."""
        if self.seed is None:
            return timedelta(0)
        moment = Random(f"{self.seed} {function} {minute}").randrange(_MOMENTS)
        return timedelta(milliseconds=moment)

    @property
    def delays(self) -> list[timedelta]:
        """Delays of each delivery after the first possible instant."""
        again = [] if self.again_after is None else [timedelta(seconds=self.again_after)]
        return [timedelta(0), *again]


KIND = Service()
