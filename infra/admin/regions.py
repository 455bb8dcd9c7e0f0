"""``timegate admin region``: the pair of regions of a stage, as an operator sees and changes it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import boto3
from botocore.config import Config

from infra.admin.stage_access import NoStage, access_needed
from infra.stage.given.choices import CHOICES_OUTPUT, read_choices
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.dynamo.dispatch.stage_ticks import DynamoStageTicks
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.system_clock import SystemClock
from timegate.domain.regions.region_errors import PromotionRefused, RegionUnreached
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.values.instants import rfc3339
from timegate.ports.dispatch.regions import RegionStore
from timegate.usecases.regions.promote_region import (
    act_alone,
    fence_region,
    look_again,
    promote_region,
)

RIGHTS = (
    "cloudformation:DescribeStacks and dynamodb:DescribeTable in the region, dynamodb:GetItem and"
    " UpdateItem on the tables timegate-STAGE-region of both regions, and dynamodb:BatchGetItem on"
    " the table of jobs"
)
#: A call to a region that is down ends soon.
_BRISK = Config(connect_timeout=3, read_timeout=5, retries={"total_max_attempts": 2})
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True)
class PairAccess:
    """Both regions of a stage, reached from one of them."""

    stage: str
    #: The region that a command is about, and the other one.
    region: str
    peer: str
    own: RegionStore
    other: RegionStore
    #: The tables that are replicated, as the region has them.
    engine: Engine
    jobs_table: str
    #: By the clock of AWS, or that of this machine if it is ahead: no end is too early.
    now: datetime

    def status(self) -> dict[str, Any]:
        """Return what each region's record says, and how far ticks are replicated here."""
        records = {self.region: self.own, self.peer: self.other}
        told = {name: self._told(name, store) for name, store in records.items()}
        return {"stage": self.stage, "regions": told, "ticks_seen_until": self._ticks_seen()}

    def fence(self) -> RegionRecord:
        """End the time of the region."""
        return fence_region(self.own, self.region, now=self.now)

    def promote(self, *, unreachable: bool, is_off: bool, dry_run: bool) -> RegionRecord:
        """Let the region take over; ``unreachable``: the other one's record is not asked."""
        fenced = None if unreachable else self._fenced(dry_run=dry_run)
        own: RegionStore = _Unwritten(self.own) if dry_run else self.own
        return promote_region(self.region, own, fenced=fenced, is_off=is_off, now=self.now)

    def alone(self, *, unreachable: bool) -> RegionRecord:
        """Let the active region go on without promises of the other one."""
        return act_alone(self.region, self.own, peer=None if unreachable else self.other)

    def look_again(self) -> RegionRecord:
        """Owe a look at old buckets."""
        return look_again(self.own)

    def _fenced(self, *, dry_run: bool) -> RegionRecord | None:
        own = self.own.read()
        if own is not None and own.active == self.region:
            # It is repeated; the other region may be out of reach by now.
            return None
        store: RegionStore = _Unwritten(self.other) if dry_run else self.other
        return fence_region(store, self.peer, now=self.now)

    def _told(self, name: str, store: RegionStore) -> dict[str, Any] | str:
        try:
            record = store.read()
        except RegionUnreached as error:
            return str(error)
        return told(record, name, now=self.now) if record is not None else "no record"

    def _ticks_seen(self) -> str | None:
        """The end of what planners have read in the shard that is furthest behind."""
        ticks = DynamoStageTicks(self.engine, table=self.jobs_table)
        shards = ticks.open_shards()
        seen = [each.planned_to for each in ticks.read(shards)] if shards is not None else []
        known = [each for each in seen if each is not None]
        return rfc3339(min(known)) if known and len(known) == len(seen) else None


class _Unwritten:
    """A record that a dry run reads, and does not write."""

    def __init__(self, store: RegionStore) -> None:
        self._store = store

    def read(self) -> RegionRecord | None:
        """Read it."""
        return self._store.read()

    def replace(self, before: RegionRecord | None, after: RegionRecord) -> bool:
        """Say that it was written, if nothing else wrote it."""
        return self._store.read() == before != after


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


@contextmanager
def connected_pair(stage: str, region: str | None) -> Iterator[PairAccess]:
    """Reach a pair from a region, or from that of the credentials.

    Raises ``NoAccess``, ``NoStage`` and ``PromotionRefused``.
    """
    with access_needed(RIGHTS):
        session = boto3.Session(region_name=region)
        stacks = session.client("cloudformation", config=_BRISK)
        answer: Any = _described(stacks, stage)
        (stack,) = answer["Stacks"]
        outputs = {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}
        here = stacks.meta.region_name
        peer = _peer(outputs, here)
        engine = BotoEngine(session.client("dynamodb", config=_BRISK))
        there = BotoEngine(session.client("dynamodb", region_name=peer, config=_BRISK))
        table = f"timegate-{stage}-region"
        yield PairAccess(
            stage=stage,
            region=here,
            peer=peer,
            own=DynamoRegionStore(engine, table=table),
            other=PeerRegionStore(DynamoRegionStore(there, table=table)),
            engine=engine,
            jobs_table=outputs["JobsTableName"],
            now=latest_now(answer["ResponseMetadata"]["HTTPHeaders"]["date"]),
        )


def _described(stacks: Any, stage: str) -> Any:  # noqa: ANN401 - of CloudFormation
    try:
        return stacks.describe_stacks(StackName=f"Timegate-{stage}-Data")
    except stacks.exceptions.ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            raise NoStage(stage) from error
        raise


def _peer(outputs: dict[str, str], here: str) -> str:
    pair = read_choices(outputs[CHOICES_OUTPUT]).get("regionPair", "").split(",")
    others = [each.strip() for each in pair if each.strip() != here]
    if len(pair) != len(("home", "other")) or len(others) != 1:
        raise PromotionRefused(f"The stage is not deployed as one of a pair in {here}.")
    return others[0]


def latest_now(date: str) -> datetime:
    """Return the later one of this machine's time and that of AWS's answer, cut to seconds there.

    A clock that is behind would end the other region's time on record before it ends.
    """
    theirs = parsedate_to_datetime(date) + _SECOND
    return max(theirs, SystemClock().now())


def replica_streams(stage: str, region: str | None) -> str:
    """Return the setting ``replicaStreams`` of the other region; raises as ``connected_pair``."""
    with connected_pair(stage, region) as pair, access_needed(RIGHTS):
        session = boto3.Session()
        here = session.client("cloudformation", region_name=pair.region, config=_BRISK)
        (stack,) = here.describe_stacks(StackName=f"Timegate-{stage}-Data")["Stacks"]
        outputs = {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}
        there = session.client("dynamodb", region_name=pair.peer, config=_BRISK)
        names = (outputs["JobsTableName"], outputs["RunsTableName"])
        tables = [there.describe_table(TableName=each)["Table"] for each in names]
        return ",".join(each["LatestStreamArn"] for each in tables)
