"""A stage in two regions, which fire, renew their time and are promoted as production does."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any

from tests.support.factories import NOW
from tests.support.regions.replication import Replication
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE, Records
from tests.support.stores.stores_on import stores_on
from tests.support.world import World, delivery
from timegate.adapters.dynamo.auditing.takeover_walks import DynamoTakeoverWalks
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.fenced_engine import FencedEngine
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.auditing.unarrived import LostTime
from timegate.domain.regions.region_errors import RegionUnreached
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.regions.region_step import RegionStep
from timegate.domain.values.tenant_errors import RegionPassive
from timegate.ports.dispatch.regions import RegionStore
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.planning.mend_jobs import Share, mend_jobs
from timegate.usecases.regions.region_at_hand import RegionAtHand
from timegate.usecases.regions.renew_region import RegionPair, Renewal, renew_region
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.usecases.services.planner_services import Scheduling
from timegate.usecases.sweeping.sweeper_services import Sweeping

HOME, OTHER = "eu-west-1", "eu-central-1"
LENGTH = timedelta(minutes=5)
#: The table of a region's record.
RECORDS = "region"


class Region(World):
    """One region: what acts in it asks the region's record first."""

    def __init__(self, name: str, records: DynamoRegionStore, engine: Any = None) -> None:  # noqa: ANN401
        super().__init__(tables=Records(engine))
        self.name = name
        self.records = records
        self.at_hand = RegionAtHand(records, name, self.clock)
        #: Ends of runs are written at any time.
        self.unfenced_runs = self.runs
        fenced = FencedEngine(self.tables.engine, self.at_hand)
        stores = stores_on(
            fenced,
            jobs=JOBS_TABLE,
            runs=RUNS_TABLE,
            shards=self._spread,
            trail=self.tables.trail,
            blobs=self.blobs,
        )
        for each in fields(stores):
            setattr(self, each.name, getattr(stores, each.name))
        self.cursors = DynamoCursorStore(fenced, table=JOBS_TABLE, owed_look=self.at_hand.owed_look)
        self.walks = DynamoTakeoverWalks(
            self.tables.engine, table=JOBS_TABLE, jobs_table=JOBS_TABLE
        )
        #: Claimed, and held by a worker that has not ended them.
        self.held: list[tuple[Claimed, Execution]] = []
        #: Its processes are gone.
        self.is_down = False

    @property
    def calendars(self) -> CalendarsAtHand:
        """Restrictions know what is in doubt."""
        return CalendarsAtHand(
            self.restrictions, self.telemetry, lost_until=self.at_hand.lost_until
        )

    @property
    def scheduling(self) -> Scheduling:
        """Build the services that planner and API share."""
        return replace(super().scheduling, calendars=self.calendars)

    @property
    def sweeping(self) -> Sweeping:
        """Build the sweeper's services."""
        return replace(super().sweeping, lost_until=self.at_hand.lost_until)

    def execution(self, *, owner: str = "worker-1", **changes: Any) -> Execution:  # noqa: ANN401
        """One invocation of an executor."""
        own = {"begins_until": self.at_hand.begins_until}
        built = super().execution(owner=f"{self.name}/{owner}", **(own | changes))
        return replace(built, runs=self.unfenced_runs, calendars=self.calendars)

    def work(self, minute: bool) -> None:
        """Let each function work once, as its source invokes it."""
        if self.is_down:
            return
        if minute and self.at_hand.acts():
            self._quietly(self.tick)
            self._quietly(self.mend)
            self._quietly(self.sweep)
        if self.at_hand.acts():
            self._quietly(self.look)
            self._quietly(self.stream)
        else:
            self.read_images = len(self.tables.images)
        now, sent = self.clock.now(), self.publisher.sent
        self.publisher.sent = [each for each in sent if each_due(each) > now]
        due = [delivery(each, n) for n, each in enumerate(sent) if each_due(each) <= now]
        if due:
            self.execute(due)

    def mend(self) -> None:
        """Go on with the walk that the planner owes after a promotion."""
        look, lost_until = self.at_hand.owed_look(), self.at_hand.lost_until()
        if look is not None and lost_until is not None:
            lost = LostTime(since=look.since, until=lost_until)
            now, share = self.clock.now(), Share(shard=0, of=1)
            mend_jobs(
                share,
                look.number,
                lost,
                self.walks,
                self.rules.rules_at_hand,
                self.scheduling,
                now=now,
                has_time=lambda: True,
            )

    def _quietly(self, function: Any) -> None:  # noqa: ANN401 - any function
        """A function that meets the end of its region's time fails, and is not invoked again."""
        with suppress(RegionPassive):
            function()

    def hold(self, deliveries: Sequence[Delivery]) -> None:
        """Claim runs, and let their workers stand still."""
        execution = self.execution(owner="slow")
        self.held += [(each, execution) for each in claim_runs(deliveries, execution).held]


