"""The AWS clients a function may build: few, explicit, and patient within reason."""

from typing import TYPE_CHECKING, cast

import boto3
from boto3 import Session
from botocore.config import Config

from timegate.runtime.long_calls import keep_alive
from timegate.runtime.shipped import refuse_foreign_libraries

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_sts import STSClient

refuse_foreign_libraries()

CONNECT_SECONDS = 2
CONNECTIONS = 32
#: Lambda lets no function work longer, neither a target nor the executor that waits for it.
LONGEST_CALL_SECONDS = 900

# Adaptive mode would delay calls on this side; the stores translate throttles themselves.
_CONFIG = Config(
    connect_timeout=CONNECT_SECONDS,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 4},
    max_pool_connections=CONNECTIONS,
)


#: A call of a target waits for it, and so do its neighbours of the same tenant.
_STS_CONFIG = _CONFIG.merge(
    Config(read_timeout=3, retries={"mode": "standard", "total_max_attempts": 3})
)


def _of(session: Session | None) -> Session:
    """The process's own rights, unless a session says whose; both build clients alike."""
    return session if session is not None else cast("Session", boto3)


def dynamodb() -> "DynamoDBClient":
    """The tables. Every request is ours, and DynamoDB checks it: doing so here too took a third of
    the time that planning a job takes.
    """
    return boto3.client("dynamodb", config=_CONFIG.merge(Config(parameter_validation=False)))


def sqs(session: Session | None = None) -> "SQSClient":
    """The queues."""
    return _of(session).client("sqs", config=_CONFIG)


def s3() -> "S3Client":
    """The blob bucket."""
    return boto3.client("s3", config=_CONFIG)


def aws_lambda(session: Session | None = None) -> "LambdaClient":
    """Lambda targets. Never retried here: a retry is an attempt, with its own record."""
    config = _CONFIG.merge(
        Config(read_timeout=LONGEST_CALL_SECONDS, retries={"total_max_attempts": 1})
    )
    client = _of(session).client("lambda", config=config)
    keep_alive(
        client,
        connect_timeout=CONNECT_SECONDS,
        read_timeout=LONGEST_CALL_SECONDS,
        connections=CONNECTIONS,
    )
    return client


def sns(session: Session | None = None) -> "SNSClient":
    """Topics that are targets."""
    return _of(session).client("sns", config=_CONFIG)


def events(session: Session | None = None) -> "EventBridgeClient":
    """Event buses that are targets."""
    return _of(session).client("events", config=_CONFIG)


def step_functions(session: Session | None = None) -> "SFNClient":
    """State machines: targets, and the one of DAG runs."""
    return _of(session).client("stepfunctions", config=_CONFIG)


def secrets(session: Session | None = None) -> "SecretsManagerClient":
    """Secrets that web hooks name."""
    return _of(session).client("secretsmanager", config=_CONFIG)


def parameters(session: Session | None = None) -> "SSMClient":
    """Parameters that web hooks name."""
    return _of(session).client("ssm", config=_CONFIG)


def sts() -> "STSClient":
    """Sessions of tenants, from the endpoint of the function's own Region."""
    return boto3.client("sts", config=_STS_CONFIG)
