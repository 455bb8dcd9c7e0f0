"""The AWS clients a function may build: few, explicit, and patient within reason."""

from typing import TYPE_CHECKING

import boto3
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


def dynamodb() -> "DynamoDBClient":
    """The tables. Every request is ours, and DynamoDB checks it: doing so here too took a third of
    the time that planning a job takes.
    """
    return boto3.client("dynamodb", config=_CONFIG.merge(Config(parameter_validation=False)))


def sqs() -> "SQSClient":
    """The queues."""
    return boto3.client("sqs", config=_CONFIG)


def s3() -> "S3Client":
    """The blob bucket."""
    return boto3.client("s3", config=_CONFIG)


def aws_lambda() -> "LambdaClient":
    """Lambda targets. Never retried here: a retry is an attempt, with its own record."""
    config = _CONFIG.merge(
        Config(read_timeout=LONGEST_CALL_SECONDS, retries={"total_max_attempts": 1})
    )
    client = boto3.client("lambda", config=config)
    keep_alive(
        client,
        connect_timeout=CONNECT_SECONDS,
        read_timeout=LONGEST_CALL_SECONDS,
        connections=CONNECTIONS,
    )
    return client


def sns() -> "SNSClient":
    """Topics that are targets."""
    return boto3.client("sns", config=_CONFIG)


def events() -> "EventBridgeClient":
    """Event buses that are targets."""
    return boto3.client("events", config=_CONFIG)


def step_functions() -> "SFNClient":
    """State machines: targets, and the one of DAG runs."""
    return boto3.client("stepfunctions", config=_CONFIG)


def secrets() -> "SecretsManagerClient":
    """Secrets that web hooks name."""
    return boto3.client("secretsmanager", config=_CONFIG)


def parameters() -> "SSMClient":
    """Parameters that web hooks name."""
    return boto3.client("ssm", config=_CONFIG)
