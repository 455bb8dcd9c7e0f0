"""Scenarios on one deployed stack, played together along one line of time.

The clock stands at each instant until the stack has come to rest. Then it is set to the next one at
which a scenario changes something, a target ends its work, a message is due, or a tick has work.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from infra.local.cloud import ANSWER_SECONDS
from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack
from tests.support.deployed.timing.stack_clockwork import SHARDS, Clockwork
from tests.support.simulation.scenario_player import HELD_QUEUE, Player, Surroundings
from tests.support.simulation.scenario_rows import Row
from tests.support.simulation.scenario_timeline import (
    Change,
    Document,
    Spans,
    changes_of,
    lies_in,
    outages_of,
    read,
    start_of,
    ticks_of,
)
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.domain.runs.run import TERMINAL
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId

#: A token is taken anew after so long; it expires after an hour.
TOKEN_FOR = timedelta(minutes=30)
#: The auditor comes at the end of each scenario, and when it was not there for so long.
AUDITED_EVERY = timedelta(days=3)
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
Rows = Iterable[Mapping[str, Any]]
#: By scenario, and by the number of its job.
Ledgers = dict[str, dict[int, list[Row]]]


@dataclass
class Part:
    """A scenario of the course, and how far it has come."""

    player: Player
    changes: list[Change]
    ticks: list[datetime]
    planner_outages: Spans
    executor_outages: Spans
    end: datetime
    #: By the number of its job; empty before it is over.
    ledgers: dict[int, list[Row]] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Its ledgers are read."""
        return bool(self.ledgers)

    def instants(self) -> list[datetime]:
        """Return the instants at which it needs the clock to stand."""
        works = [work.at for work in self.player.works]
        changes = [change.at for change in self.changes]
        ends = [end for _, end in self.executor_outages]
        return [*changes, *works, *ends, *self.ticks, self.end]