def each_due(sent: Any) -> datetime:  # noqa: ANN401 - a message
    """Return the due instant of a message."""
    due: datetime = sent.message.due_at
    return due


@dataclass
class Peer:
    """The record of the other region, over the link."""

    store: RegionStore
    pair: "TwoRegions"

    def read(self) -> RegionRecord | None:
        """Read it."""
        self._reach()
        return self.store.read()

    def replace(
        self, before: RegionRecord | None, after: RegionRecord, *, step: RegionStep | None = None
    ) -> bool:
        """Replace it."""
        self._reach()
        return self.store.replace(before, after, step=step)

    def steps(self) -> tuple[RegionStep, ...]:
        """Read steps of operators."""
        self._reach()
        return self.store.steps()

    def _reach(self) -> None:
        if self.pair.replication.is_cut:
            raise RegionUnreached("cut")


@dataclass
class TwoRegions:
    """A pair of regions with one clock, a replication and a link."""

    step: int = 2
    #: Tables of each region; those in memory without.
    engines: dict[str, Any] = field(default_factory=dict)
    #: Tables of records, which are not replicated.
    record_engines: dict[str, Any] = field(
        default_factory=lambda: {name: MemoryEngine() for name in (HOME, OTHER)}
    )
    home: Region = field(init=False)
    other: Region = field(init=False)
    renewals: list[tuple[datetime, str, Renewal]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home, self.other = (
            Region(name, DynamoRegionStore(engine, table=RECORDS), self.engines.get(name))
            for name, engine in self.record_engines.items()
        )
        engines = {each.name: each.tables.engine for each in self.regions}
        self.replication = Replication(engines, lambda: self.now)

    @property
    def regions(self) -> tuple[Region, Region]:
        """Both."""
        return self.home, self.other

    @property
    def now(self) -> datetime:
        """The time in both."""
        return self.home.clock.now()

    def pair(self, region: Region) -> RegionPair:
        """The pair as a region sees it."""
        (peer,) = (each for each in self.regions if each is not region)
        return RegionPair(
            region=region.name,
            home=HOME,
            own=region.records,
            peer=Peer(PeerRegionStore(peer.records), self),
            length=LENGTH,
            telemetry=region.telemetry,
        )

    def run_until(self, instant: datetime) -> None:
        """Let both regions work, step by step."""
        while self.now < instant:
            for each in self.regions:
                each.clock.advance(self.step)
            minute = (self.now - NOW).total_seconds() % 60 < self.step
            for each in self.regions:
                if minute and not each.is_down:
                    renewal = renew_region(self.pair(each), now=self.now)
                    self.renewals.append((self.now, each.name, renewal))
                    each.at_hand.forget()
                each.work(minute)
            latest = max(each.clock.now() for each in self.regions)
            for each in self.regions:
                each.clock.set(latest)
            self.replication.step()

    def fired(self) -> Counter[str]:
        """Count the beginnings of each run, in either region."""
        return Counter(str(call.attempt.run) for each in self.regions for call in each.target.calls)
