"""One life of a pair: the first region fires jobs, an operator promotes the other, it goes on."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile
from typing import Any

from tests.crash.faults import Call, Fault, Mode
from tests.crash.regions.pair import HOME, OTHER, Pair, RegionDown
from tests.crash.services.targets import ARN, Effect
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.values.instants import rfc3339

#: From a story's beginning: the first region acts, its jobs' first instant, its end unless it is
#: struck before.
ACTS, FIRST, LAST = (timedelta(seconds=each) for each in (60, 130, 330))
#: So long the second region is watched once it acts, and the first one when it is back.
WATCHED, BACK = timedelta(seconds=150), timedelta(seconds=130)
EVERY = timedelta(seconds=60)
_SECOND = timedelta(seconds=1)
_RETRY = {"max_attempts": 3, "backoff": "fixed", "jitter": False, "initial_delay_seconds": 5}


@dataclass(frozen=True, kw_only=True)
class Work:
    """A job of the stories: of each minute, or of one instant."""

    name: str
    function: str = "ok"
    is_repeated: bool = True
    fields: dict[str, object]

    def schedule(self, first: datetime) -> dict[str, object]:
        """Return its schedule, as a request has it."""
        if not self.is_repeated:
            return {"kind": "at", "at": rfc3339(first + EVERY)}
        seconds = int(EVERY.total_seconds())
        return {"kind": "rate", "every_seconds": seconds, "starts_at": rfc3339(first)}

    def instants(self, first: datetime, until: datetime) -> list[datetime]:
        """Return its instants up to one."""
        named = instants_from(first) if self.is_repeated else iter([first + EVERY])
        return list(takewhile(lambda at: at <= until, named))


WORKS = (
    Work(name="steady", fields={}),
    Work(name="slow", function="works-5", fields={}),
    Work(name="failing", function="fails-1", fields={"retry": _RETRY}),
    Work(name="once", fields={"delivery": "at_most_once"}),
    # Its end completes the job: outcomes follows it.
    Work(name="single", is_repeated=False, fields={}),
)


class How(StrEnum):
    """Fate of the first region at a call."""

    #: Its functions die, and its tables answer: they are fenced, and replicated on.
    DIES = "dies"
    #: All of it is gone, and what had not gone over with it.
    IS_LOST = "is lost"
    #: Nothing is wrong with it: an operator promotes the other one, and it works on.
    IS_FENCED = "is fenced"
    #: Nothing goes over any more. The other one is promoted; this one works until its time ends.
    IS_CUT_OFF = "is cut off"

    @property
    def is_dead(self) -> bool:
        """Tell if its functions end at the call."""
        return self in {How.DIES, How.IS_LOST}

    @property
    def is_unreachable(self) -> bool:
        """Tell if nothing goes over between the regions from the call on."""
        return self in {How.IS_LOST, How.IS_CUT_OFF}


@dataclass(frozen=True, kw_only=True)
class Strike:
    """Place, kind and replication lag of a strike at the first region."""

    call: Call
    how: How
    lag: timedelta

    def __str__(self) -> str:
        return f"{self.how} at {self.call}, {self.lag.seconds} s behind"

    @property
    def fault(self) -> Fault:
        """Return what the call meets."""
        return Fault(self.call, Mode.AFTER if self.how.is_dead else Mode.STALLED)


class Takeover:
    """A story of a pair; without a ``strike`` the first region works on."""

    #: The same in each story, and so are the ids of its jobs: the calls are the same.
    tenant = "two-regions"

    def __init__(self, pair: Pair, strike: Strike | None = None) -> None:
        self.pair = pair
        self.strike = strike
        #: Each job's id.
        self.jobs: dict[str, str] = {}
        self.began_at = self.struck_at = pair.now
        #: That of the second region, once it is promoted.
        self.record: RegionRecord | None = None
        #: Calls of targets from either region.
        self.here: list[Effect] = []
        self.there: list[Effect] = []
        #: Ids of the jobs that the second region knows when it takes over.
        self.known: set[str] = set()

    @property
    def first_at(self) -> datetime:
        """The first instant of its jobs."""
        return self.began_at + FIRST

    def live_at_home(self) -> list[Call]:
        """Fire jobs until the first region is struck, or is done; the calls that may be struck."""
        pair, strike = self.pair, self.strike
        injector = pair.cloud.region.injector
        pair.begin(
            [strike.fault] if strike else [],
            lag=strike.lag if strike else timedelta(),
            dies=strike is not None and strike.how.is_dead,
        )
        injector.stall = lambda _: self._promote()
        self.began_at = pair.now
        pair.cloud.live_until(self.began_at + ACTS)
        for work in WORKS:
            self._create(work)
        made = len(injector.calls)
        self._live_on()
        injector.assert_met()
        self.here = list(pair.cloud.region.function.effects)
        return injector.calls[made:]

    def go_on(self) -> None:
        """Have the second region take over."""
        pair, record = self.pair, self.record
        assert record is not None
        pair.enter(OTHER)
        if pair.replication.is_cut:
            pair.cut()
        pair.cloud.live_until(record.acts_from)
        items = pair.cloud.region.tables.items("jobs")
        keys = {item["pk"]["S"] for item in items if item["sk"]["S"] == "job"}
        self.known = {each for each in self.jobs.values() if f"{self.tenant}#{each}" in keys}
        pair.cloud.live_until(record.acts_from + WATCHED)
        self.there = pair.cloud.region.function.effects[len(self.here) :]

    def return_home(self) -> int:
        """Have the first region back, with all its messages; how many targets it calls."""
        pair = self.pair
        effects = pair.cloud.region.function.effects
        before = len(effects)
        pair.enter(HOME)
        pair.heal()
        pair.cloud.live_until(pair.now + BACK)
        return len(effects) - before

    def send(self, method: str, path: str, body: object = None, **headers: str) -> dict[str, Any]:
        """Answer a caller's request, in the region that works."""
        answer = self.pair.cloud.request(self.tenant, method, path, body, **headers)
        assert answer.status < 400, answer.body
        found: dict[str, Any] = answer.body
        return found

    def _create(self, work: Work) -> None:
        body = {
            "name": work.name,
            "schedule": work.schedule(self.first_at),
            "action": {"type": "lambda", "function_arn": f"{ARN}{work.function}"},
            "catch_up": {"policy": "all"},
            **work.fields,
        }
        made = self.send("POST", "/v1/jobs", body, Idempotency_Key=work.name)
        self.jobs[work.name] = str(made["job_id"])

    def _live_on(self) -> None:
        """Until its death, or the second region's time."""
        pair, last = self.pair, self.began_at + LAST
        try:
            while pair.now < last:
                pair.cloud.live_until(min(pair.now + _SECOND, last))
                last = self.record.acts_from if self.record is not None else last
        except RegionDown:
            self._promote()

    def _promote(self) -> None:
        """Give the operator's command."""
        assert self.strike is not None
        is_unreachable = self.strike.how.is_unreachable
        if is_unreachable:
            self.pair.cut()
        self.struck_at = self.pair.now
        command = self.pair.operator(OTHER)
        self.record = command.promote(unreachable=is_unreachable, is_off=False, dry_run=False)


def instants_from(first: datetime) -> Iterator[datetime]:
    """Name the instants of a job of each minute."""
    while True:
        yield first
        first += EVERY
