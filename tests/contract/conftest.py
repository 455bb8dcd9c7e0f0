"""A local cloud for the session; new tables for every test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.config import Config

from infra.local.cloud import REGION, LocalCloud
from tests.support.stores.contract_stores import SHARDS, Stores, dynamo_stores, memory_stores
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.moto_inside import Aws, client_of, forget_tables
from timegate.adapters.archive.memory_files import MemoryArchiveFiles
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.ports.archive import ArchiveFiles
from timegate.ports.blobs import BlobStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

NewStores = Callable[..., Stores]

#: Seconds each on moto, which reads a whole table for a query: ``make moto`` runs them there too.
SLOW_ON_MOTO = {
    "test_an_update_takes_as_many_cuts_as_a_transaction",
    "test_claims_and_ends_race_without_a_leak",
    "test_how_many_jobs_stand_is_read_at_once",
    "test_racing_planners_share_the_jobs",
    "test_fifty_claims_at_once_never_exceed_the_limit",
    "test_fifty_claims_after_all_holders_died",
    "test_a_tenant_has_a_hundred_calendars_and_no_more",
    "test_many_are_found_page_by_page",
    "test_many_jobs_with_many_runs_are_planned",
    "test_so_many_freezes_may_not_have_ended",
    "test_a_tenant_has_a_hundred_triggers_and_no_more",
    "test_any_number_of_jobs_is_advanced_at_once",
    "test_they_are_listed_latest_first_across_all_partitions",
    "test_many_join_a_window_each_once",
}

#: A second emulator: each landing has it, and ``make test`` two others.
_MOTO = pytest.param("moto", marks=pytest.mark.wide)
_NUMBERS = count(1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to ``make moto`` what takes long there."""
    for each in items:
        if _is_slow(each):
            each.add_marker(pytest.mark.deep)


def _is_slow(item: pytest.Item) -> bool:
    name, _, chosen = item.name.partition("[")
    return name in SLOW_ON_MOTO and chosen.startswith("moto")


@pytest.fixture(scope="session")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """The emulator, as a process of its own: for what is to be reached from several."""
    cloud = LocalCloud.start(tmp_path_factory.mktemp("cloud"))
    yield cloud
    cloud.stop()


@pytest.fixture(scope="session")
def dynamodb() -> Iterator["DynamoDBClient"]:
    """A client for as many threads as a race has, of an emulator in this process."""
    config = Config(retries={"total_max_attempts": 1})
    with closing(client_inside(config)) as client:
        yield client


@pytest.fixture
def new_dynamo_stores(dynamodb: "DynamoDBClient") -> Iterator[NewStores]:
    """Stores over tables that no other test uses, and that end with the test."""
    names: list[str] = []

    def new(shards: int = SHARDS) -> Stores:
        names.append(str(next(_NUMBERS)))
        return dynamo_stores(dynamodb, names[-1], shards=shards)

    yield new
    for table in (f"{kind}-{name}" for name in names for kind in ("jobs", "runs")):
        dynamodb.delete_table(TableName=table)


@pytest.fixture(scope="session")
def moto_clients() -> Iterator[Aws]:
    """Clients of moto's services, each made once."""
    with ExitStack() as stack:
        yield cache(lambda service: stack.enter_context(closing(client_of(service))))


@pytest.fixture
def aws(moto_clients: Aws, socket_disabled: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    """The same, and no request leaves this process; tables end with the test."""
    # moto makes clients of its own, which would search for credentials.
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    yield moto_clients
    forget_tables()


@pytest.fixture(params=["memory", "dynamodb", _MOTO])
def stores(request: pytest.FixtureRequest) -> Stores:
    """Each kind in turn."""
    if request.param == "memory":
        return memory_stores()
    if request.param == "moto":
        aws: Aws = request.getfixturevalue("aws")
        return dynamo_stores(aws("dynamodb"), str(next(_NUMBERS)))
    new: NewStores = request.getfixturevalue("new_dynamo_stores")
    return new()


@pytest.fixture(params=["memory", "s3", _MOTO])
def blobs(request: pytest.FixtureRequest) -> Iterator[BlobStore]:
    """Each kind in turn."""
    if request.param == "memory":
        yield MemoryBlobStore()
        return
    if request.param == "moto":
        aws: Aws = request.getfixturevalue("aws")
        bucket = f"blobs-{next(_NUMBERS)}"
        aws("s3").create_bucket(Bucket=bucket)
        yield S3BlobStore(lambda: aws("s3"), bucket)
        return
    client: S3Client = request.getfixturevalue("local_s3")
    bucket = f"blobs-{next(_NUMBERS)}"
    client.create_bucket(Bucket=bucket)
    yield S3BlobStore(lambda: client, bucket)


@pytest.fixture(scope="session")
def local_s3(cloud: LocalCloud) -> "Iterator[S3Client]":
    """A client of the local cloud's buckets."""
    with closing(
        boto3.client(
            "s3",
            endpoint_url=cloud.endpoint,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=Config(s3={"addressing_style": "path"}),
        )
    ) as client:
        yield client


@pytest.fixture(params=["memory", "s3"])
def files(request: pytest.FixtureRequest) -> ArchiveFiles:
    """Each kind in turn; moto would replace a file that exists."""
    if request.param == "memory":
        return MemoryArchiveFiles()
    client: S3Client = request.getfixturevalue("local_s3")
    bucket = f"archive-{next(_NUMBERS)}"
    client.create_bucket(Bucket=bucket)
    return S3ArchiveFiles(lambda: client, bucket)
