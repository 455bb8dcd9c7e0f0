"""Processor time of a run in a sheaf, in milliseconds: ``python -m bench.scale.wheels.fire_cpu``.

Staging reads a job's item and writes its line of a sheaf. Firing sends 500 requests at once from
one event loop over connections that are open, to a target in a process of its own, and reads the
answers. Recording builds the item of each run's end, and one of all of them.
"""

import asyncio
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import h11

from tests.support.factories import after, attempt_factory, job_factory, job_id
from timegate.adapters.dynamo.jobs.job_items import job_from_fields, job_to_fields
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import from_item, to_item
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.run_states import RunState

SHEAF = 500
ROUNDS = 10
BODY = b'{"report": "sales"}'
_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_RECEIVE = 65_536


def main() -> None:
    """Measure and report."""
    if sys.argv[1:] == ["serve"]:
        asyncio.run(_serve())
        return
    with subprocess.Popen(
        [sys.executable, "-m", "bench.scale.wheels.fire_cpu", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        fired = asyncio.run(_fired(int(process.stdout.readline())))
        process.stdin.close()
    report = {"stage": _timed(_stage), "fire": fired, "record": _timed(_record)}
    sys.stdout.write(f"{json.dumps({name: round(ms, 3) for name, ms in report.items()})}\n")


def _timed(work: Callable[[], None]) -> float:
    """Return milliseconds of processor time for one run."""
    work()
    began = time.process_time()
    for _ in range(ROUNDS):
        work()
    return 1000 * (time.process_time() - began) / ROUNDS / SHEAF


def _stage() -> None:
    lines = []
    for item in _ITEMS:
        job = job_from_fields(from_item(item))
        lines.append(json.dumps({"id": job.job_id, "version": job.timing.version, **_PLAIN}))
    gzip.compress("\n".join(lines).encode(), compresslevel=1)


def _record() -> None:
    ended = []
    for attempt in _ATTEMPTS:
        done = replace(attempt, state=RunState.SUCCEEDED)
        to_item(attempt_to_fields(done, shards=ONE_SHARD, retention=timedelta(days=30)))
        ended.append([attempt.id.run.job_id, 12, 200, "ok"])
    gzip.compress(json.dumps(ended).encode(), compresslevel=1)


_PLAIN = {"url": "https://example.com/hook", "headers": {}, "payload": BODY.decode()}
_ITEMS = [
    to_item(job_to_fields(job_factory(job_id=job_id(f"job {n}")), shards=ONE_SHARD))
    for n in range(SHEAF)
]
_ATTEMPTS = [attempt_factory(due_at=after(n / 10)) for n in range(SHEAF)]


async def _fired(port: int) -> float:
    """Return milliseconds of processor time for one request with its answer."""
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(SHEAF)]
    connections = [(h11.Connection(h11.CLIENT), *each) for each in opened]
    await asyncio.gather(*(_call(*each) for each in connections))
    began = time.process_time()
    for _ in range(ROUNDS):
        await asyncio.gather(*(_call(*each) for each in connections))
    spent = time.process_time() - began
    for _, _, writer in connections:
        writer.close()
    return 1000 * spent / ROUNDS / SHEAF


async def _call(
    connection: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    headers = [
        ("Host", "example.com"),
        ("Content-Type", "application/json"),
        ("User-Agent", "Timegate"),
        ("Timegate-Run-Id", "0" * 52),
        ("Timegate-Fence", "1"),
        ("Content-Length", str(len(BODY))),
    ]
    request = h11.Request(method="POST", target="/hook", headers=headers)
    sent = [connection.send(request), connection.send(h11.Data(data=BODY))]
    writer.write(b"".join(each for each in sent if each))
    connection.send(h11.EndOfMessage())
    while (event := connection.next_event()) is not h11.PAUSED:
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_RECEIVE))
        elif isinstance(event, h11.EndOfMessage):
            break
    connection.start_next_cycle()


async def _serve() -> None:
    """Answer every request until the standard input ends."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(_RECEIVE):
            writer.write(_ANSWER)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=SHEAF)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    main()
