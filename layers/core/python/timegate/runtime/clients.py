"""The AWS clients a function may build: few, explicit, and patient within reason.

They are made by botocore. boto3 makes the same ones, and takes a fifth of the time that importing a
client takes: for resources and transfers of files, which no function uses.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import botocore
from botocore.config import Config
from botocore.session import Session

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
READ_SECONDS = 10
CONNECTIONS = 32
#: Lambda lets no function work longer, neither a target nor the executor that waits for it.
LONGEST_CALL_SECONDS = 900

#: The SDK builds its own name anew for each request, in a sixth of the request's processor time.
_USER_AGENT = f"Timegate Botocore/{botocore.__version__}"

# Adaptive mode would delay calls on this side; the stores translate throttles themselves.
_CONFIG = Config(
    connect_timeout=CONNECT_SECONDS,
    read_timeout=READ_SECONDS,
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


@cache
def _own() -> Any:  # noqa: ANN401 - its clients have types of their own
    """The session of the function's own role."""
    session: Any = Session()
    session.set_config_variable("sts_regional_endpoints", "regional")
    return session


def dynamodb() -> "DynamoDBClient":
    """The tables. Every request is ours, and DynamoDB checks it: doing so here too took a third of
    the time that planning a job takes.
    """
    # Imported with the first client of tables: some functions have none.
    from timegate.runtime.light_calls import lighten  # noqa: PLC0415

    unchecked = _CONFIG.merge(Config(parameter_validation=False))
    return lighten(_own().create_client("dynamodb", config=unchecked))


def peer_dynamodb(region: str, *, endpoint: str | None = None) -> "DynamoDBClient":
    """The tables of the stage's other region, which may be out of reach."""
    client: DynamoDBClient = _own().create_client(
        "dynamodb", config=_BRISK, region_name=region, endpoint_url=endpoint
    )
    return client


def sqs() -> "SQSClient":
    """The queues, whose requests are ours as well."""
    # Imported with the first client of queues: some functions have none.
    from timegate.runtime.light_connections import send_at_once  # noqa: PLC0415

    unchecked = _CONFIG.merge(Config(parameter_validation=False))
    client: SQSClient = _own().create_client("sqs", config=unchecked)
    send_at_once(client)
    return client


def event_queue() -> "SQSClient":
    """The queue of events, which costs a reader six seconds at most."""
    client: SQSClient = _own().create_client("sqs", config=_HASTY)
    return client


def event_bridge() -> "EventBridgeClient":
    """The bus of events."""
    client: EventBridgeClient = _own().create_client("events", config=_BRISK)
    return client


def cloud_watch() -> Any:  # noqa: ANN401 - the stubs have no CloudWatch
    """Metrics and alarms of the stage."""
    return _own().create_client("cloudwatch", config=_BRISK)


def s3() -> "S3Client":
    """The blob bucket."""
    # Else links of some Regions are signed as S3 accepts no more for what a key of KMS encrypts.
    signed = _CONFIG.merge(Config(signature_version="s3v4"))
    client: S3Client = _own().create_client("s3", config=signed)
    client.meta.events.register_first("before-endpoint-resolution.s3", _name_the_region)
    return client


def _name_the_region(context: dict[str, Any], **_: object) -> None:
    """Let links lead to the Region: botocore gives them the name that S3 has in all Regions.

    That one redirects to a new bucket for its first day, where the signature is of another host,
    and leads to none of the Regions that an account has to enable.
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/Redirects.html
    """
    context["use_global_endpoint"] = False


def kms() -> Any:  # noqa: ANN401 - the stubs have no KMS
    """The key that signs seals of the archive."""
    return _own().create_client("kms", config=_CONFIG)


def target(
    session: Session,
    service: str,
    *,
    now: Callable[[], datetime],
    waits: bool = False,
    region: str | None = None,
) -> Any:  # noqa: ANN401 - any
    """A client of a target's service, with a session's rights.

    ``region``: where its calls go; ``None``: to the function's own. FIPS and dual-stack endpoints
    are used in each region, if the environment says so. ``waits``: a call lasts as long as its
    run, over a connection that is kept alive. It is never repeated here: a retry is an attempt,
    with its own record. ``now``: the clock of its calls, after whose deadlines nothing is sent.
    """
    # Imported with the first client of a target.
    from timegate.adapters.targets.aws.work_requests import (  # noqa: PLC0415
        hold_to_terms,
        sends_once,
    )
    from timegate.runtime.long_calls import keep_alive  # noqa: PLC0415

    patient = Config(read_timeout=LONGEST_CALL_SECONDS, retries={"total_max_attempts": 1})
    config = _CONFIG.merge(patient) if waits else _CONFIG
    client = session.create_client(service, config=config, region_name=region)
    keep_alive(
        client,
        connect_timeout=CONNECT_SECONDS,
        read_timeout=LONGEST_CALL_SECONDS if waits else READ_SECONDS,
        connections=CONNECTIONS,
        # A request over a connection that died is repeated, unless it may be sent once alone.
        wanted=None if waits else sends_once,
    )
    hold_to_terms(client, now)
    return client


def step_functions() -> "SFNClient":
    """The state machine of DAG runs."""
    client: SFNClient = _own().create_client("stepfunctions", config=_CONFIG)
    return client


def sts() -> "STSClient":
    """Sessions of tenants, from the endpoint of the function's own Region.

    Regions that an account has to enable take such sessions, and none of the global endpoint.
    """
    client: STSClient = _own().create_client("sts", config=_BRISK)
    return client
