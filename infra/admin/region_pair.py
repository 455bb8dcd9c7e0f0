"""A pair of regions, reached from one of them with an operator's own credentials."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from botocore.config import Config

from infra.admin.account.operator_session import operator_session
from infra.admin.regions import PairAccess
from infra.admin.stage_access import (
    DescribedStage,
    access_needed,
    described_stage,
    principal_of,
)
from infra.stage.given.choices import CHOICES_OUTPUT, read_choices
from timegate.adapters.dynamo.auditing.takeover_walks import DynamoTakeoverWalks
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.system_clock import SystemClock
from timegate.domain.regions.region_errors import PromotionRefused

RIGHTS = (
    "cloudformation:DescribeStacks in the region, dynamodb:GetItem, UpdateItem, PutItem and Query"
    " on the tables timegate-STAGE-region of both regions, and dynamodb:GetItem and BatchGetItem"
    " on the table of jobs in both"
)
STREAM_RIGHTS = (
    "cloudformation:DescribeStacks in the region, and dynamodb:DescribeTable on both replicas in"
    " the other one"
)
#: A call to a region that is down ends soon.
_BRISK = Config(connect_timeout=3, read_timeout=5, retries={"total_max_attempts": 2})
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True)
class _Reached:
    """The region that a command is about, and the name of the other one."""

    session: Any
    described: DescribedStage
    here: str
    peer: str

    def client(self, service: str, region: str) -> Any:  # noqa: ANN401 - of any service
        """Build a client of a region, which may be down."""
        return self.session.client(service, region_name=region, config=_BRISK)


@contextmanager
def connected_pair(stage: str, region: str | None) -> Iterator[PairAccess]:
    """Reach a pair from a region, or from that of the credentials.

    Raises ``NoAccess``, ``NoStage`` and ``PromotionRefused``.
    """
    with access_needed(RIGHTS):
        reached = _reached(stage, region)
        engine, there = (
            BotoEngine(reached.client("dynamodb", each)) for each in (reached.here, reached.peer)
        )
        table = f"timegate-{stage}-region"
        jobs = reached.described.outputs["JobsTableName"]
        yield PairAccess(
            stage=stage,
            region=reached.here,
            peer=reached.peer,
            own=DynamoRegionStore(engine, table=table),
            other=PeerRegionStore(DynamoRegionStore(there, table=table)),
            walks={
                name: DynamoTakeoverWalks(each, table=table, jobs_table=jobs)
                for name, each in ((reached.here, engine), (reached.peer, there))
            },
            engine=engine,
            peer_engine=there,
            jobs_table=jobs,
            now=latest_now(reached.described.date),
            by=principal_of(reached.session, reached.client("sts", reached.here)),
        )


def replica_streams(stage: str, region: str | None) -> str:
    """Return the setting ``replicaStreams`` of the other region; raises as ``connected_pair``."""
    with access_needed(STREAM_RIGHTS):
        reached = _reached(stage, region)
        there = reached.client("dynamodb", reached.peer)
        outputs = reached.described.outputs
        names = (outputs["JobsTableName"], outputs["RunsTableName"])
        tables = [there.describe_table(TableName=each)["Table"] for each in names]
        return ",".join(each["LatestStreamArn"] for each in tables)


def _reached(stage: str, region: str | None) -> _Reached:
    session = operator_session(region)
    stacks = session.client("cloudformation", config=_BRISK)
    described = described_stage(stacks, stage)
    here = stacks.meta.region_name
    return _Reached(
        session=session, described=described, here=here, peer=_peer(described.outputs, here)
    )


def _peer(outputs: Mapping[str, str], here: str) -> str:
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
