"""The archiver: whatever happens at any of its calls, each record is in one file, and sealed once.

It has no part in a story of minutes: its rounds last days. So its flow is lived through by itself:
ticks, on tables that have what two tenants left, until a month is archived and sealed.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import pytest

from examples.ledger_audit.verify_ledger import Verification
from tests.crash.conftest import TRIED
from tests.crash.faults import Call, Fault, faults_of, second_fault
from tests.crash.selection import EVERY, WHOLE
from tests.crash.services.cloud import Cloud
from tests.crash.services.streams import RUNS
from tests.support.factories import NOW, attempt_factory, attempt_id, job_id
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import stored, to_item
from timegate.adapters.parquet.reader import read_rows
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.run import RunState
from timegate.domain.values.tenant import TenantId

pytestmark = pytest.mark.wide

TENANTS = tuple(map(TenantId, ("acme", "globex")))
#: A round then ends behind November.
LATER = NOW + timedelta(days=12)
MONTH = "2026-11"
#: So many faults are followed by another one.
_PAIRS = 1_000_000 if WHOLE else 4
#: A tick that died is repeated twice; the next one comes with the hour.
_TICKS = 5

Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def kept(cloud: Cloud) -> Cloud:
    """Runs of two tenants that ended on three days, one of them in another month."""
    for tenant in TENANTS:
        for number, days in enumerate((0, 1, 10)):
            ended_at = NOW + timedelta(days=days)
            attempt = attempt_factory(
                tenant=tenant,
                id=attempt_id(job=job_id(f"{tenant}-{number}"), scheduled_at=ended_at),
                state=RunState.SUCCEEDED,
                ended_at=ended_at,
                watch_at=None,
            )
            retention = timedelta(days=30)
            fields = attempt_to_fields(attempt, shards=ONE_SHARD, retention=retention)
            cloud.region.tables.put(RUNS, to_item(stored(fields)))
    return cloud


class Trial:
    """The flow, lived through again and again."""

    def __init__(self, cloud: Cloud, place: Path) -> None:
        self._cloud, self._place = cloud, place
        self.expected: Files = {}
        self.tried = 0
        self.broken: list[str] = []

    def meet(self, *faults: Fault) -> Sequence[Call]:
        """Live through it with these faults, and note what does not hold; the calls it made."""
        self.tried += 1
        try:
            self._live(*faults)
        except Exception as error:  # noqa: BLE001 - a matrix says all that is wrong with it
            self.broken.append(f"{', then '.join(map(str, faults))}: {error!r}")
            return ()
        return tuple(self._cloud.region.injector.calls)

    def _live(self, *faults: Fault) -> None:
        cloud, bucket = self._cloud, self._cloud.region.bucket
        cloud.region.clock.set(LATER)
        cloud.begin(faults)
        bucket.blobs.clear()
        seen: dict[str, bytes] = {}
        for _ in range(_TICKS):
            cloud.region.clock.set(_kept_hour(cloud.now))
            answered = cloud.invoke("archiver", {})
            found = _files(bucket.blobs)
            assert seen.items() <= found.items(), "a file was replaced"
            seen = found
            if answered is not None and not answered["segments"] and answered["seals"] == 0:
                break
        else:
            message = f"work is left after {_TICKS} ticks: {answered}"
            raise AssertionError(message)
        self._judge(seen)

    def _judge(self, found: Files) -> None:
        """The same rows, files and seals as without a fault, and signatures that hold."""
        lasting = {
            path: content
            for path, content in found.items()
            if not path.endswith((".sig", "complete.json"))
        }
        self.expected = self.expected or lasting
        assert lasting == self.expected
        rows = [
            (path.split("/")[1], row["run_id"])
            for path, content in found.items()
            if path.startswith("attempts/")
            for row in read_rows(content, ["run_id"])
        ]
        assert len(rows) == len(set(rows)) == 3 * len(TENANTS)
        copy = self._place / str(self.tried)
        for path, content in found.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(content)
        for tenant in TENANTS:
            verified = Verification(copy, tenant, [self._cloud.region.seal_key.pem])
            verified.verify(None, None, MONTH)
            assert verified.wrong == []
            assert verified.rows == 2


def _files(blobs: Files) -> dict[str, bytes]:
    return {unquote(path).lstrip("/"): content for path, content in blobs.items()}


def _kept_hour(now: datetime) -> datetime:
    """A tick that stood still is followed within the day in which the round ends."""
    return max(LATER, now)


def test_the_archive_keeps_its_promise_whatever_happens_at_any_call(
    kept: Cloud, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Death before a call, death after it, an answer that is lost, and a tick that stalls."""
    trial = Trial(kept, tmp_path)
    calls = trial.meet()
    faults = faults_of(calls, set(), every=EVERY)
    made = {fault: trial.meet(fault) for fault in faults}
    for first in faults[:: max(1, len(faults) // _PAIRS)]:
        second = second_fault(first, made[first], "archive") if made[first] else None
        if second is not None:
            trial.meet(first, second)
    record_property(TRIED, ("archive", len(calls), trial.tried))

    assert trial.broken == []
    assert {call.operation for call in calls} >= {"Scan", "PutObject", "GetPublicKey", "Sign"}
