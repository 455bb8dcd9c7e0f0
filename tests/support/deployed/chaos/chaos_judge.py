"""Results of a course's jobs, held against the promises."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import httpx

from tests.support.deployed.chaos.chaos_course import Subject
from tests.support.deployed.effects import Call, Effects
from tests.support.deployed.stack import Stack, wait_until

#: Written by functions whose workers lived to tell.
METRICS = ("DuplicatesPrevented", "LeasesRescued", "RunsRetried", "EndingsDelayed")
_METRIC = re.compile(rf'"({"|".join(METRICS)})":\[([0-9., ]+)\]')


@dataclass(frozen=True, kw_only=True)
class Story:
    """One job: its runs with their attempts, its ledger, what its target was told and did."""

    subject: Subject
    status: str
    runs: list[dict[str, Any]]
    ledger: list[dict[str, Any]]
    calls: list[Call]
    effects: int

    @property
    def own(self) -> list[dict[str, Any]]:
        """Its runs, without strays."""
        return [run for run in self.runs if not _is_stray(run)]

    @property
    def outcome(self) -> tuple[str, str | None]:
        """State and reason of its run."""
        return self.own[0]["state"], self.own[0]["reason"]

    @property
    def late(self) -> float | None:
        """Seconds from its instant to the first call; ``None``: it was never called."""
        return (
            (self.calls[0].arrived_at - self.subject.due_at).total_seconds() if self.calls else None
        )


def _is_stray(run: dict[str, Any]) -> bool:
    """Tell a run that a struck creator left: a repeated request stored its job, with another run.

    It was skipped, and no executor ever claimed it (decision 191).
    """
    unclaimed = {attempt["fence"] for attempt in run["attempts"]} == {0}
    return unclaimed and (run["state"], run["reason"]) == ("skipped", "superseded")


def told(stack: Stack, subjects: list[Subject], target: Effects) -> list[Story]:
    """Read everything, when all is quiet."""
    happened = target.per_job()

    def read(subject: Subject) -> Story:
        path = f"/v1/jobs/{subject.job_id}"
        until = {"to": datetime.now(UTC).isoformat(), "limit": 500}
        listed = _get(stack, f"{path}/runs")["items"]
        runs = [_get(stack, f"/v1/runs/{run['run_id']}") for run in listed]
        job = wait_until(
            lambda: _completed(_get(stack, path)),
            seconds=600,
            what=lambda: _get(stack, path),
        )
        span = {"from": job["created_at"], **until}
        return Story(
            subject=subject,
            status=job["status"],
            runs=runs,
            ledger=_get(stack, f"{path}/ledger", span)["items"],
            calls=target.calls(subject.name),
            effects=happened[subject.name],
        )

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(read, subjects))


def _completed(job: dict[str, Any]) -> dict[str, Any] | None:
    return job if job["status"] == "completed" else None


def _get(stack: Stack, path: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Read from the API, with patience: its function has just been configured anew. It has just
    been configured anew: it may take its time at first.
    """

    def ask() -> dict[str, Any] | None:
        with suppress(httpx.TransportError):
            answer = stack.api.get(path, params=params)
            assert answer.status_code in {200, 500, 502, 503, 504}, answer.text
            return answer.json() if answer.is_success else None
        return None

    return wait_until(ask, seconds=300, what=lambda: f"no answer: {path}")


def complaints(stories: list[Story]) -> list[str]:
    """List broken promises, each with its job."""
    return [
        f"{story.subject.name}, {story.subject.mode}: {complaint}; {story.runs}, {story.calls}"
        for story in stories
        for complaint in _complaints(story)
    ]


def _complaints(story: Story) -> list[str]:
    if len(story.own) != 1:
        return [f"{len(story.own)} runs"]
    run, (state, reason), effects = story.own[0], story.outcome, story.effects
    succeeded, died = state == "succeeded", (state, reason) == ("failed", "worker_died")
    entries = [(each["instant"], each.get("run_id"), each["state"]) for each in story.ledger]
    on_record = [(each["scheduled_at"], each["run_id"], each["state"]) for each in story.runs]
    fences = [each["fence"] for each in sorted(run["attempts"], key=itemgetter("attempt"))]
    at_most_once = story.subject.mode == "at_most_once"
    kept = {
        "no success": succeeded or (at_most_once and died),
        "no effect": effects > 0 or (at_most_once and not succeeded),
        "effects": effects <= 1 or story.subject.mode == "at_least_once",
        "calls": len(story.calls) <= 1 or not at_most_once,
        "another run's key": {call.key for call in story.calls} <= {run["run_id"]},
        "a fence given twice": len({call.fence for call in story.calls}) == len(story.calls),
        "attempts out of order": all(a < b for a, b in pairwise(fences)),
        "the instant": _instant(run["scheduled_at"]) == story.subject.due_at,
        "the ledger": sorted(entries) == sorted(on_record),
        "early": story.late is None or story.late >= 0,
    }
    return [what for what, holds in kept.items() if not holds]


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def counted(stories: list[Story]) -> dict[str, object]:
    """Count the records."""
    runs = [run for story in stories for run in story.own]
    attempts = [attempt for run in runs for attempt in run["attempts"]]
    late = sorted(story.late for story in stories if story.late is not None)
    return {
        "jobs": len(stories),
        "ended": dict(Counter(":".join(filter(None, story.outcome)) for story in stories)),
        "without a run": sum(not story.own for story in stories),
        "strays": sum(len(story.runs) - len(story.own) for story in stories),
        "calls": sum(len(story.calls) for story in stories),
        "called more than once": sum(len(story.calls) > 1 for story in stories),
        "never called": sum(not story.calls for story in stories),
        "effects": dict(sum((Counter({s.subject.mode: s.effects}) for s in stories), Counter())),
        "taken over": sum(attempt["fence"] > 1 for attempt in attempts),
        "retries": len(attempts) - len(runs),
        "duplicates prevented": sum(run["duplicates_prevented"] for run in runs),
        "late_s": {f"p{p}": percentile(late, p) for p in (50, 90, 95, 99, 100)},
    }


def percentile(ordered: list[float], percent: int) -> float:
    """Take a percentile of seconds in ascending order, rounded to hundredths."""
    return round(ordered[min(len(ordered) * percent // 100, len(ordered) - 1)], 2)


def logged(stack: Stack) -> Counter[str]:
    """The metrics of all functions so far, read off the cloud's log."""
    found: Counter[str] = Counter()
    for name, values in _METRIC.findall((Path(stack.cloud.home) / "cloud.log").read_text()):
        found[name] += int(sum(json.loads(f"[{values}]")))
    return found
