"""A tenant that does harm on purpose, one step after the other, until it is told to stop."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from threading import Event, Thread
from typing import Any
from zlib import crc32

import httpx

from tests.support.documents.ical_files import event, file
from timegate.domain.values.identity import job_id_for_key
from timegate.domain.values.tenant import TenantId

SHARDS = 4
#: 60 KB that a pattern with nested repetition reads for seconds.
MISLEADING = "-eyJ" * 15_000
#: Each stage doubles what it is given.
BOMB = "parameters" + " | [@,@]" * 23
#: Days that never come: a search for the first one lasts for ever.
BARREN = "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"
LATER = {"kind": "delay", "delay_seconds": 86_400}


@dataclass
class Neighbour:
    """The noisy tenant; what it was answered, by step."""

    api: httpx.Client
    tenant: str
    #: Forbidden goal: another tenant's queue, by its URL.
    others_queue: str
    #: A web hook of its own, on a lane that the other tenant uses as well.
    hook: str
    #: One that kills the worker that calls it.
    deadly: str
    answers: dict[str, Counter[int]] = field(default_factory=dict)
    aimed: list[str] = field(default_factory=list)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Do everything in turn, again and again, beside what is inside."""
        stop, failures = Event(), list[BaseException]()

        def work() -> None:
            try:
                for step in cycle(self._steps()):
                    if stop.is_set():
                        return
                    step()
            except BaseException as error:  # noqa: BLE001 - told by the one who waits
                failures.append(error)

        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join(60)
        assert failures == []
        assert not thread.is_alive()

    def _steps(self) -> tuple[Callable[[], object], ...]:
        return (
            self.misleading_text,
            self.bomb,
            self.barren_calendar,
            self.others_target,
            self.one_shard,
            self.flood,
            self.killer,
        )

    def misleading_text(self) -> None:
        """Text that is slow to look through for credentials."""
        asked = {"payload": {"t": MISLEADING}, **_later(self.hook)}
        self._ask("text", "POST", "/v1/jobs", asked)

    def bomb(self) -> None:
        """An expression of a DAG that grows without end, and a run that evaluates it."""
        own = {"action": _hook(self.hook)}
        task = {"key": "t", "job": own, "input": {"x": {"$ref": BOMB}}}
        dag = {"name": "bomb", "tasks": [task], "edges": []}
        made = self._ask("bomb", "POST", "/v1/dags", dag)
        if made.is_success:
            path = f"/v1/dags/{made.json()['dag_id']}/runs"
            self._ask("bomb", "POST", path, {"parameters": {"n": 1}})

    def barren_calendar(self) -> None:
        """A file whose rule never finds a day."""
        text = file(*(event("DTSTART:20261201T080000Z", BARREN, uid=str(n)) for n in range(3)))
        self._ask("calendar", "POST", "/v1/calendars/barren/import", {"ical": text})

    def others_target(self) -> None:
        """A job that sends to a queue of another tenant."""
        action = {"type": "sqs", "queue_url": self.others_queue}
        asked = {"name": "theirs", "schedule": {"kind": "immediate"}, "action": action}
        self._ask("target", "POST", "/v1/jobs", asked)

    def one_shard(self) -> None:
        """Jobs whose ids a checksum without a key puts into one shard."""
        for key in islice(self._aiming(), 10):
            answer = self._ask("shard", "POST", "/v1/jobs", _later(self.hook), key=key)
            self.aimed.append(answer.json()["job_id"])

    def flood(self) -> None:
        """Runs that are all due at once, on the lane that the other tenant uses as well."""
        asked = {"name": "flood", "schedule": {"kind": "immediate"}, "action": _hook(self.hook)}
        for _ in range(5):
            self._ask("flood", "POST", "/v1/jobs", asked)

    def killer(self) -> None:
        """A run whose answer kills its worker, on the lane that the other tenant uses as well.

        One is enough: it kills until it is given up, and each kill costs the machine a process.
        """
        if "killer" in self.answers:
            return
        asked = {"name": "killer", "schedule": {"kind": "immediate"}}
        self._ask("killer", "POST", "/v1/jobs", {**asked, "action": _hook(self.deadly)})

    def _aiming(self) -> Iterator[str]:
        begun = len(self.aimed)
        for number in count():
            key = f"{begun}-{number}"
            if crc32(job_id_for_key(TenantId(self.tenant), key).encode()) % SHARDS == 0:
                yield key

    def _ask(
        self, step: str, method: str, path: str, body: dict[str, Any], *, key: str | None = None
    ) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        answer = self.api.request(method, path, json=body, headers=headers)
        self.answers.setdefault(step, Counter())[answer.status_code] += 1
        return answer


def _hook(url: str) -> dict[str, object]:
    return {"type": "webhook", "url": url}


def _later(url: str) -> dict[str, object]:
    return {"name": "later", "schedule": LATER, "action": _hook(url)}
