"""The records of a deployed pair, held against instants of jobs and calls of targets."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from infra.local.webhook_target import Request
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.chaos.chronos_subjects import Subject, text

Entry = dict[str, Any]
#: The end of a run, or of an instant without one, that the other region may have begun.
LOST = "region_lost"


def ledger(api: httpx.Client, job: dict[str, Any], until: datetime) -> list[Entry]:
    """Every record of a job's instants in a region."""
    params = {"from": job["created_at"], "to": text(until), "limit": "500"}
    answer = api.get(f"/v1/jobs/{job['job_id']}/ledger", params=params)
    assert answer.status_code == 200, answer.text
    items: list[Entry] = answer.json()["items"]
    return items


def has_ended(entry: Entry) -> bool:
    """Tell a gap, or a run that will not change any more."""
    return entry["kind"] == "gap" or entry["state"] in {"succeeded", "dead_lettered"}


@dataclass(frozen=True, kw_only=True)
class Takeover:
    """Instants of a promotion."""

    #: The link was cut.
    cut_at: datetime
    #: The end of the first region's time, and the beginning of the second one's.
    lost_until: datetime
    acts_from: datetime
    #: Instants until then are judged.
    until: datetime

    def is_after(self, call: Request) -> bool:
        """Tell a call of the second region."""
        return call.arrived_at >= self.acts_from


@dataclass(frozen=True, kw_only=True)
class Record:
    """A job, its instants until the judgement, and what a region has on record of them."""

    subject: Subject
    instants: Sequence[datetime]
    entries: Sequence[Entry]

    @property
    def is_retried(self) -> bool:
        """A run of it calls again, as another attempt."""
        return "retry" in self.subject.settings

    @property
    def is_whole(self) -> bool:
        """Every instant has a record, and each has ended."""
        return self.recorded == len(self.instants) and all(map(has_ended, self.entries))

    @property
    def recorded(self) -> int:
        """Count the instants on record."""
        return sum(each.get("count", 1) for each in self.entries)

    def accounted(self) -> set[datetime]:
        """Return the instants of which the entries tell."""
        spans = [(read(e["first"]), read(e["last"])) for e in self.entries if e["kind"] == "gap"]
        runs = {read(each["instant"]) for each in self.entries if each["kind"] == "run"}
        gaps = {at for first, last in spans for at in self.instants if first <= at <= last}
        return runs | (gaps - runs)

    def open(self) -> list[Entry]:
        """Return the runs that have not ended."""
        return [each for each in self.entries if not has_ended(each)]

    def doubted(self) -> list[datetime]:
        """Return the instants that the first region may have begun."""
        found = [each for each in self.entries if each.get("reason") == LOST]
        return sorted(read(each.get("instant") or each["first"]) for each in found)


def judge(record: Record, calls: Sequence[Request], takeover: Takeover) -> None:
    """Hold the records of a job to the promises of a promotion."""
    name = record.subject.name
    after = Counter(each.run_id for each in calls if takeover.is_after(each))
    before = {each.run_id for each in calls if not takeover.is_after(each)}
    lost = {each["run_id"] for each in record.entries if each.get("state") == "dead_lettered"}

    assert record.accounted() == set(record.instants), name
    assert record.recorded == len(record.instants), name
    # Nothing fires twice after the promotion, and nothing of the first region's time fires at all.
    assert max(after.values(), default=1) == 1, name
    assert record.is_retried or not after.keys() & before, name
    assert not after.keys() & lost, name
    for entry in record.entries:
        if entry.get("reason") == LOST:
            assert read(entry.get("instant") or entry["last"]) < takeover.lost_until, (name, entry)
        else:
            assert entry.get("state") == "succeeded", (name, entry)
