"""A local cloud for the session; new tables for every test."""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.config import Config

from infra.local.cloud import REGION, LocalCloud
from tests.support.stores.contract_stores import SHARDS, Stores, dynamo_stores, memory_stores
from tests.support.stores.dynamodb_inside import client_inside
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.ports.blobs import BlobStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NewStores = Callable[..., Stores]

_NUMBERS = count(1)


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
def new_dynamo_stores(dynamodb: "DynamoDBClient") -> NewStores:
    """Stores over tables that nobody else uses."""
    return lambda shards=SHARDS: dynamo_stores(dynamodb, str(next(_NUMBERS)), shards=shards)


@pytest.fixture(params=["memory", "dynamodb"])
def stores(request: pytest.FixtureRequest) -> Stores:
    """Each kind in turn."""
    if request.param == "memory":
        return memory_stores()
    new: NewStores = request.getfixturevalue("new_dynamo_stores")
    return new()


@pytest.fixture(params=["memory", "s3"])
def blobs(request: pytest.FixtureRequest) -> Iterator[BlobStore]:
    """Each kind in turn."""
    if request.param == "memory":
        yield MemoryBlobStore()
        return
    cloud: LocalCloud = request.getfixturevalue("cloud")
    bucket = f"blobs-{next(_NUMBERS)}"
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
        client.create_bucket(Bucket=bucket)
        yield S3BlobStore(lambda: client, bucket)
