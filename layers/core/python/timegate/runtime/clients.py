"""The AWS clients a function may build: few, explicit, and patient within reason."""

from typing import TYPE_CHECKING, Any

import boto3
import botocore
from boto3 import Session
from botocore.config import Config

from timegate.runtime.long_calls import keep_alive
from timegate.runtime.shipped import refuse_foreign_libraries

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_sts import STSClient

refuse_foreign_libraries()

CONNECT_SECONDS = 2
CONNECTIONS = 32
#: Lambda lets no function work longer, neither a target nor the executor that waits for it.
LONGEST_CALL_SECONDS = 900

#: The SDK builds its own name anew for each request, in a sixth of the request's processor time.
_USER_AGENT = f"Timegate Boto3/{boto3.__version__} Botocore/{botocore.__version__}"

# Adaptive mode would delay calls on this side; the stores translate throttles themselves.
_CONFIG = Config(
    connect_timeout=CONNECT_SECONDS,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 4},
    max_pool_connections=CONNECTIONS,
    user_agent=_USER_AGENT,
)


#: A call waits for it: of a target and its neighbours of the same tenant, or of a batch of events.
_BRISK = _CONFIG.merge(
    Config(read_timeout=3, retries={"mode": "standard", "total_max_attempts": 3})
)


#: A reader of a stream has ends of runs to follow: it does not wait for the queue of events.
_HASTY = _CONFIG.merge(
    Config(connect_timeout=1, read_timeout=2, retries={"mode": "standard", "total_max_attempts": 2})
)


def dynamodb() -> "DynamoDBClient":
    """The tables. Every request is ours, and DynamoDB checks it: doing so here too took a third of
    the time that planning a job takes.
    """
    return boto3.client("dynamodb", config=_CONFIG.merge(Config(parameter_validation=False)))


def peer_dynamodb(region: str, *, endpoint: str | None = None) -> "DynamoDBClient":
    """The tables of the stage's other region, which may be out of reach."""
    return boto3.client("dynamodb", region_name=region, endpoint_url=endpoint, config=_BRISK)


def sqs() -> "SQSClient":
    """The queues."""
    return boto3.client("sqs", config=_CONFIG)


def event_queue() -> "SQSClient":
    """The queue of events, which costs a reader six seconds at most."""
    return boto3.client("sqs", config=_HASTY)


def event_bridge() -> "EventBridgeClient":
    """The bus of events."""
    return boto3.client("events", config=_BRISK)


def cloud_watch() -> Any:  # noqa: ANN401 - the stubs have no CloudWatch
    """Metrics and alarms of the stage."""
    return boto3.client("cloudwatch", config=_BRISK)


def s3() -> "S3Client":
    """The blob bucket."""
    return boto3.client("s3", config=_CONFIG)


def kms() -> Any:  # noqa: ANN401 - the stubs have no KMS
    """The key that signs seals of the archive."""
    return boto3.client("kms", config=_CONFIG)


def target(session: Session, service: str, *, waits: bool = False) -> Any:  # noqa: ANN401 - any
    """A client of a target's service, with a session's rights.

    ``waits``: a call lasts as long as its run, over a connection that is kept alive. It is never
    repeated here: a retry is an attempt, with its own record.
    """
    if not waits:
        return session.client(service, config=_CONFIG)  # type: ignore[call-overload]
    patient = Config(read_timeout=LONGEST_CALL_SECONDS, retries={"total_max_attempts": 1})
    client = session.client(service, config=_CONFIG.merge(patient))  # type: ignore[call-overload]
    keep_alive(
        client,
        connect_timeout=CONNECT_SECONDS,
        read_timeout=LONGEST_CALL_SECONDS,
        connections=CONNECTIONS,
    )
    return client


def step_functions() -> "SFNClient":
    """The state machine of DAG runs."""
    return boto3.client("stepfunctions", config=_CONFIG)


def sts() -> "STSClient":
    """Sessions of tenants, from the endpoint of the function's own Region."""
    return boto3.client("sts", config=_BRISK)
