"""The emulator's state on disk, so that a stopped local cloud goes on where it stood.

MiniStack writes its services' state when it ends in peace (``PERSIST_STATE=1``). These patches add
what a scheduler in daily use needs besides: unread stream records, a snapshot each minute, and an
end of old log events. ``docs/operations/local-cloud.md`` says what a crash costs.
"""

import asyncio
import copy
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ministack import app  # type: ignore[import-untyped]
from ministack.core import persistence  # type: ignore[import-untyped]
from ministack.services import (  # type: ignore[import-untyped]
    cloudwatch_logs,
    dynamodb,
    lambda_svc,
    sqs,
)

#: The share of its time that a core may spend on snapshots.
_SNAPSHOT_SHARE = 0.05
#: A child that has written for so long waits for a lock that will not be freed.
_WRITING_SECONDS = 600
#: Held by threads that change what a snapshot shows.
_LOCKS = (
    dynamodb._lock,
    lambda_svc._dynamodb_stream_positions_lock,
    cloudwatch_logs._log_events_lock,
    sqs._queues_lock,
)
_DAY_MILLISECONDS = 24 * 60 * 60 * 1000
_POSITIONS, _RECORDS, _TRIMMED = (
    f"timegate_stream_{name}" for name in ("positions", "records", "trimmed")
)


def keep_state(*, snapshot_seconds: float) -> None:
    """Save stream records with their tables, and take snapshots while the cloud runs.

    ``snapshot_seconds`` pass between two of them, at least.
    """
    _keep_streams_with_tables()
    persistence.save_state = save_what_changed
    load, snapshots = app._load_persisted_state, _Snapshots(snapshot_seconds)

    def load_and_go_on() -> None:
        load()
        # The event loop keeps no strong reference to a task of its own.
        snapshots.task = asyncio.get_running_loop().create_task(snapshots.take_for_ever())

    def save_last(services: dict[str, Callable[[], Any]]) -> None:
        snapshots.stop()
        persistence.save_all(_tables_first(services))
        # Nothing is left to write. A call of a function would be waited for, for minutes.
        os.killpg(0, signal.SIGKILL)

    app._load_persisted_state, app.save_all = load_and_go_on, save_last


class _Snapshots:
    """Copies of the whole state, each written by a child process.

    The child begins with this process's memory as it is: one instant for all services, and no
    request waits while the files are written.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.task: asyncio.Task[None] | None = None
        self._writer: threading.Thread | None = None

    async def take_for_ever(self) -> None:
        """Take one snapshot after the other, until the cloud stops."""
        pause = self._seconds
        while True:
            await asyncio.sleep(pause)
            drop_old_log_events(now_milliseconds=int(time.time() * 1000))
            begun = time.monotonic()
            self._writer = threading.Thread(target=os.waitpid, args=(_save_in_child(), 0))
            self._writer.start()
            await asyncio.to_thread(self._writer.join)
            pause = max(self._seconds, (time.monotonic() - begun) / _SNAPSHOT_SHARE)

    def stop(self) -> None:
        """End the snapshots: wait for the one being written, which must not replace the last."""
        if self.task is not None:
            self.task.cancel()
        if self._writer is not None:
            self._writer.join()


def _save_in_child() -> int:
    """Write the state in a child; returns its process id.

    A lock that another thread holds while this one forks stays locked in the child: those that the
    services' ``get_state`` takes are held here, and a child that waits for another one is ended.
    """
    services = _tables_first(app._build_persistence_save_dict())
    with ExitStack() as held:
        for lock in _LOCKS:
            held.enter_context(lock)
        child = os.fork()
    if child:
        return child
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_WRITING_SECONDS)
        os.nice(10)
        persistence.save_all(services)
    finally:
        os._exit(0)


def save_what_changed(service: str, state: Any) -> None:
    """Replace a service's file if its state is another: layers alone are tens of megabytes."""
    written = {
        "__ministack_format__": persistence._state_format_version(service),
        "payload": state,
    }
    text = json.dumps(written, default=persistence._json_default)
    file = Path(persistence.STATE_DIR) / f"{service}.json"
    if file.exists() and file.read_text() == text:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".fresh")
    fresh.write_text(text)
    fresh.replace(file)


