"""The region's record at hand: what a process read of it a moment ago."""

from datetime import UTC, datetime
from threading import Lock

from timegate.domain.regions.region_record import READ_EVERY, OwedLook, RegionRecord
from timegate.domain.values.tenant_errors import RegionPassive
from timegate.ports.clock import Clock
from timegate.ports.dispatch.regions import RegionStore

_NEVER = datetime.min.replace(tzinfo=UTC)


class RegionAtHand:
    """Keeps the region's record: a read of one small item every ten seconds.

    A record that cannot be read raises, and its caller is tried again: a process acts by no record
    that is older.
    """

    def __init__(self, store: RegionStore, region: str, clock: Clock) -> None:
        self._store = store
        self._region = region
        self._clock = clock
        self._lock = Lock()
        self._read_at: datetime | None = None
        self._record: RegionRecord | None = None

    def record(self) -> RegionRecord | None:
        """Return the record as it is, or was up to ten seconds ago."""
        with self._lock:
            now = self._clock.now()
            if self._read_at is None or abs(now - self._read_at) >= READ_EVERY:
                self._record = self._store.read()
                self._read_at = now
            return self._record

    def forget(self) -> None:
        """Read the record anew at the next question."""
        with self._lock:
            self._read_at = None

    def acts(self) -> bool:
        """Tell if this region may plan, begin and change now."""
        record = self.record()
        return record is not None and record.acts(self._region, now=self._clock.now())

    def check(self) -> None:
        """Raise ``RegionPassive`` where this region may not act now."""
        if not self.acts():
            raise RegionPassive(self._other())

    def check_chosen(self) -> None:
        """Raise ``RegionPassive`` where the other region is the active one.

        While this one is, whatever it began is reported to it, though its time may have ended.
        """
        other = self._other()
        if other is not None:
            raise RegionPassive(other)

    def _other(self) -> str | None:
        """Return the other region where that is the active one."""
        record = self.record()
        return record.active if record is not None and record.active != self._region else None

    def begins_until(self) -> datetime | None:
        """Return the end of the time in which runs may begin here; ``None``: it has none.

        Where none may begin it is before every instant: a caller's now was read a moment ago.
        """
        record = self.record()
        if record is None or not record.acts(self._region, now=self._clock.now()):
            return _NEVER
        return record.acts_until

    def lost_until(self) -> datetime | None:
        """Return the end of the other region's time, up to which it may have begun runs."""
        record = self.record()
        return record.lost_until if record is not None and record.active == self._region else None

    def owed_look(self) -> OwedLook | None:
        """Return the look at old buckets that planner and sweeper owe."""
        record = self.record()
        return record.owed_look if record is not None else None
