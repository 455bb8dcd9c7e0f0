"""Play a scenario of ``timegate simulate`` on a deployed stack whose clock stands.

Each change is made through the API at its instant. Runs that take time accept their call and end by
a callback, at the instant at which the scenario says that they end.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx

from infra.local.clock import CloudClock
from infra.local.cloud import ANSWER_SECONDS
from infra.local.webhook_target import Recorder, Request
from tests.support.simulation.scenario_rows import Row, joined, row_of_gap, row_of_run
from tests.support.simulation.scenario_timeline import Document, jobs_of, outages_of, read, written
from timegate.domain.dispatch.shards import Placement
from timegate.domain.values.identity import JobId, job_id_for_key
from timegate.domain.values.tenant import TenantId

#: A run that a caller may ask to stop hears of it so often, as of a worker's heartbeat.
HEARTBEAT = timedelta(seconds=20)
#: No target of these scenarios is ever silent for too long.
DAY_SECONDS = 86_400
#: Where only the runs of scenarios with outages of executors go through.
HELD_LANE = "low"
HELD_QUEUE = "low-short"
_FIELDS = (
    *("schedule", "catch_up", "overlap", "start_within_seconds", "finish_by"),
    *("precision", "tags"),
)
_TAKEN_OVER = 202


@dataclass(frozen=True)
class Surroundings:
    """Parts that all players share."""

    clock: CloudClock
    recorder: Recorder
    tenant: TenantId
    placement: Placement
    #: A client with a token of the cloud's present.
    api: Callable[[], httpx.Client]


@dataclass
class Work:
    """A run that its target has accepted."""

    request: Request
    ends_at: datetime
    #: When it hears next whether it is to stop; ``None``: never.
    beats_at: datetime | None

    @property
    def at(self) -> datetime:
        """Return the instant of the target's next answer."""
        return min(self.ends_at, self.beats_at or self.ends_at)