def _tables_first(services: dict[str, Callable[[], Any]]) -> dict[str, Callable[[], Any]]:
    """Put the tables, with their streams' readers, before the queues.

    If writing ends half way, messages come again. None is lost, and fences refuse repetitions.
    """
    return {name: services[name] for name in sorted(services, key=lambda each: each != "dynamodb")}


def _keep_streams_with_tables() -> None:
    """Save stream records yet unread and their readers' positions in the file of the tables.

    One file is replaced at once, so that a record and the position behind it fit each other.
    """
    tables, load_tables = dynamodb.get_state, dynamodb.load_persisted_state
    functions = lambda_svc.get_state

    def tables_with_streams() -> dict[str, Any]:
        return {**tables(), **unread_streams()}

    def load_with_streams(state: dict[str, Any]) -> None:
        load_tables(state)
        # The thread that polls runs already: it reads a table only from where its records begin.
        lambda_svc._dynamodb_stream_positions.update(state.get(_POSITIONS, {}))
        dynamodb._stream_trimmed.update(state.get(_TRIMMED, {}))
        dynamodb._stream_records.update(state.get(_RECORDS, {}))

    def functions_as_deployed() -> dict[str, Any]:
        state: dict[str, Any] = functions()
        for _, source in state["esms"].all_items():
            source.pop("LastProcessingResult", None)
        return state | {"dynamodb_stream_positions": {}}

    dynamodb.get_state, dynamodb.load_persisted_state = tables_with_streams, load_with_streams
    lambda_svc.get_state = functions_as_deployed


def unread_streams() -> dict[str, Any]:
    """Return each table's stream records from the slowest reader's position on, and all positions.

    A position counts all records that a stream has had: those before it are named by their number.
    """
    records, trimmed = type(dynamodb._stream_records)(), type(dynamodb._stream_trimmed)()
    for (account, region, table), all_records in dynamodb._stream_records.all_items():
        gone = dynamodb._stream_trimmed.get_scoped(account, region, table, 0)
        read = max(0, min(_positions(account, region, table), default=gone) - gone)
        records.set_scoped(account, region, table, all_records[read:])
        trimmed.set_scoped(account, region, table, gone + read)
    positions = copy.deepcopy(lambda_svc._dynamodb_stream_positions)
    return {_POSITIONS: positions, _RECORDS: records, _TRIMMED: trimmed}


def _positions(account: str, region: str, table: str) -> Iterable[int]:
    for (of_account, of_region, name), source in lambda_svc._esms.all_items():
        is_reader = f":table/{table}/stream/" in source.get("EventSourceArn", "")
        if (of_account, of_region) == (account, region) and is_reader:
            # A reader that has read nothing begins with what is there.
            yield lambda_svc._dynamodb_stream_positions.get_scoped(account, region, name, 0)


def drop_old_log_events(*, now_milliseconds: int) -> None:
    """Forget log events that are older than the retention of their group, as CloudWatch does.

    ``now_milliseconds``: since 1970.
    """
    oldest_kept: dict[tuple[str, str, str], int] = {}
    for scoped, group in cloudwatch_logs._log_groups.all_items():
        if group["retentionInDays"] is None:
            continue
        oldest = now_milliseconds - group["retentionInDays"] * _DAY_MILLISECONDS
        oldest_kept[scoped] = oldest
        with cloudwatch_logs._log_events_lock:
            for stream in group["streams"].values():
                stream["events"] = [
                    each for each in stream["events"] if each["timestamp"] >= oldest
                ]
    for (account, region, pointer), record in cloudwatch_logs._log_records.all_items():
        if record["_timestamp_ms"] < oldest_kept.get((account, region, record["@log"]), 0):
            cloudwatch_logs._log_records.pop_scoped(account, region, pointer)
