"""A kept local cloud goes on where it stood: after a stop, and after a crash from its last copy."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from infra.local import cloud
from infra.local.cloud import STATE, CloudFailed, LocalCloud, kept_port

pytestmark = pytest.mark.wide

STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
DAY_SECONDS = 24 * 60 * 60


class Kept:
    """One home, in which one cloud follows the other."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.cloud = self._started()

    def stop_and_start(self) -> None:
        """Stop the cloud in peace, and start the next one."""
        self.cloud.stop()
        self.cloud = self._started()

    def crash_and_start(self) -> None:
        """End the cloud as a power cut does, and start the next one."""
        os.killpg(self.cloud.pid, signal.SIGKILL)
        assert self.cloud.process is not None
        self.cloud.process.wait()
        self.cloud = self._started()

    def wait_for_a_snapshot(self) -> None:
        """Wait until a snapshot that began after this call is complete."""
        tables = self.home / STATE / "dynamodb.json"
        for _ in range(2):
            before = tables.stat().st_mtime_ns if tables.exists() else 0
            # Something new in each: a file is replaced only if its state is another.
            self.cloud.client("dynamodb").put_item(
                TableName="jobs", Item={"pk": {"S": "tick"}, "at": {"S": str(before)}}
            )
            deadline = time.monotonic() + 30
            while not tables.exists() or tables.stat().st_mtime_ns == before:
                assert time.monotonic() < deadline, "no snapshot within 30 s"
                time.sleep(0.05)

    def _started(self) -> LocalCloud:
        return LocalCloud.start(self.home, snapshot_seconds=0.5)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    """A cloud with one table that has a stream."""
    kept = Kept(tmp_path / "home")
    kept.cloud.client("dynamodb").create_table(
        TableName="jobs",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification=STREAM,
    )
    yield kept
    kept.cloud.stop()


#: A kept cloud that is stopped while a call goes on.
STOPPED = """
import os, threading, time
from infra.local.kept_state import keep_state
from ministack import app
keep_state(snapshot_seconds=3600)
threading.Thread(target=time.sleep, args=(600,)).start()
app.save_all({"calls": lambda: {"kept": True}})
"""


def test_a_call_that_goes_on_holds_up_no_stop(tmp_path: Path) -> None:
    """The cloud ends with its last write."""
    state = tmp_path / "state"
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED],
        env={**os.environ, "STATE_DIR": str(state), "PERSIST_STATE": "1"},
        start_new_session=True,
    ) as stopped:
        assert stopped.wait(timeout=120) == -signal.SIGKILL

    assert '"kept": true' in (state / "calls.json").read_text()


def items(kept: Kept) -> set[str]:
    """The keys in the table."""
    found = kept.cloud.client("dynamodb").scan(TableName="jobs")["Items"]
    return {each["pk"]["S"] for each in found}


def put(kept: Kept, key: str) -> None:
    """Write one item."""
    kept.cloud.client("dynamodb").put_item(TableName="jobs", Item={"pk": {"S": key}})


def streamed(kept: Kept) -> list[str]:
    """The keys of all records that a new reader of the table's stream finds."""
    streams = kept.cloud.client("dynamodbstreams")
    (stream,) = streams.list_streams(TableName="jobs")["Streams"]
    described = streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]
    iterator = streams.get_shard_iterator(
        StreamArn=stream["StreamArn"],
        ShardId=described["Shards"][0]["ShardId"],
        ShardIteratorType="TRIM_HORIZON",
    )["ShardIterator"]
    records = streams.get_records(ShardIterator=iterator)["Records"]
    return [each["dynamodb"]["Keys"]["pk"]["S"] for each in records]


def test_a_stopped_cloud_comes_back_on_its_port_with_all_that_it_held(kept: Kept) -> None:
    """Items, stream records that were not read, messages and objects."""
    port = kept.cloud.port
    put(kept, "first")
    queue = kept.cloud.client("sqs").create_queue(QueueName="lane")["QueueUrl"]
    kept.cloud.client("sqs").send_message(QueueUrl=queue, MessageBody="run")
    kept.cloud.client("s3").create_bucket(Bucket="payloads")
    kept.cloud.client("s3").put_object(Bucket="payloads", Key="big", Body=b"{}")

    kept.stop_and_start()
    put(kept, "second")

    assert kept.cloud.port == port
    assert items(kept) == {"first", "second"}
    assert streamed(kept) == ["first", "second"]
    (message,) = kept.cloud.client("sqs").receive_message(QueueUrl=queue)["Messages"]
    assert message["Body"] == "run"
    assert kept.cloud.client("s3").get_object(Bucket="payloads", Key="big")["Body"].read() == b"{}"


def test_a_crash_takes_only_what_came_after_the_last_snapshot(kept: Kept) -> None:
    """The copy on disk is whole: an item and its stream record are both in it."""
    put(kept, "first")
    kept.wait_for_a_snapshot()

    kept.crash_and_start()

    assert items(kept) == {"first", "tick"}
    assert streamed(kept)[0] == "first"


def test_a_service_that_did_not_change_is_not_written_again(kept: Kept) -> None:
    """Code and layers are tens of megabytes, and a snapshot is taken each minute."""
    kept.cloud.client("s3").create_bucket(Bucket="payloads")
    kept.wait_for_a_snapshot()
    buckets = kept.home / STATE / "s3.json"
    written = buckets.stat().st_mtime_ns

    kept.wait_for_a_snapshot()

    assert buckets.stat().st_mtime_ns == written


def test_log_events_older_than_their_groups_retention_are_forgotten(kept: Kept) -> None:
    """An hour less than the retention stays, an hour more goes; without one, all stay."""
    logs, now = kept.cloud.client("logs"), time.time()
    ages = (DAY_SECONDS - 3600, DAY_SECONDS + 3600)
    for group in ("short", "endless"):
        logs.create_log_group(logGroupName=group)
        logs.create_log_stream(logGroupName=group, logStreamName="one")
        events = [
            {"timestamp": int((now - age) * 1000), "message": str(age)} for age in reversed(ages)
        ]
        logs.put_log_events(logGroupName=group, logStreamName="one", logEvents=events)
    logs.put_retention_policy(logGroupName="short", retentionInDays=1)

    kept.wait_for_a_snapshot()

    def left(group: str) -> list[str]:
        found = logs.filter_log_events(logGroupName=group)["events"]
        return [each["message"] for each in found]

    assert left("short") == [str(ages[0])]
    assert left("endless") == [str(ages[1]), str(ages[0])]


def test_a_kept_cloud_waits_while_the_one_before_leaves_its_port(tmp_path: Path) -> None:
    """A socket may outlive the process that was killed."""
    port = kept_port(tmp_path)
    other = socket.socket()
    other.bind(("127.0.0.1", port))
    other.listen()
    left = Timer(0.2, other.close)
    left.start()

    assert kept_port(tmp_path) == port
    left.join()


def test_a_kept_cloud_does_not_start_while_its_port_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its queues are named by the port, so it may not take another one."""
    monkeypatch.setattr(cloud, "PORT_SECONDS", 0.1)
    port = kept_port(tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()

        with pytest.raises(CloudFailed, match=f"Port {port} is in use.*make local-reset"):
            kept_port(tmp_path)

    assert kept_port(tmp_path) == port


def test_two_homes_keep_ports_of_their_own(tmp_path: Path) -> None:
    """Two checkouts on one machine run side by side."""
    assert kept_port(tmp_path / "one") != kept_port(tmp_path / "two")
