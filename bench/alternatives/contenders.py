"""Contenders: each is told to call a URL so many times at an instant, and does the rest."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from bench.alternatives import rivals
from infra.local.cloud import ACCOUNT, REGION, LocalCloud
from timegate.client import TimegateClient
from timegate.domain.values.instants import rfc3339

NAME = "bench-alternative"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/{NAME}"
_CREATORS = 4
_BULK = 50
_CODE = """\
import urllib.request

def handle(event, context):
    request = urllib.request.Request(event["url"], data=b"{}", method="POST")
    urllib.request.urlopen(request, timeout=30).read()
"""

#: Register calls of a URL: how many, and when.
Register = Callable[[str, int, datetime], None]


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One of those that are compared."""

    name: str
    register: Register
    #: Functions and processes whose processor time is its own.
    functions: tuple[str, ...] = ()
    pids: tuple[int, ...] = ()


@contextmanager
def contenders(
    cloud: LocalCloud, timegate: TimegateClient, functions: tuple[str, ...]
) -> Iterator[list[Contender]]:
    """Make all of them ready; ``functions`` are Timegate's."""
    with ExitStack() as stack:
        function = _function(cloud)
        yield [
            Contender(name="Timegate", register=_by_timegate(timegate), functions=functions),
            Contender(
                name="EventBridge Scheduler",
                register=_by_scheduler(cloud, function),
                functions=(NAME,),
            ),
            Contender(
                name="Step Functions", register=_by_waits(cloud, function), functions=(NAME,)
            ),
            stack.enter_context(_program(cloud, "poller", "poller on DynamoDB")),
            stack.enter_context(_program(cloud, "dynein", "Dynein's algorithm")),
        ]


def _by_timegate(timegate: TimegateClient) -> Register:
    def register(url: str, count: int, due: datetime) -> None:
        job = {
            "name": "bench",
            "schedule": {"kind": "at", "at": rfc3339(due)},
            "action": {"type": "webhook", "url": url},
        }
        for begin in range(0, count, _BULK):
            timegate.create_jobs([job] * min(_BULK, count - begin))  # type: ignore[list-item]

    return register


def _by_scheduler(cloud: LocalCloud, function: str) -> Register:
    client = rivals.client("scheduler", cloud.endpoint)

    def register(url: str, count: int, due: datetime) -> None:
        expression = f"at({due.replace(tzinfo=None).isoformat(timespec='seconds')})"
        target = {"Arn": function, "RoleArn": ROLE, "Input": json.dumps({"url": url})}

        def create(_: int) -> None:
            client.create_schedule(
                Name=f"bench-{uuid4()}",
                ScheduleExpression=expression,
                FlexibleTimeWindow={"Mode": "OFF"},
                ActionAfterCompletion="DELETE",
                Target=target,
            )

        _side_by_side(create, count)

    return register


def _by_waits(cloud: LocalCloud, function: str) -> Register:
    client = rivals.client("stepfunctions", cloud.endpoint)
    states = {
        "wait": {"Type": "Wait", "TimestampPath": "$.at", "Next": "call"},
        "call": {
            "Type": "Task",
            "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {"FunctionName": function, "Payload.$": "$"},
            "End": True,
        },
    }
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{NAME}"
    with suppress(client.exceptions.StateMachineDoesNotExist):
        client.delete_state_machine(stateMachineArn=arn)
    definition = json.dumps({"StartAt": "wait", "States": states})
    client.create_state_machine(name=NAME, definition=definition, roleArn=ROLE)

    def register(url: str, count: int, due: datetime) -> None:
        given = json.dumps({"at": rfc3339(due), "url": url})
        _side_by_side(lambda _: client.start_execution(stateMachineArn=arn, input=given), count)

    return register


@contextmanager
def _program(cloud: LocalCloud, kind: str, name: str) -> Iterator[Contender]:
    tables, queues = rivals.client("dynamodb", cloud.endpoint), rivals.client("sqs", cloud.endpoint)
    queues.create_queue(QueueName=rivals.QUEUE)
    with suppress(tables.exceptions.ResourceInUseException):
        tables.create_table(
            TableName=rivals.TABLE[kind],
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": each, "AttributeType": "S"} for each in ("pk", "sk")
            ],
            BillingMode="PAY_PER_REQUEST",
        )

    def register(url: str, count: int, due: datetime) -> None:
        at, first = due.timestamp(), "PENDING" if kind == "poller" else "SCHEDULED"

        def create(number: int) -> None:
            place = rivals.bucket(at) if kind == "poller" else f"{number % rivals.SHARDS}"
            sort = f"{at:.3f}#{uuid4()}"
            item = {"pk": place, "sk": sort, "status": first, "url": url}
            tables.put_item(
                TableName=rivals.TABLE[kind], Item={key: {"S": text} for key, text in item.items()}
            )

        _side_by_side(create, count)

    command = [sys.executable, "-m", "bench.alternatives.rivals", kind, cloud.endpoint]
    with subprocess.Popen(command) as process:  # noqa: S603 - a module of this bench
        yield Contender(name=name, register=register, pids=(process.pid,))
        process.terminate()


def _function(cloud: LocalCloud) -> str:
    """Return the function that calls the URL it is given."""
    client = rivals.client("lambda", cloud.endpoint)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("called.py", _CODE)
    with suppress(client.exceptions.ResourceNotFoundException):
        client.delete_function(FunctionName=NAME)
    created = client.create_function(
        FunctionName=NAME,
        Runtime="python3.13",
        Role=ROLE,
        Handler="called.handle",
        Code={"ZipFile": archive.getvalue()},
        Timeout=30,
    )
    return str(created["FunctionArn"])


def _side_by_side(create: Callable[[int], object], count: int) -> None:
    with ThreadPoolExecutor(_CREATORS) as pool:
        list(pool.map(create, range(count)))


def at_a_second(seconds_ahead: float) -> datetime:
    """Return a whole second so far ahead."""
    return datetime.fromtimestamp(int(datetime.now(UTC).timestamp() + seconds_ahead) + 1, UTC)