@dataclass
class Course:
    """All of them."""

    stack: Stack
    recorder: Recorder
    clockwork: Clockwork
    documents: dict[str, Document] = field(default_factory=dict)
    #: The scenario of each job whose range is over.
    owners: dict[JobId, str] = field(default_factory=dict)
    #: Findings of the auditor, by instant.
    audits: dict[datetime, Mapping[str, int]] = field(default_factory=dict)
    _token: tuple[datetime, httpx.Client] | None = None

    def close(self) -> None:
        """Close the client that it used last."""
        if self._token is not None:
            self._token[1].close()

    def play(self, scenarios: Mapping[str, tuple[Document, Rows]]) -> Ledgers:
        """Let all of them happen; the ledgers of each one's jobs."""
        first = min(start_of(document) for document, _ in scenarios.values())
        self.clockwork.clock.set(first - timedelta(hours=1))
        self.clockwork.tick(SHARDS)
        around = self._surroundings()
        self.documents = {name: document for name, (document, _) in scenarios.items()}
        shards = shards_by_outage(self.documents)
        parts = {
            name: _part(Player(name, document, shards[name], around), rows)
            for name, (document, rows) in scenarios.items()
        }
        while left := [part for part in parts.values() if not part.is_over]:
            self._stand(left)
            self._go_on([part for part in left if not part.is_over])
        return {name: part.ledgers for name, part in parts.items()}

    def _go_on(self, left: list[Part]) -> None:
        now = self.clockwork.clock.now()
        found = [at for part in left for at in part.instants() if at > now]
        waits = self.clockwork.next_instant()
        found += [waits] if waits is not None else []
        if left:
            self.clockwork.clock.set(min(found))

    def _stand(self, parts: list[Part]) -> None:
        """All that happens at this instant."""
        now = self.clockwork.clock.now()
        self._hold_executors(parts, now)
        self._end(parts, now)
        for part in parts:
            while part.changes and part.changes[0].at <= now:
                change = part.changes.pop(0)
                getattr(part.player, change.verb)(*change.given)
        if not now.second and not now.microsecond:
            self.clockwork.tick(_planned(parts, now))
        self.clockwork.settle()
        while any(part.player.work() for part in parts):
            self.clockwork.settle()

    def _hold_executors(self, parts: list[Part], now: datetime) -> None:
        down = any(lies_in(part.executor_outages, now) for part in parts)
        self.clockwork.hold(HELD_QUEUE, held=down)

    def _end(self, parts: list[Part], now: datetime) -> None:
        """Read the ledgers of those whose range is over, and whose runs have ended."""
        ended = [part for part in parts if part.end <= now and not self._is_open(part)]
        if ended or now - self._audited_at > AUDITED_EVERY:
            self.audits[now] = self.clockwork.audit()
        for part in ended:
            player = part.player
            part.ledgers = {number: player.ledger(number) for number in player.jobs}
            player.clean_up()
            self.clockwork.forgotten.update(player.jobs.values())
            self.owners |= dict.fromkeys(player.jobs.values(), player.name)

    def findings(self) -> set[tuple[str, str]]:
        """The scenarios with findings of the auditor, and their codes, as it has logged them."""
        group = f"/aws/lambda/{self.stack.outputs['AuditorFunctionName']}"
        pages = self.stack.aws("logs").get_paginator("filter_log_events")
        messages = [
            event["message"]
            for page in pages.paginate(logGroupName=group)
            for event in page["events"]
            if '"audit_finding"' in event["message"]
        ]
        told = [json.loads(message) for message in messages]
        return {(self.owners.get(each["job_id"], each["job_id"]), each["code"]) for each in told}

    @property
    def _audited_at(self) -> datetime:
        return max(self.audits, default=NEVER)

    def _is_open(self, part: Part) -> bool:
        jobs = set(part.player.jobs.values())
        return any(
            attempt.id.run.job_id in jobs
            and attempt.id.run.scheduled_at < part.end
            and attempt.state not in TERMINAL
            for attempt in self.clockwork.open_attempts()
        )

    def _surroundings(self) -> Surroundings:
        store = DynamoShardStore(
            BotoEngine(self.stack.aws("dynamodb")), table=self.stack.outputs["JobsTableName"]
        )
        opened = store.read()
        assert opened is not None
        return Surroundings(
            clock=self.clockwork.clock,
            recorder=self.recorder,
            tenant=TenantId(self.stack.tenant("first")),
            placement=opened.placement(len(SHARDS)),
            api=self._api,
        )

    def _api(self) -> httpx.Client:
        now = self.clockwork.clock.now()
        if self._token is None or now - self._token[0] > TOKEN_FOR:
            if self._token is not None:
                self._token[1].close()
            self._token = (now, self.stack.fresh_api())
            self._token[1].timeout = ANSWER_SECONDS
        return self._token[1]


def shards_by_outage(documents: Mapping[str, Document]) -> dict[str, Collection[int]]:
    """Place the jobs of each scenario: scenarios with different outages share no shard."""
    taken: dict[int, list[Document]] = {shard: [] for shard in SHARDS[1:]}
    found: dict[str, Collection[int]] = {}
    for name, document in documents.items():
        if not outages_of(document, "planner"):
            found[name] = SHARDS[:1]
            continue
        shard = next((shard for shard in taken if _fits(document, taken[shard])), None)
        assert shard is not None, f"too many outages at once: no shard for {name}"
        taken[shard].append(document)
        found[name] = (shard,)
    return found


def _fits(document: Document, others: Iterable[Document]) -> bool:
    return all(_go_together(document, other) for other in others)


def _go_together(one: Document, other: Document) -> bool:
    same = outages_of(one, "planner") == outages_of(other, "planner")
    apart = read(one["to"]) <= start_of(other) or read(other["to"]) <= start_of(one)
    return same or apart


def _planned(parts: Iterable[Part], now: datetime) -> list[int]:
    down = {
        shard
        for part in parts
        if lies_in(part.planner_outages, now)
        for shard in part.player.shards
    }
    return [shard for shard in SHARDS if shard not in down]


def _part(player: Player, rows: Rows) -> Part:
    document = player.document
    return Part(
        player=player,
        changes=changes_of(document),
        ticks=sorted(set(ticks_of(document, rows))),
        planner_outages=outages_of(document, "planner"),
        executor_outages=outages_of(document, "executor"),
        end=read(document["to"]),
    )
