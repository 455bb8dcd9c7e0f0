"""A story: one flow, lived through once, with one fault or none, and judged."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tests.crash.faults import Call, Fault, Mode, Outage
from tests.crash.judges.blame import assert_blamed, assert_suspects_alone
from tests.crash.judges.checker import Checker, Row, assert_complete, is_quiet, rows_of
from tests.crash.judges.strays import is_stray
from tests.crash.services.cloud import Cloud
from tests.crash.services.service import KIND, Service
from tests.crash.services.streams import JOBS, RUNS, is_given_up
from tests.crash.services.tables import Item
from tests.crash.services.targets import ARN, Effect
from tests.support.api import Answer
from timegate.domain.values.instants import rfc3339

#: Calls of a target, and the one that each needs first.
_CALLS = frozenset({"Invoke", "POST", "AssumeRole"})

#: Seconds until a story looks again if its runs have ended.
_LOOKS_AGAIN = 120


class Story:
    """Actions and findings of a flow."""

    def __init__(
        self,
        cloud: Cloud,
        tenant: str,
        faults: Sequence[Fault],
        service: Service = KIND,
        *,
        tells: bool = False,
    ) -> None:
        self.cloud = cloud
        self.tenant = tenant
        self.faults = faults
        # A stalled process writes late; the second look of planner and sweeper finds that.
        mark = "sealed" if self.stalled else "watermark"
        self.checker = Checker((tenant, self.neighbour), mark=mark)
        cloud.begin(faults, service, tells=tells)
        cloud.watch = self.look
        cloud.queues.watch_deleted = self._look_at_deleted
        self.began_at = cloud.now
        self._created: set[str] = set()
        #: Attempts of before the story, which it has put on record itself.
        self.earlier: set[tuple[str, str]] = set()
        #: Assert what else must hold: at every moment, and when nothing is left to happen.
        self.judges: list[Callable[[], None]] = []
        self.last_judges: list[Callable[[], None]] = []

    @property
    def neighbour(self) -> str:
        """Another tenant, whose runs share the queue with those of the story's own."""
        return f"{self.tenant}-neighbour"

    # --- what callers do

    def send(
        self, method: str, path: str, body: object = None, *, by: str | None = None, **headers: str
    ) -> Answer:
        """A caller's request; he repeats it until he is answered. ``by``: of another tenant."""
        answered = self.cloud.request(by or self.tenant, method, path, body, **headers)
        assert answered.status < 400, answered.body
        return answered

    def create(
        self, name: str = "job", *, function: str = "ok", by: str | None = None, **fields: object
    ) -> str:
        """Create a job under an idempotency key; its id. ``by``: of another tenant."""
        self._created.add(name)
        body: dict[str, object] = {
            "name": name,
            "schedule": {"kind": "immediate"},
            "action": {"type": "lambda", "function_arn": f"{ARN}{function}"},
        }
        answered = self.send("POST", "/v1/jobs", body | fields, by=by, Idempotency_Key=name)
        return str(answered.body["job_id"])

    def instant(self, seconds: float) -> str:
        """An instant so long after the story's beginning, as requests write it."""
        return rfc3339(self.at(seconds))

    def at(self, seconds: float) -> datetime:
        """An instant so long after the story's beginning."""
        return self.began_at + timedelta(seconds=seconds)

    def once_ended(self, act: Callable[[], object]) -> None:
        """Do something once no run is left to look at; idle ticks are not lived through."""

        def look() -> None:
            watched = any("watch_bucket" in item for item in self.runs)
            self.once_ended(act) if watched or not self.cloud.is_idle else act()

        self.cloud.at(_LOOKS_AGAIN, look)

    # --- what is there

    @property
    def jobs(self) -> list[Item]:
        """The raw items of the table of jobs, but for those that bar a creator."""
        return [item for item in self._items(JOBS) if "barred" not in item]

    @property
    def runs(self) -> list[Item]:
        """The raw items of the table of runs."""
        return self._items(RUNS)

    @property
    def rows(self) -> list[Row]:
        """Every attempt, without those of before the story, and without strays."""
        return [row for row, is_stray in self._told_apart() if not is_stray]

    @property
    def strays(self) -> list[Row]:
        """Runs that a creator stored before its job, which another one stored, or none did."""
        return [row for row, is_stray in self._told_apart() if is_stray]

    @property
    def effects(self) -> list[Effect]:
        """The calls that reached their target."""
        return self.cloud.region.function.effects

    def status(self, job_id: str) -> str:
        """A job's status, as it is stored."""
        (found,) = (j for j in self.jobs if (j["pk"]["S"], j["sk"]["S"]) in self._keys(job_id))
        return str(found["status"]["S"])

    def ends(self, job_id: str | None = None) -> list[tuple[str, str | None]]:
        """State and reason of every attempt, in order; of one job, or of all."""
        prefixes = (f"{self.tenant}#{job_id or ''}", f"{self.neighbour}#{job_id or ''}")
        return [(r.state, r.reason) for r in self.rows if r.key[0].startswith(prefixes)]

    def stood_still(self, function: str) -> bool:
        """A fault kept an invocation of this function waiting for minutes."""
        return any(f.mode is Mode.STALLED and f.call.function == function for f in self.faults)

    @property
    def stalled(self) -> set[int]:
        """The processes that stood still."""
        return {fault.call.process for fault in self.faults if fault.mode is Mode.STALLED}

    def struck(self, function: str) -> list[Fault]:
        """The faults that met functions whose names begin so."""
        return [fault for fault in self.faults if fault.call.function.startswith(function)]

    @property
    def tried_again(self) -> int:
        """Faults that make a failure of a call, and so another attempt.

        Its answer was lost, or that of STS, or its caller stood still until it was overdue.
        A worker that dies makes none, however late its run is: its lease proves no renewal beyond
        the deadline, so that the run is published again and does not time out.
        """
        struck = self.struck("executor")
        return sum(
            fault.mode is Mode.STALLED
            or (fault.mode in {Mode.RETRIED, Mode.UNANSWERED} and fault.call.operation in _CALLS)
            for fault in struck
        )

    # --- what must hold

    def assert_succeeded(
        self, job_id: str, *, runs: int = 1, tries: int = 1, calls: int = 1
    ) -> None:
        """Its runs ended well, each after so many tries, and it is completed with them."""
        ends = self.ends(job_id)
        assert ends.count(("succeeded", None)) == runs, ends
        failed = [state for state, reason in ends if reason == "retried"]
        assert len(failed) + runs == len(ends), ends
        assert set(failed) <= {"failed", "timed_out"}
        assert len(failed) <= tries - 1 + self.tried_again
        assert self.status(job_id) == "completed"
        self.assert_called(most=calls)

    def expects_job(self, name: str) -> None:
        """Count a job that a request makes beside what it is about."""
        self._created.add(name)

    def assert_created_once(self) -> None:
        """However often a request for a job was repeated, there is one."""
        jobs = [item["name"]["S"] for item in self.jobs if item["sk"]["S"] == "job"]
        assert sorted(jobs) == sorted(self._created)
        self._assert_strays_never_began()

    def _assert_strays_never_began(self) -> None:
        """A creator that is struck may leave a run: no target is called for it."""
        strays = {row.key: (row.state, row.reason, row.fence) for row in self.strays}
        ends = {("skipped", "superseded", 0), ("cancelled", "job_cancelled", 0)}
        assert set(strays.values()) <= ends, strays
        assert len(strays) <= len(self.struck("api")), strays

    def look(self) -> None:
        """Assert the invariants of every moment."""
        working = {a.process.name for a, _ in self.cloud.actors if a.process.working}
        self.checker.look(self.jobs, self.runs, working, now=self.cloud.now)
        assert_suspects_alone(self.rows)
        for judge in self.judges:
            judge()

    def assert_called(self, *, most: int = 1) -> None:
        """Every attempt called its target, and so often at most.

        Once more only for each process that met a fault and had made a call: it cannot know. And
        not at all where it was cancelled while it waited, STS gave its tenant no session, or its
        worker stood still beyond its deadline. A run that a DAG run does calls nothing itself.
        """
        excused = {fault.call.process for fault in self.faults}
        made = Counter((effect.run, effect.attempt) for effect in self.effects)
        own = [row for row in self.rows if row.text("dag_run") is None]
        silent = sum(row.state == "cancelled" for row in own)
        silent += sum(fault.call.operation == "AssumeRole" for fault in self.faults)
        silent += sum(fault.mode is Mode.STALLED for fault in self.struck("executor"))
        assert 0 <= len(own) - len(made) <= silent, f"{made} are not {len(own)} attempts"
        for attempt, count in made.items():
            heard = {e.process for e in self.effects if (e.run, e.attempt) == attempt}
            assert count <= most + len(excused & heard), f"{attempt} called {count} times"

    def _look_at_deleted(self, body: str) -> None:
        self.checker.look_at_deleted(self.runs, body, self.cloud.region.injector.current.name)

    def _told_apart(self) -> list[tuple[Row, bool]]:
        jobs = {item["pk"]["S"]: item for item in self.jobs if item["sk"]["S"] == "job"}
        rows = (row for row in rows_of(self.runs) if row.key not in self.earlier)
        return [(row, is_stray(row, jobs.get(row.key[0]))) for row in rows]

    def _items(self, table: str) -> list[Item]:
        return self.cloud.region.tables.items(table)

    def _keys(self, job_id: str) -> set[tuple[str, str]]:
        return {(f"{tenant}#{job_id}", "job") for tenant in (self.tenant, self.neighbour)}


