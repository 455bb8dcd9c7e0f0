"""Play a scenario of ``timegate simulate`` on a deployed stack whose clock can be set.

Each change of the scenario is made through the API at its instant. Ticks come at the instants at
which the simulation decides something, and before each instant at which a run is due: what happens
in between is nothing, and the clock jumps over it.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import httpx

from infra.local.clock import CloudClock
from infra.local.webhook_target import Recorder, Request
from tests.support.scenario_rows import Row, rows_of_ledger
from tests.support.scenario_timeline import (
    BEFORE_DUE,
    Document,
    is_planned,
    read,
    start_of,
    timeline,
    written,
)
from tests.support.stack import Stack, wait_until
from timegate.adapters.dynamo.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.keys import cursor_key
from timegate.domain.instants import minute_start
from timegate.ports.cursors import Watcher

SHARDS = [0, 1, 2, 3]
#: Runs that wait for a slot, a thaw or a retry stay open; the clock goes on after so long.
PATIENCE_SECONDS = 6.0
OPEN = {"waiting", "queued", "running"}
JOB_FIELDS = (
    *("schedule", "catch_up", "overlap", "start_within_seconds", "precision", "tags"),
    *("timeout_seconds",),
)


@dataclass
class Player:
    """One scenario with one job on the stack."""

    stack: Stack
    clock: CloudClock
    recorder: Recorder
    document: Document
    simulated: Iterable[Mapping[str, Any]]
    job_id: str = ""
    path: str = ""
    freezes: list[str] = field(default_factory=list)

    def play(self) -> list[Row]:
        """Let the scenario happen; the ledger of its range."""
        self.clock.jump_to(start_of(self.document))
        for moment in timeline(self.document, self.simulated):
            self._go_to(moment.at)
            getattr(self, moment.verb)(*moment.given)
        self.settle()
        return rows_of_ledger(self._ledger())

    def clean_up(self) -> None:
        """Leave no job, freeze or calendar to the next scenario."""
        with self._api() as api:
            if self.job_id:
                api.delete(f"/v1/jobs/{self.job_id}")
            for freeze_id in self.freezes:
                api.delete(f"/v1/freezes/{freeze_id}")
            for name in self.document.get("calendars", {}):
                api.delete(f"/v1/calendars/{name}")

    def _go_to(self, at: datetime) -> None:
        """Let time pass. Ticks that would find nothing are left out; an outage's never come."""
        if not self.settle():
            pass_quietly(self.stack, at)
        self.clock.jump_to(at)

    def tick(self) -> None:
        """Let planner and sweeper look at every shard, then let what is due run."""
        for function in ("PlannerFunctionName", "SweeperFunctionName"):
            self._invoke(function)
        self.settle()

    def _invoke(self, function: str) -> None:
        remaining = set(SHARDS)

        def complete() -> bool | None:
            done = self.stack.invoke(function, {"shards": SHARDS})
            return (done.get("shards", len(remaining)) == len(remaining)) or None

        wait_until(complete, seconds=120, pause=0.2, what=lambda: f"{function} did not finish")

    def settle(self) -> bool:
        """Wait until due runs have ended, or wait for something else; whether any is open."""
        if not self.job_id:
            return False
        with self._api() as api:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while runs := self._open(api):
                states = {run["state"] for run in runs if read(run["due_at"]) <= self._soon}
                if "running" in states:
                    deadline = time.monotonic() + PATIENCE_SECONDS
                elif not states or time.monotonic() > deadline:
                    break
                time.sleep(0.2)
            return bool(runs)

    @property
    def _soon(self) -> datetime:
        return self.clock.now() + BEFORE_DUE + timedelta(seconds=1)

    def _open(self, api: httpx.Client) -> list[dict[str, Any]]:
        runs = api.get(f"/v1/jobs/{self.job_id}/runs", params={"limit": "100"}).json()["items"]
        return [run for run in runs if run["state"] in OPEN]

    # --- what the scenario changes ---------------------------------------------------------------

    def create(self) -> None:
        """Store the calendars, then the job."""
        for name, calendar in self.document.get("calendars", {}).items():
            self.put_calendar(name, {k: v for k, v in calendar.items() if k != "edits"})
        given = {name: self.document[name] for name in JOB_FIELDS if name in self.document}
        if rules := self.document.get("calendar_rules"):
            given["calendars"] = rules
        self.path = f"scenario-{time.monotonic_ns()}"
        self._take_time()
        action = {"type": "webhook", "url": self.recorder.url(self.path)}
        body = {"name": "scenario", "action": action, **given}
        self.job_id = self._request("POST", "/v1/jobs", body)["job_id"]

    def post(self, action: str, body: Mapping[str, object]) -> None:
        """Pause, resume or cancel the job; the next tick comes at once."""
        self._request("POST", f"/v1/jobs/{self.job_id}/{action}", body)
        self._tick_if_planned()

    def patch(self, body: Mapping[str, object]) -> None:
        """Change the job; the next tick comes at once."""
        self._request("PATCH", f"/v1/jobs/{self.job_id}", body)
        self._tick_if_planned()

    def put_calendar(self, name: str, calendar: Mapping[str, object] | None) -> None:
        """Replace a calendar, or delete it."""
        self._request("PUT" if calendar else "DELETE", f"/v1/calendars/{name}", calendar)

    def freeze(self, freeze: Mapping[str, Any]) -> None:
        """Announce a freeze."""
        scope = freeze["scope"]
        if scope["kind"] == "job":
            scope = {"kind": "job", "job_id": self.job_id}
        body = {"scope": scope, "starts_at": freeze["from"], "ends_at": freeze["to"]}
        body |= {"thaw": freeze["thaw"]} if "thaw" in freeze else {}
        self.freezes.append(self._request("POST", "/v1/freezes", body)["freeze_id"])

    def lift(self) -> None:
        """End the only freeze early."""
        self._request("DELETE", f"/v1/freezes/{self.freezes[0]}", None)

    def _request(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401 - JSON
        with self._api() as api:
            answer = api.request(method, path, json=written(body))
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def _take_time(self) -> None:
        told = self.document.get("run_seconds", 0)
        seconds = list(told) if isinstance(told, list) else [told]

        def work(_: Request) -> dict[str, bool]:
            time.sleep(seconds.pop(0) if len(seconds) > 1 else seconds[0])
            return {"received": True}

        self.recorder.work(self.path, work)

    def _tick_if_planned(self) -> None:
        if is_planned(self.document, self.clock.now()):
            self.tick()

    # --- what the stack answers ------------------------------------------------------------------

    def _ledger(self) -> list[dict[str, Any]]:
        params = {"from": str(written(self.document["from"])), "limit": "500"}
        params["to"] = (read(self.document["to"]) - timedelta(milliseconds=1)).isoformat()
        items: list[dict[str, Any]] = []
        with self._api() as api:
            while True:
                answer = api.get(f"/v1/jobs/{self.job_id}/ledger", params=params)
                assert answer.status_code == 200, answer.text
                items += answer.json()["items"]
                if answer.json()["next_cursor"] is None:
                    return items
                params["cursor"] = answer.json()["next_cursor"]

    def _api(self) -> httpx.Client:
        """A client with a token of the cloud's present: one of another day has expired."""
        return self.stack.fresh_api()


def pass_quietly(stack: Stack, to: datetime) -> None:
    """Move the shards' cursors to an instant, or to the first job that waits before it.

    Ticks of that time would have found every bucket before it empty, if no run is open.
    """
    client, table = stack.aws("dynamodb"), stack.outputs["JobsTableName"]
    cursors = DynamoCursorStore(client, table=table)
    waiting = _earliest_jobs(client, table)
    for watcher, shard in product(Watcher, SHARDS):
        reached = min(to, waiting.get(shard, to)) if watcher is Watcher.PLANNER else to
        client.delete_item(TableName=table, Key=cursor_key(watcher, shard).attributes())
        cursor = cursors.acquire(
            watcher, shard, owner="player", now=reached, until=reached, start=reached
        )
        assert cursor is not None
        cursors.release(cursor, watermark=reached, sealed=reached)


def _earliest_jobs(client: Any, table: str) -> dict[int, datetime]:  # noqa: ANN401 - boto3's
    """The first minute of each shard in which a job waits for its next instant."""
    pages = client.get_paginator("scan").paginate(
        TableName=table, FilterExpression="attribute_exists(due_bucket)"
    )
    found: dict[int, datetime] = {}
    for item in (item for page in pages for item in page["Items"]):
        minute, shard = item["due_bucket"]["S"].split("#")
        due = minute_start(minute)
        found[int(shard)] = min(due, found.get(int(shard), due))
    return found
