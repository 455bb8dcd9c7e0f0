"""A course of jobs among faults: what is done to the stack, and waiting until it is over."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import httpx
from botocore.exceptions import HTTPClientError

from infra.rollout_choice import LIVE
from infra.stage.settings import PRIORITIES
from tests.support.deployed.effects import Effects
from tests.support.deployed.fault_proxy import FaultProxy, Faults
from tests.support.deployed.reconfiguring import configure
from tests.support.deployed.stack import Stack, wait_until

MODES = ("at_least_once", "exactly_once", "at_most_once")
ALL_FAULTS = Faults(throttled=0.05, unanswered=0.01, doubled=0.05)
#: Besides the executors. The planner has nothing to do here: the API plans what is due so soon.
FUNCTIONS = (
    *("ApiFunctionName", "RelayFunctionName"),
    *("SweeperFunctionName", "OutcomesFunctionName"),
)
#: Where time is short. A call of the course takes three seconds at most.
LEASE_SECONDS = 8
VISIBILITY_SECONDS = 20
#: The sweeper's slack after a lease.
SLACK = timedelta(seconds=10)
PER_REQUEST = 50


@dataclass(frozen=True, kw_only=True)
class Course:
    """Number and spread of jobs, and the faults they meet."""

    jobs: int
    #: The last one is due so long after it was created.
    spread: timedelta
    faults: Faults = field(default_factory=Faults)
    #: Seconds between two kills of a worker; ``None``: no worker is killed.
    kill_every: float | None = None
    #: The share of stream records that relay and outcomes see again.
    copied: float = 0.0
    #: With short leases, and a sweeper that looks at dead workers' runs at once.
    hurried: bool = False

    @property
    def most_kills(self) -> int:
        """Return the number of kills that fit into the spread; a slow machine takes longer."""
        return int(self.spread.total_seconds() / self.kill_every) if self.kill_every else 0


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One job of the course."""

    name: str
    mode: str
    job_id: str
    due_at: datetime


def executors(stack: Stack) -> dict[str, str]:
    """The executors that the course employs, by their queue."""
    names: dict[str, str] = json.loads(stack.outputs["ExecutorFunctionNames"])
    return {key: names[key] for key in (f"{priority}-short" for priority in PRIORITIES)}


def disturbed(stack: Stack) -> list[str]:
    """Functions that are called by what tries again, so that their workers may die at any time."""
    readers = (stack.outputs[each] for each in ("RelayFunctionName", "OutcomesFunctionName"))
    return [*executors(stack).values(), *readers]


@contextmanager
def through(stack: Stack, proxy: FaultProxy, course: Course) -> Iterator[None]:
    """Let the functions reach tables and queues through the proxy, and put it back in the end."""
    detour = {"AWS_ENDPOINT_URL_DYNAMODB": proxy.url, "AWS_ENDPOINT_URL_SQS": proxy.url}
    lease = {
        "LEASE_SECONDS": str(LEASE_SECONDS),
        "QUEUE_VISIBILITY_SECONDS": str(VISIBILITY_SECONDS),
    }
    with ExitStack() as put_back:
        for function in executors(stack).values():
            put_back.enter_context(
                configured(stack, function, detour | (lease if course.hurried else {}))
            )
        for output in FUNCTIONS:
            put_back.enter_context(configured(stack, stack.outputs[output], detour))
        if course.hurried:
            put_back.enter_context(_shown_again_soon(stack))
        yield


@contextmanager
def configured(stack: Stack, function: str, variables: Mapping[str, str]) -> Iterator[None]:
    """Give a function other variables, for a while; its workers start anew, as on AWS."""
    found = stack.aws("lambda").get_function_configuration(FunctionName=function)
    kept = found["Environment"]["Variables"]
    configure(stack, function, Environment={"Variables": kept | dict(variables)})
    try:
        yield
    finally:
        configure(stack, function, Environment={"Variables": kept})


def looked_at(stack: Stack) -> None:
    """Wait for the sweeper's next look: a stage that was just deployed has none before its tick."""
    log = Path(stack.cloud.home) / "cloud.log"
    look = f"Lambda {stack.outputs['SweeperFunctionName']} processed"
    before = log.read_text().count(look)
    wait_until(
        lambda: log.read_text().count(look) > before or None,
        seconds=180,
        what=lambda: "the sweeper never looked",
    )


@contextmanager
def _shown_again_soon(stack: Stack) -> Iterator[None]:
    """Messages of dead workers come back when the short lease has expired."""
    sqs, urls = stack.aws("sqs"), json.loads(stack.outputs["QueueUrls"])
    name, kept = "VisibilityTimeout", {}
    for key in executors(stack):
        answer = sqs.get_queue_attributes(QueueUrl=urls[key], AttributeNames=[name])
        kept[urls[key]] = answer["Attributes"][name]
    try:
        for url in kept:
            sqs.set_queue_attributes(QueueUrl=url, Attributes={name: str(VISIBILITY_SECONDS)})
        yield
    finally:
        for url, seconds in kept.items():
            sqs.set_queue_attributes(QueueUrl=url, Attributes={name: seconds})


@contextmanager
def every(seconds: float | None, step: Callable[[], object]) -> Iterator[None]:
    """Take a step again and again, beside what else happens; never, for ``None``."""
    over = Event()

    def steps() -> None:
        while not over.wait(seconds):
            step()

    thread = Thread(target=steps, daemon=True)
    if seconds is not None:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if seconds is not None:
            thread.join()