@dataclass
class Player:
    """One scenario, its jobs on shards of one outage."""

    name: str
    document: Document
    shards: Collection[int]
    around: Surroundings
    jobs: dict[int, JobId] = field(default_factory=dict)
    freezes: dict[int, str] = field(default_factory=dict)
    works: list[Work] = field(default_factory=list)

    # --- what the scenario changes

    def create(self, number: int) -> None:
        """Create a job of it."""
        job = jobs_of(self.document)[number]
        path = f"{self.name}-{number}"
        body = {name: job[name] for name in _FIELDS if name in job}
        if rules := job.get("calendar_rules"):
            body["calendars"] = [rule | {"calendar": self._own(rule["calendar"])} for rule in rules]
        if outages_of(self.document, "executor"):
            body["priority"] = HELD_LANE
        action: dict[str, object] = {"type": "webhook", "url": self.around.recorder.url(path)}
        if _takes_time(job):
            action |= {"wait": "callback", "heartbeat_seconds": DAY_SECONDS}
            body["timeout_seconds"] = DAY_SECONDS
            self._accept(path, job)
        key, job_id = self._key_for(path)
        self._request(
            "POST", "/v1/jobs", {"name": path, "action": action, **body}, {"Idempotency-Key": key}
        )
        self.jobs[number] = job_id

    def post(self, number: int, action: str, body: Mapping[str, object]) -> None:
        """Pause, resume or cancel a job; a conflict is an answer, too."""
        self._request("POST", f"/v1/jobs/{self.jobs[number]}/{action}", body)

    def patch(self, number: int, body: Mapping[str, object]) -> None:
        """Change a job."""
        self._request("PATCH", f"/v1/jobs/{self.jobs[number]}", body)

    def put_calendar(self, name: str, calendar: Mapping[str, object] | None) -> None:
        """Replace a calendar, or delete it."""
        self._request("PUT" if calendar else "DELETE", f"/v1/calendars/{self._own(name)}", calendar)

    def freeze(self, number: int, freeze: Mapping[str, Any]) -> None:
        """Announce a freeze."""
        scope = freeze["scope"]
        if scope["kind"] == "job":
            scope = {"kind": "job", "job_id": self.jobs[0]}
        body = {"scope": scope, "starts_at": freeze["from"], "ends_at": freeze["to"]}
        body |= {"thaw": freeze["thaw"]} if "thaw" in freeze else {}
        self.freezes[number] = self._request("POST", "/v1/freezes", body)["freeze_id"]

    def lift(self, number: int) -> None:
        """End a freeze early."""
        self._request("DELETE", f"/v1/freezes/{self.freezes[number]}", None)

    def _own(self, calendar: str) -> str:
        return f"{self.name}-{calendar}"

    def _key_for(self, path: str) -> tuple[str, JobId]:
        """A key whose job comes to one of its shards, and the job's id."""
        for number in range(1000):
            key = f"{path}-{number}"
            job_id = job_id_for_key(self.around.tenant, key)
            if self.around.placement.shard_of(job_id) in self.shards:
                return key, job_id
        raise AssertionError(f"no job of {path} comes to one of {self.shards}")

    def _request(
        self, method: str, path: str, body: object, headers: Mapping[str, str] | None = None
    ) -> Any:  # noqa: ANN401 - JSON
        answer = self.around.api().request(method, path, json=written(body), headers=headers)
        assert answer.is_success, f"{self.name}: {method} {path}: {answer.text}"
        return answer.json() if answer.content else None

    # --- what its runs do

    def _accept(self, path: str, job: Document) -> None:
        told = job["run_seconds"]
        seconds = list(told) if isinstance(told, list) else [told]
        beats = job.get("overlap", {}).get("policy") == "replace"

        def accept(request: Request) -> dict[str, bool]:
            now = self.around.clock.now()
            takes = seconds.pop(0) if len(seconds) > 1 else seconds[0]
            ends_at = now + timedelta(seconds=takes)
            self.works.append(Work(request, ends_at, now + HEARTBEAT if beats else None))
            return {"accepted": True}

        self.around.recorder.work(path, accept)
        self.around.recorder.answer(path, *[_TAKEN_OVER] * 1000)

    def work(self) -> bool:
        """Let targets say what is due; whether any had something to say."""
        now = self.around.clock.now()
        due = [work for work in self.works if work.at <= now]
        for work in due:
            if work.ends_at <= now:
                self._say(work, "complete")
            elif self._say(work, "heartbeat")["cancel_requested"]:
                self._say(work, "release")
            else:
                work.beats_at = now + HEARTBEAT
                continue
            self.works.remove(work)
        return bool(due)

    def _say(self, work: Work, word: str) -> Any:  # noqa: ANN401 - JSON
        headers = work.request.headers
        url = f"{headers['timegate-callback-url']}/{word}"
        body = {"lease_token": headers["timegate-callback-token"]}
        answer = httpx.post(url, json=body, timeout=ANSWER_SECONDS)
        assert answer.is_success, f"{self.name}: {word}: {answer.text}"
        return answer.json()

    # --- what the stack has on record

    def ledger(self, number: int) -> list[Row]:
        """The records of a job in the scenario's range."""
        range_ = {"from": str(written(self.document["from"]))}
        range_["to"] = (read(self.document["to"]) - timedelta(milliseconds=1)).isoformat()
        path = f"/v1/jobs/{self.jobs[number]}"
        runs = {run["run_id"]: run for run in self._pages(f"{path}/runs", {})}
        return joined(
            row_of_run(item["instant"], runs[item["run_id"]] | item)
            if item["kind"] == "run"
            else row_of_gap(item, "skipped")
            for item in self._pages(f"{path}/ledger", range_)
        )

    def _pages(self, path: str, params: Mapping[str, str]) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        asked = {"limit": "100", **params}
        while True:
            answer = self.around.api().get(path, params=asked)
            assert answer.status_code == httpx.codes.OK, answer.text
            items += answer.json()["items"]
            if not (cursor := answer.json()["next_cursor"]):
                return items
            asked["cursor"] = cursor

    def clean_up(self) -> None:
        """Leave nothing to the scenarios that go on."""
        api = self.around.api()
        for job_id in self.jobs.values():
            api.delete(f"/v1/jobs/{job_id}")
        for freeze_id in self.freezes.values():
            api.delete(f"/v1/freezes/{freeze_id}")


def _takes_time(job: Document) -> bool:
    told = job.get("run_seconds", 0)
    return any(told) if isinstance(told, list) else bool(told)
