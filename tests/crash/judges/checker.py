"""Judge the raw items: no reader, key or table of the code under test is used."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.crash.services.tables import Item, owner_of
from tests.crash.services.targets import Effect

#: An instant planned later than this has nothing to do with a story.
SOON = timedelta(minutes=15)
#: The states after which nothing follows, as ``docs/concepts/state_machine.md`` draws them.
ENDED = frozenset({"succeeded", "failed", "timed_out", "cancelled", "skipped", "dead_lettered"})
OPEN = frozenset({"waiting", "queued", "running"})
#: Fields of an ended attempt that may still change: those about duplicates, and whether outcomes
#: has still to follow the end.
_LEARNED = {
    *("duplicates_prevented", "direct", "answer", "answer_fence", "answered_at"),
    *("follow", "watch_at", "watch_bucket"),
}
#: And of a dead letter what an operator decided about it, which takes it out of its indexes.
_SETTLED = {
    "resolution",
    *("dead_tenant", "dead_reason", "dead_code", "dead_at"),
    *("failure_part", "failure_at"),
    "expires_at",
}

#: The auditor's walk, the meter's record, and tallies of costs.
_OF_THE_AUDITOR = ("#audit#walk", "#audit#meter", "#audit#cost#")


@dataclass(frozen=True)
class Row:
    """One attempt, as it is stored."""

    key: tuple[str, str]
    item: Item

    @property
    def run(self) -> str:
        """Its run: instant and origin."""
        return self.key[1].rpartition("#")[0]

    @property
    def number(self) -> int:
        """Number of the attempt within its run."""
        return int(self.key[1].rpartition("#")[2])

    @property
    def state(self) -> str:
        """Its state."""
        return str(self.item["state"]["S"])

    @property
    def fence(self) -> int:
        """The fence of its last lease."""
        return int(self.item["fence"]["N"])

    @property
    def reason(self) -> str | None:
        """Reason of its end."""
        return self.text("reason")

    @property
    def worker(self) -> str | None:
        """The process that took the last lease: its owner without what tells duplicates apart."""
        owner = self.text("owner")
        return owner.partition("#")[0] if owner is not None else None

    def text(self, name: str) -> str | None:
        """An attribute of text."""
        value = self.item.get(name, {}).get("S")
        return str(value) if value is not None else None

    def holds_at(self, now: datetime) -> bool:
        """Return whether a worker has a live lease on it."""
        expires = self.text("lease_expires_at")
        return self.state == "running" and expires is not None and instant(expires) > now


@dataclass
class Checker:
    """Looks after every invocation, and remembers what it saw."""

    tenants: tuple[str, ...]
    #: The watchers' mark that nothing is found behind: others' writes may come late.
    mark: str = "watermark"
    seen: dict[tuple[str, str], Row] = field(default_factory=dict)
    #: Every lease that was seen, by attempt and fence: its owner.
    owners: dict[tuple[tuple[str, str], int], str] = field(default_factory=dict)

    def look(
        self, jobs: Sequence[Item], runs: Sequence[Item], working: set[str], *, now: datetime
    ) -> None:
        """Assert what holds at any moment, with processes dead or standing still.

        ``working``: those that wait for their targets.
        """
        rows = {row.key: row for row in rows_of(runs)}
        lost = self.seen.keys() - rows.keys()
        assert not lost, f"records are gone: {lost}"
        for row in rows.values():
            self._only_goes_forward(row)
            if row.state in {"succeeded", "failed"}:
                assert row.worker not in working, f"{row.key} ended under its holder's hands"
            self._is_reachable(row, jobs, is_last=_following(row.key) not in rows)
        for item in runs:
            _dag_run_is_reachable(item, jobs, self.mark)
        for job in jobs:
            _job_is_reachable(job, jobs, self.mark)
        self._slots_hold(jobs, rows.values(), now)
        self._stays_at_home(jobs, runs)
        self.seen = rows

    def look_at_deleted(self, runs: Sequence[Item], body: str, worker: str) -> None:
        """Assert that a worker lets go of a message only after it has stored what became of it."""
        told = json.loads(body)
        job_id, run, number = told["attempt"].split(".")
        key = f"{told['tenant']}#{job_id}", f"{_sort_key(run)}#{int(number):04d}"
        assert key in {row.key for row in rows_of(runs)}, f"{key} is unknown"
        for row in rows_of(runs):
            held = row.key == key and row.state == "running" and row.worker == worker
            # A run left to the target is not its own any more.
            held = held and row.text("handed_over_at") is None
            once = row.text("delivery") == "at_most_once"
            assert not held or once, f"{worker} holds {key}, and has deleted its message"

    def _only_goes_forward(self, row: Row) -> None:
        before = self.seen.get(row.key)
        if before is None:
            return
        assert row.fence >= before.fence, f"the fence of {row.key} fell"
        if before.state in ENDED:
            changed = {
                n for n in {*row.item, *before.item} if row.item.get(n) != before.item.get(n)
            }
            settled = _SETTLED if "resolution" in row.item else set()
            assert changed <= _LEARNED | settled, f"{row.key} had ended, and changed: {changed}"
        owner = row.text("owner")
        if row.state == "running" and owner is not None:
            known = self.owners.setdefault((row.key, row.fence), owner)
            assert known == owner, f"two hold fence {row.fence} of {row.key}"

    def _is_reachable(self, row: Row, jobs: Sequence[Item], *, is_last: bool) -> None:
        watch_at, bucket = row.text("watch_at"), row.text("watch_bucket")
        if row.state in ENDED and "follow" not in row.item:
            assert watch_at is None, f"nothing follows the end of {row.key}, and it is watched"
            if is_last:
                _is_followed_up(row, jobs)
            return
        assert row.state in OPEN | ENDED
        assert watch_at is not None, f"no sweeper watches {row.key}"
        assert bucket == f"{_minute(watch_at)}#0", f"{row.key} is in another bucket than its watch"
        _is_ahead_of(jobs, "sweeper", watch_at, row.key, self.mark)

    def _slots_hold(self, jobs: Sequence[Item], rows: Iterable[Row], now: datetime) -> None:
        """Assert for every key its jobs' limit, in the record and by live leases."""
        limits: dict[str, int] = {}
        members: dict[str, str] = {}
        for job in jobs:
            overlap = job.get("work", {}).get("M", {}).get("overlap", {}).get("M")
            if job["sk"]["S"] == "job" and overlap:
                key = overlap.get("concurrency_key", job["pk"])["S"]
                limits[key] = int(overlap.get("max_concurrent", {}).get("N", 1))
                members[job["pk"]["S"]] = key
        working: dict[str, int] = defaultdict(int)
        for row in rows:
            if row.key[0] in members and row.holds_at(now):
                working[members[row.key[0]]] += 1
        for key, count in working.items():
            assert count <= limits[key], f"{count} work under {key}"

    def _stays_at_home(self, jobs: Sequence[Item], runs: Sequence[Item]) -> None:
        for item in (*jobs, *runs):
            pk = item["pk"]["S"]
            at_home = {owner_of(item), item.get("tenant", {}).get("S")} & set(self.tenants)
            known = pk.startswith(("shard#", "shards", "operations", *_OF_THE_AUDITOR))
            assert at_home or known, f"{pk} belongs to no tenant"