def create(stack: Stack, course: Course, target: Effects, dice: Random) -> list[Subject]:
    """The jobs, all modes and priorities in turn, due at some time of the course."""
    asked = []
    for number, mode, priority in zip(
        range(course.jobs), cycle(MODES), cycle(PRIORITIES), strict=False
    ):
        name = f"chaos-{number}"
        seconds = round(dice.uniform(3, course.spread.total_seconds()), 3)
        asked.append(
            {
                "name": name,
                "schedule": {"kind": "delay", "delay_seconds": seconds},
                "action": {
                    "type": "webhook",
                    "url": target.url(name, guarded=mode == "exactly_once"),
                },
                "delivery": mode,
                "priority": priority,
                "timeout_seconds": 60,
            }
        )
    return [
        subject
        for start in range(0, course.jobs, PER_REQUEST)
        for subject in _created(stack, asked[start : start + PER_REQUEST])
    ]


def _created(stack: Stack, asked: list[dict[str, Any]]) -> list[Subject]:
    """Create jobs as a client should: under a key, and again until each has an answer."""
    headers = {"Idempotency-Key": f"{asked[0]['name']}-{written(datetime.now(UTC))}"}

    def ask() -> list[dict[str, Any]] | None:
        with suppress(httpx.TransportError):
            answer = stack.api.post("/v1/jobs/bulk", json={"jobs": asked}, headers=headers)
            if answer.status_code not in {429, 500, 502, 503, 504}:
                assert answer.status_code == 207, answer.text
                items: list[dict[str, Any]] = answer.json()["items"]
                assert not [i for i in items if 400 <= i["status"] < 500 and i["status"] != 429]
                return [item["job"] for item in items] if all(i["job"] for i in items) else None
        return None

    jobs = wait_until(ask, seconds=180, what=lambda: f"no answer for {asked[0]['name']} ff.")
    return [
        Subject(
            name=fields["name"],
            mode=fields["delivery"],
            job_id=job["job_id"],
            due_at=datetime.fromisoformat(job["created_at"])
            + timedelta(seconds=fields["schedule"]["delay_seconds"]),
        )
        for fields, job in zip(asked, jobs, strict=True)
    ]


def ended(stack: Stack, subjects: list[Subject], target: Effects, *, hurried: bool) -> None:
    """Wait until no run waits for anything: each job has a run, none is open, no call is made.

    It reads the table: asking the API for hundreds of jobs would keep the machine busy.
    """
    dynamodb, table = stack.aws("dynamodb"), stack.outputs["RunsTableName"]
    functions, pages = stack.aws("lambda"), dynamodb.get_paginator("scan")

    def open_ones() -> list[str]:
        found = [i for page in pages.paginate(TableName=table) for i in page["Items"]]
        mine = [item for item in found if item["pk"]["S"] in partitions]
        waiting = [item for item in mine if "watch_at" in item]
        if hurried:
            _look_at_dead_workers(stack, dynamodb, functions, waiting)
        missing = partitions - {item["pk"]["S"] for item in mine}
        return [f"{i['pk']['S']} {i['sk']['S']} {i['state']['S']}" for i in waiting] + [*missing]

    tenant = stack.outputs["UserPoolClientId"]
    partitions = {f"{tenant}#{subject.job_id}" for subject in subjects}
    wait_until(
        lambda: not (open_ones() or target.at_work()) or None,
        seconds=1_200,
        pause=1.0,
        what=lambda: open_ones()[:10],
    )


def _look_at_dead_workers(
    stack: Stack,
    dynamodb: Any,  # noqa: ANN401 - a boto3 client
    functions: Any,  # noqa: ANN401 - likewise
    waiting: list[dict[str, Any]],
) -> None:
    """Show the sweeper now the runs it would look at ninety seconds after they were due."""
    now = datetime.now(UTC)
    held = [item for item in waiting if item["state"]["S"] == "running"]
    dead = [item for item in held if item["lease_expires_at"]["S"] <= written(now - SLACK)]
    for item in dead:
        past = now - timedelta(seconds=60)
        shard = item["watch_bucket"]["S"].rpartition("#")[2]
        with suppress(dynamodb.exceptions.ConditionalCheckFailedException):
            dynamodb.update_item(
                TableName=stack.outputs["RunsTableName"],
                Key={"pk": item["pk"], "sk": item["sk"]},
                UpdateExpression="SET watch_at = :at, watch_bucket = :bucket",
                ConditionExpression="#state = :running AND fence = :fence",
                ExpressionAttributeNames={"#state": "state"},
                ExpressionAttributeValues={
                    ":at": {"S": written(past)},
                    ":bucket": {"S": f"{past:%Y%m%dT%H%M}#{shard}"},
                    ":running": {"S": "running"},
                    ":fence": item["fence"],
                },
            )
    if not dead and all(item["watch_at"]["S"] > written(now) for item in waiting):
        return
    # Waited for, whatever comes of it: on a slow machine sweeps would pile up.
    with suppress(HTTPClientError):
        functions.invoke(
            FunctionName=stack.outputs["SweeperFunctionName"],
            Qualifier=LIVE,
            Payload=json.dumps({"shards": [0, 1, 2, 3]}),
        )


def written(instant: datetime) -> str:
    """Return an instant in the tables' form."""
    return f"{instant:%Y%m%dT%H%M%S}{instant.microsecond // 1000:03d}Z"