@dataclass(frozen=True)
class Flow:
    """Something that callers are promised."""

    name: str
    begin: Callable[[Story], Any]
    #: Asserts what was promised; is given what ``begin`` returned.
    promise: Callable[[Story, Any], None]
    #: So many of its faults are tried but by ``make crash-matrix``; ``None``: all.
    most: int | None = None
    #: The request that it is about, counted from 1: all faults of that one are tried besides, and
    #: of the others those that come just before or after it.
    request: int | None = None
    #: The function that it is about: all its faults are tried besides.
    function: str | None = None
    #: Its stage tells of transitions.
    tells: bool = False


def live_through(
    flow: Flow,
    cloud: Cloud,
    tenant: str,
    *faults: Fault,
    crowded: Collection[str] = (),
    outage: Outage | None = None,
    whole: bool = False,
    service: Service = KIND,
) -> list[Call]:
    """Live through a flow and judge it; the calls it made.

    ``crowded``: functions of which one works at a time. ``whole``: the sweeper looks between
    its ticks, and the auditor ticks. Else every look is lost, and the promise is kept all the same.
    """
    story = Story(cloud, tenant, faults, service, tells=flow.tells)
    cloud.crowded, cloud.outage = set(crowded), outage
    if whole:
        cloud.tick_in_full()
    try:
        begun = flow.begin(story)
        cloud.settle(lambda: is_quiet(story.jobs, story.runs, now=cloud.now))
        story.look()
        assert_complete(story.runs, story.effects, story.stalled)
        assert_blamed(story.jobs, story.runs)
        for judge in story.last_judges:
            judge()
        story.assert_created_once()
        flow.promise(story, begun)
        assert [e for e in cloud.queues.rejected if outage is None or not is_given_up(e)] == []
        assert cloud.region.entries.broken == []
        cloud.region.injector.assert_met()
        return list(cloud.region.injector.calls)
    finally:
        cloud.watch = cloud.region.witness = _nothing
        cloud.queues.watch_deleted = _nothing
        for each in (tenant, story.neighbour):
            cloud.region.tables.forget(each)


def _nothing(*_: object) -> None:
    """Between stories."""
