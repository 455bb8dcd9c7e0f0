"""Opening shards: no process writes into one before the record says that ticks must serve it."""

from secrets import token_bytes

from timegate.domain.dispatch.shards import KEY_BYTES, OpenShards, Placement
from timegate.domain.values.errors import Throttled
from timegate.ports.clock import Clock
from timegate.ports.dispatch.shards import ShardStore


def open_shards(wanted: int, store: ShardStore, clock: Clock) -> OpenShards:
    """See to it that at least ``wanted`` shards are open and in use; what is open then.

    One read where they are. Fewer are never made of more here: what was written into them waits.
    The first who opens any makes the stage's placement key.
    """
    while True:
        stored = store.read()
        now = clock.now()
        opened = (
            OpenShards.first(wanted, at=now, key=token_bytes(KEY_BYTES))
            if stored is None
            else stored.with_open(wanted, at=now)
        )
        # A refusal means that another tick has opened some: they cannot run out of numbers.
        if opened == stored or store.replace(stored, opened):
            return opened


class OpeningSpread:
    """The spread of those who create jobs and runs: they open the shards they are told to use."""

    def __init__(self, wanted: int, store: ShardStore, clock: Clock) -> None:
        self._wanted = wanted
        self._store = store
        self._clock = clock
        self._opened: Placement | None = None

    def __call__(self) -> Placement:
        """The number this process was deployed with, once all of them are open."""
        if self._opened is None:
            opened = open_shards(self._wanted, self._store, self._clock)
            self._opened = opened.placement(self._wanted)
        return self._opened


class ObedientSpread:
    """The spread of those who only change runs: as many as they were told, if they are open.

    The number is that of the process's first write: a shard that was open then is served until a
    later deployment has replaced every such process (``docs/operations/deploying.md``).
    """

    def __init__(self, wanted: int, store: ShardStore) -> None:
        self._wanted = wanted
        self._store = store
        self._told: Placement | None = None

    def __call__(self) -> Placement:
        """Fewer than this process was deployed with while the others are not open yet.

        Raises ``Throttled`` before the first shard is open: then no run can exist either.
        """
        if self._told is None:
            stored = self._store.read()
            if stored is None:
                raise Throttled("No shard is open yet; the planner's next tick opens them.")
            self._told = stored.placement(min(self._wanted, stored.used))
        return self._told
