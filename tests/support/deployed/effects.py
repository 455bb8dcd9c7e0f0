"""A target with effects, which the fencing snippet guards where a job asks for it."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from random import Random
from threading import Lock, Thread
from typing import TYPE_CHECKING
from uuid import uuid4

from examples.fencing.dynamodb_guard import Done, Fenced, commit, enter
from tests.support.deployed.fault_proxy import QuietServer

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

#: A call takes between so many seconds: long enough for its worker to die meanwhile.
WORK_SECONDS = (0.2, 3.0)


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call that a target received, and its instant."""

    key: str
    fence: int
    arrived_at: datetime


@dataclass
class Effects:
    """Effects of jobs as items of a table, and the calls that asked for them."""

    dynamodb: "DynamoDBClient"
    table: str
    dice: Random
    port: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    _called: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    #: By the port that the call came from.
    _at_work: dict[int, str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def url(self, job: str, *, guarded: bool) -> str:
        """Return the address that a job calls."""
        return f"http://localhost:{self.port}/{'guarded' if guarded else 'plain'}/{job}"

    def calls(self, job: str) -> list[Call]:
        """A job's calls, as they arrived."""
        with self._lock:
            return list(self._called[job])

    def at_work(self) -> dict[int, str]:
        """Jobs whose call has not been answered yet, by the port that it came from."""
        with self._lock:
            return dict(self._at_work)

    def per_job(self) -> Counter[str]:
        """Count the effects of each job."""
        pages = self.dynamodb.get_paginator("scan").paginate(
            TableName=self.table, ConsistentRead=True
        )
        items = (item for page in pages for item in page["Items"])
        return Counter(item["job"]["S"] for item in items if "job" in item)

    def work(self, job: str, call: Call, *, port: int, guarded: bool) -> int:
        """One call; the status it is answered with."""
        with self._lock:
            self._called[job].append(call)
            self._at_work[port] = job
            seconds = self.dice.uniform(*WORK_SECONDS)
        try:
            return self._work(job, call, seconds=seconds, guarded=guarded)
        except Done:
            self._count("duplicates answered by the guard")
            return 200
        except Fenced:
            self._count("stale calls refused by the guard")
            return 409
        finally:
            with self._lock:
                del self._at_work[port]

    def _count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def _work(self, job: str, call: Call, *, seconds: float, guarded: bool) -> int:
        put: TransactWriteItemTypeDef = {
            "Put": {
                "TableName": self.table,
                "Item": {"pk": {"S": f"effect {uuid4()}"}, "job": {"S": job}},
            }
        }
        if guarded:
            enter(self.dynamodb, self.table, call.key, call.fence)
            time.sleep(seconds)
            commit(self.dynamodb, self.table, call.key, call.fence, "done", [put])
        else:
            time.sleep(seconds)
            self.dynamodb.transact_write_items(TransactItems=[put])
        return 200


@contextmanager
def effects(dynamodb: "DynamoDBClient", table: str, *, seed: int) -> Iterator[Effects]:
    """Serve the target on a free port of this machine, with a table of its own."""
    dynamodb.create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    target = Effects(dynamodb=dynamodb, table=table, dice=Random(seed))
    server = QuietServer(_handler(target))
    target.port = server.server_address[1]
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield target
    finally:
        server.shutdown()
        server.server_close()
        dynamodb.delete_table(TableName=table)


def _handler(target: Effects) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            _, kind, job = self.path.split("/")
            call = Call(
                key=self.headers["timegate-idempotency-key"],
                fence=int(self.headers["timegate-fence"]),
                arrived_at=datetime.now(UTC),
            )
            port = self.client_address[1]
            status = target.work(job, call, port=port, guarded=kind == "guarded")
            try:
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()
            except ConnectionError:
                # The caller has been killed meanwhile.
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
