"""``timegate admin region``: the pair of regions of a stage, as an operator sees and changes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from infra.admin.region_walks import walk_told
from timegate.adapters.dynamo.dispatch.stage_ticks import DynamoStageTicks
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.throttles import reached
from timegate.domain.regions.region_errors import RegionUnreached
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.regions.region_step import RegionCommand, RegionStep
from timegate.domain.regions.return_of_region import check_return, ticks_behind
from timegate.domain.values.instants import rfc3339
from timegate.ports.auditing import TakeoverWalkStore
from timegate.ports.dispatch.regions import RegionStore
from timegate.usecases.regions.promote_region import (
    act_alone,
    fence_region,
    look_again,
    promote_region,
)


@dataclass(frozen=True, kw_only=True)
class PairAccess:
    """Both regions of a stage, reached from one of them."""

    stage: str
    #: The region that a command is about, and the other one.
    region: str
    peer: str
    own: RegionStore
    other: RegionStore
    #: The walks over all jobs of each of both.
    walks: Mapping[str, TakeoverWalkStore]
    #: The tables that are replicated, as each region has them.
    engine: Engine
    peer_engine: Engine
    jobs_table: str
    #: By the clock of AWS, or that of this machine if it is ahead: no end is too early.
    now: datetime
    #: The principal who asks.
    by: str

    def status(self) -> dict[str, Any]:
        """Return what each region's record says, and how far ticks are replicated here.

        That of an active region says how far its walk over all jobs came, if it owes one.
        """
        records = {self.region: self.own, self.peer: self.other}
        told = {name: self._told(name, store) for name, store in records.items()}
        return {"stage": self.stage, "regions": told, "ticks_seen_until": self._ticks_seen()}

    def history(self) -> dict[str, Any]:
        """Return the latest steps of operators in each region."""
        records = {self.region: self.own, self.peer: self.other}
        return {"regions": {name: self._steps(name, store) for name, store in records.items()}}

    def fence(self) -> RegionRecord:
        """End the time of the region."""
        return fence_region(self._signed(RegionCommand.FENCE), self.region, now=self.now)

    def promote(self, *, unreachable: bool, is_off: bool, dry_run: bool) -> RegionRecord:
        """Let the region take over; ``unreachable``: the other one's record is not asked."""
        own, other = self._stores(RegionCommand.PROMOTE, dry_run=dry_run)
        fenced = None if unreachable else self._fenced(other)
        return promote_region(self.region, own, fenced=fenced, is_off=is_off, now=self.now)

    def fail_back(self, *, dry_run: bool) -> RegionRecord:
        """Let the region take over again, if it has been reached and has all ticks."""
        own, other = self._stores(RegionCommand.FAIL_BACK, dry_run=dry_run)
        stored = own.read()
        if stored is None or stored.active != self.region or stored.fenced:
            check_return(stored, other.read(), self._behind())
        return promote_region(self.region, own, fenced=self._fenced(other), now=self.now)

    def alone(self, *, unreachable: bool) -> RegionRecord:
        """Let the active region go on without promises of the other one."""
        own, other = self._stores(RegionCommand.ALONE)
        return act_alone(self.region, own, peer=None if unreachable else other)

    def look_again(self) -> RegionRecord:
        """Owe a look at old buckets."""
        return look_again(self._signed(RegionCommand.LOOK_AGAIN))

    def _signed(self, command: RegionCommand) -> RegionStore:
        return self._stores(command)[0]

    def _stores(
        self, command: RegionCommand, *, dry_run: bool = False
    ) -> tuple[RegionStore, RegionStore]:
        """Both records, as a command changes them."""
        if dry_run:
            return _Unwritten(self.own), _Unwritten(self.other)
        own, other = (
            _Signed(store=store, command=command, by=self.by, now=self.now)
            for store in (self.own, self.other)
        )
        return own, other

    def _fenced(self, other: RegionStore) -> RegionRecord | None:
        # A repeated command may find the other region out of reach by now.
        return None if self._is_active() else fence_region(other, self.peer, now=self.now)

    def _is_active(self) -> bool:
        own = self.own.read()
        return own is not None and own.active == self.region

    def _behind(self) -> timedelta | None:
        # A record that arrives between both looks is not behind.
        with reached():
            there = _marks(self.peer_engine, self.jobs_table)
        return ticks_behind(_marks(self.engine, self.jobs_table), there)

    def _told(self, name: str, store: RegionStore) -> dict[str, Any] | str:
        try:
            record = store.read()
            if record is None:
                return "no record"
            with reached():
                walks = self.walks[name].on_record()
        except RegionUnreached as error:
            return str(error)
        checked = walk_told(record, name, walks)
        return {**told(record, name, now=self.now), "jobs_checked": checked}

    def _steps(self, name: str, store: RegionStore) -> list[dict[str, Any]] | str:
        try:
            steps = store.steps()
        except RegionUnreached as error:
            return str(error)
        return [
            {
                "at": rfc3339(each.at),
                "command": each.command,
                "by": each.by,
                **told(each.record, name, now=each.at),
            }
            for each in steps
        ]

    def _ticks_seen(self) -> str | None:
        """The end of what planners have read in the shard that is furthest behind."""
        marks = _marks(self.engine, self.jobs_table)[::2]
        known = [each for each in marks if each is not None]
        return rfc3339(min(known)) if known and len(known) == len(marks) else None


def _marks(engine: Engine, table: str) -> list[datetime | None]:
    """Return how far planner and sweeper have come, by turns, in each open shard."""
    ticks = DynamoStageTicks(engine, table=table)
    shards = ticks.open_shards()
    if shards is None:
        return []
    return [mark for each in ticks.read(shards) for mark in (each.planned_to, each.swept_to)]


class _Unwritten:
    """A record that a dry run reads, and does not write."""

    def __init__(self, store: RegionStore) -> None:
        self._store = store

    def read(self) -> RegionRecord | None:
        """Read it."""
        return self._store.read()

    def replace(
        self,
        before: RegionRecord | None,
        after: RegionRecord,
        *,
        step: RegionStep | None = None,  # noqa: ARG002 - of the port
    ) -> bool:
        """Say that it was written, if nothing else wrote it."""
        return self._store.read() == before != after

    def steps(self) -> tuple[RegionStep, ...]:
        """Read steps."""
        return self._store.steps()


@dataclass(frozen=True, kw_only=True)
class _Signed:
    """A record whose changes are kept as steps of an operator."""

    store: RegionStore
    command: RegionCommand
    by: str
    now: datetime

    def read(self) -> RegionRecord | None:
        """Read it."""
        return self.store.read()

    def replace(
        self, before: RegionRecord | None, after: RegionRecord, *, step: RegionStep | None = None
    ) -> bool:
        """Write it with its step."""
        own = RegionStep(command=self.command, at=self.now, by=self.by, record=after)
        return self.store.replace(before, after, step=step or own)

    def steps(self) -> tuple[RegionStep, ...]:
        """Read steps."""
        return self.store.steps()


def told(record: RegionRecord, region: str, *, now: datetime) -> dict[str, Any]:
    """Return a record in words and instants."""
    until = record.acts_until
    return {
        "epoch": record.epoch,
        "active": record.active,
        "acts_now": record.acts(region, now=now),
        "acts_from": rfc3339(record.acts_from),
        "acts_until": rfc3339(until) if until is not None else "without an end",
        "fenced": record.fenced,
        "in_doubt_before": rfc3339(record.lost_until) if record.lost_until is not None else None,
    }