def rows_of(runs: Sequence[Item]) -> list[Row]:
    """Every attempt, by key."""
    rows = [Row((item["pk"]["S"], item["sk"]["S"]), item) for item in runs if "state" in item]
    return sorted(rows, key=lambda row: row.key)


def assert_complete(runs: Sequence[Item], effects: Sequence[Effect], late: set[int]) -> None:
    """Assert what holds when nothing is left to happen.

    ``late``: processes that stood still; their calls may arrive after those that replaced them,
    and it is the target that refuses them, by their fence.
    """
    by_run: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows_of(runs):
        by_run[row.key[0], row.run].append(row)
    for name, attempts in by_run.items():
        assert [row.number for row in attempts] == list(range(1, len(attempts) + 1))
        states = [(row.state, row.reason) for row in attempts]
        assert all(state in ENDED for state, _ in states), f"{name} has not ended: {states}"
        ends = [
            row.state
            for row in attempts
            if row.reason != "retried"
            and "resolution" not in row.item
            # A resumption reopens what its pause skipped.
            and not (row.reason == "paused" and row is not attempts[-1])
        ]
        assert len(ends) == 1, f"{name} has {len(ends)} outcomes: {states}"
        assert states[-1][1] != "retried", f"{name}: no attempt follows the last: {states}"
    fences: dict[str, list[int]] = defaultdict(list)
    for effect in effects:
        if effect.process not in late:
            fences[effect.run].append(effect.fence)
    for run, seen in fences.items():
        assert seen == sorted(set(seen)), f"the fences of {run} do not grow: {seen}"


def is_quiet(jobs: Sequence[Item], runs: Sequence[Item], *, now: datetime) -> bool:
    """No sweeper has anything to look at any more, or not for long."""
    watched = any("watch_bucket" in item for item in runs)
    soon = any("due_at" in item and instant(item["due_at"]["S"]) < now + SOON for item in jobs)
    return not watched and not soon


def _job_is_reachable(job: Item, jobs: Sequence[Item], mark: str) -> None:
    if job["sk"]["S"] != "job" or job["status"]["S"] != "active" or "next_run_at" not in job:
        return
    due_at, bucket = job.get("due_at", {}).get("S"), job.get("due_bucket", {}).get("S")
    assert due_at is not None, f"no planner plans {job['pk']['S']}"
    assert bucket == f"{_minute(due_at)}#0"
    _is_ahead_of(jobs, "planner", due_at, (job["pk"]["S"], "job"), mark)


def _following(key: tuple[str, str]) -> tuple[str, str]:
    """The next attempt at the same run."""
    pk, sk = key
    run, number = sk.rsplit("#", 1)
    return pk, f"{run}#{int(number) + 1:04d}"


def _is_followed_up(row: Row, jobs: Sequence[Item]) -> None:
    """Outcomes lets go of an end that completes its job only once the job is completed.

    Unless planners come to the job: it was resumed, and they reopen what its pause skipped.
    """
    if "final" not in row.item or row.reason == "retried":
        return
    for job in jobs:
        is_its = (job["pk"]["S"], job["sk"]["S"]) == (row.key[0], "job")
        if is_its and not {"next_run_at", "due_bucket"} & job.keys():
            assert job["status"]["S"] != "active", f"{row.key} has ended, and its job goes on"


def _dag_run_is_reachable(item: Item, jobs: Sequence[Item], mark: str) -> None:
    """The sweeper comes by, until it has ended, and so has the run that waits for it.

    One that has ended is watched until its execution knows; the flows ask whether it does.
    """
    if item["sk"]["S"] != "dag-run":
        return
    key, watched = (item["pk"]["S"], "dag-run"), "watch_at" in item
    awaited = "started_by" in item and "is_told" not in item
    over = item["status"]["S"] in ENDED and not awaited
    assert watched or over, f"{key} is {item['status']['S']}, and no sweeper watches it"
    if watched:
        watch_at = item["watch_at"]["S"]
        assert item["watch_bucket"]["S"] == f"{_minute(watch_at)}#0"
        _is_ahead_of(jobs, "sweeper", watch_at, key, mark)


def _is_ahead_of(
    jobs: Sequence[Item], watcher: str, at: str, key: tuple[str, str], mark: str
) -> None:
    """The watcher has not come past the bucket yet: it will look there."""
    for cursor in jobs:
        if cursor["pk"]["S"] == "shard#0" and cursor["sk"]["S"] == watcher:
            watermark = cursor[mark]["S"]
            assert _minute(at) >= _minute(watermark), f"the {watcher} has passed {key}"


def instant(text: str) -> datetime:
    """``20261121T070000000Z``, as items write it: the last three digits are milliseconds."""
    return datetime.strptime(f"{text[:-1]}+0000", "%Y%m%dT%H%M%S%f%z")


def _minute(text: str) -> str:
    """The bucket's minute: ``20261121T0700``."""
    return text[:13]


def _sort_key(run: str) -> str:
    """Return the instant of ``s20261121T0700…Z`` and its origin.

    Notices and the runs of tasks are apart from other runs.
    """
    instant, _, about = run[1:].partition("-")
    return f"{run[0]}#{instant}#{about}" if run[0] in "nd" else f"{instant}#{run[0]}{about}"
