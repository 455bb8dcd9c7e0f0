"""A stage deployed in two regions: the link between them is cut, and the second one takes over.

With ``--log-cli-level=WARNING`` it says what it measured.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.local.webhook_target import Recorder, recording
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.stack import wait_until
from tests.support.regions.deployed_pair import HOME, OTHER, DeployedPair, deployed_pair
from tests.support.regions.pair_course import (
    PARTED,
    PATIENCE,
    POOL,
    TASKS,
    WHOLE,
    PairCourse,
    one_shot,
    recurring,
)
from tests.support.regions.pair_judge import Entry, Record, Takeover, judge
from tests.support.regions.pool_worker import PoolWorker, serving_pool

pytestmark = pytest.mark.deep

SHARDS = list(range(4))
PASSIVE = "region_passive"
#: Behind the first run of a region that took over, until when its instants are judged.
AFTER = timedelta(seconds=45)
#: From the beginning of its time until a region has begun a run: two ticks, and slack.
BEGINS_WITHIN = 150.0
#: Ends of a busy machine's runs are on record, and replicated, so soon.
RECOVERED = timedelta(seconds=60)
#: A call that began in the first region's time has ended by then.
CALL_ENDS = timedelta(seconds=60)
measured = logging.getLogger("timegate.measured")


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    """A target of its own: some of its calls are held for minutes."""
    with recording() as recorder:
        yield recorder


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeployedPair]:
    """Both regions enforce every IAM policy."""
    with deployed_pair(tmp_path_factory.mktemp("pair"), auth=True) as pair:
        yield pair


@pytest.fixture(scope="module")
def course(pair: DeployedPair, recorder: Recorder) -> Iterator[PairCourse]:
    """A tenant whose key is replicated with its jobs."""
    home = pair.stacks[HOME]
    wait_until(lambda: acts(pair, HOME), seconds=PATIENCE, pause=2)
    made = home.admin.post("/v1/tenants", json={"tenant": "paired"})
    assert made.status_code == 201, made.text
    key = made.json()["key"]["api_key"]
    with home.by_key(key) as here, pair.stacks[OTHER].by_key(key) as there:
        yield PairCourse({HOME: here, OTHER: there}, recorder)


def records(pair: DeployedPair) -> dict[str, Any]:
    """Return what the command says of each region's record."""
    found: dict[str, Any] = pair.region("status", "--region", OTHER)["regions"]
    return found


def acts(pair: DeployedPair, region: str) -> bool | None:
    """Have a region's planner ask for its promise, and tell if it acts."""
    pair.stacks[region].invoke("PlannerFunctionName", {"shards": SHARDS})
    return records(pair)[region]["acts_now"] or None


def taken_over(
    course: PairCourse, record: dict[str, Any], *, asked_at: datetime, cut_at: datetime
) -> Takeover:
    """Wait until the region that a command promoted has fired for a while."""
    acts_from, lost_until = read(record["acts_from"]), read(record["in_doubt_before"])
    waits = (acts_from - datetime.now(UTC)).total_seconds()
    first = course.first_call(acts_from, seconds=waits + BEGINS_WITHIN)
    measured.warning(
        "behind the command: the old region's end %s, the new one's beginning %s, its first run %s",
        lost_until - asked_at,
        acts_from - asked_at,
        first - asked_at,
    )
    until = first + AFTER
    wait_until(lambda: datetime.now(UTC) > until or None, seconds=PATIENCE)
    return Takeover(cut_at=cut_at, lost_until=lost_until, acts_from=acts_from, until=until)


def promoted(pair: DeployedPair, course: PairCourse) -> Takeover:
    """Cut the link, have a job made behind it, and promote the second region without the first."""
    pair.cut()
    cut_at, underway = datetime.now(UTC), pair.replicator.underway(HOME)
    measured.warning("%d writes were lost, the oldest of %s", underway.writes, underway.behind)
    course.create(one_shot("late", 1))
    pair.region("promote", "--region", OTHER, "--yes", code=1)
    asked_at = datetime.now(UTC)
    record = pair.region("promote", "--region", OTHER, "--unreachable", "--yes")
    return taken_over(course, record, asked_at=asked_at, cut_at=cut_at)


def judge_all(
    course: PairCourse, worker: PoolWorker, found: list[Record], takeover: Takeover
) -> None:
    """Judge each job, the pool's by the regions that gave its runs to a worker."""
    doubted = sorted(at for each in found for at in each.doubted() if at >= takeover.cut_at)
    early = [at for each in found for at in each.doubted() if at < takeover.cut_at]
    measured.warning(
        "%d instants are in doubt, from %s before the cut to %s behind it",
        len(doubted) + len(early),
        takeover.cut_at - min(early, default=takeover.cut_at),
        max(doubted, default=takeover.cut_at) - takeover.cut_at,
    )
    for each in found:
        judge(each, course.calls(each.subject.name), takeover)
        for entry in each.entries if each.subject.name == POOL else ():
            given = worker.regions_of(entry.get("run_id", ""))
            assert len(given) <= 1, entry
            assert given or entry.get("state") != "succeeded", entry


def test_nothing_fires_twice_after_a_promotion(pair: DeployedPair, course: PairCourse) -> None:
    """Judged by the calls that targets received, and by the ledgers of both regions."""
    with serving_pool(POOL, course.apis) as worker:
        course.create(*recurring())
        course.start_dag(WHOLE)
        course.fires()
        course.stands_at_the_cut()
        takeover = promoted(pair, course)
        subject, late = course.jobs.pop()
        unknown = course.apis[OTHER].get(f"/v1/jobs/{late['job_id']}")
        there = course.settles(OTHER, takeover.until)
        course.dag_ends(OTHER, PARTED, "failed")
        audit = pair.stacks[OTHER].invoke("AuditorFunctionName", {"shards": SHARDS})
        wait_until(lambda: records(pair)[OTHER]["jobs_checked"]["done"] or None, seconds=PATIENCE)
        pair.heal()
        wait_until(lambda: rejoined(pair, HOME, 2), seconds=PATIENCE, pause=2)
        # Each region's last writes are still on their way to the other one.
        here = wait_until(lambda: agreed(course, takeover.until), seconds=PATIENCE, pause=2)
        # Its functions read their record once in ten seconds.
        wait_until(lambda: (HOME, PASSIVE) in worker.refused or None, seconds=PATIENCE)
    course.jobs.append((subject, late))
    arrived = course.settles(OTHER, takeover.until)[-1]
    judge_all(course, worker, there, takeover)
    silent = (takeover.lost_until + CALL_ENDS, takeover.acts_from)
    calls = [call for each, _ in course.jobs for call in course.calls(each.name)]

    judge_what_came([each.entries for each in there], here)
    assert unknown.status_code == 404
    # The first region went on by its promise, and no longer.
    assert any(takeover.cut_at < each.arrived_at < takeover.lost_until for each in calls)
    assert not any(silent[0] < each.arrived_at < silent[1] for each in calls)
    assert (OTHER, PASSIVE) in worker.refused
    assert min(at for each in there for at in each.doubted()) > takeover.cut_at - RECOVERED
    assert {each.subject.name: len(each.doubted()) for each in there}["held"] == 1
    assert all(len(course.calls(f"{PARTED}-{task}")) <= 1 for task in TASKS)
    assert (audit["unaccounted"], audit["instants"] > 0) == (0, True)
    # A job whose making did not arrive comes with the first region, and has fired there.
    assert [each.get("state") for each in arrived.entries] == ["succeeded"]
    assert len(course.calls("late")) == 1


def agreed(course: PairCourse, until: datetime) -> list[Sequence[Entry]] | None:
    """Return the ledgers of every job, once both regions have the same."""
    here, there = (
        [each.entries for each in course.records(region, until)] for region in (HOME, OTHER)
    )
    return here if here == there else None


def judge_what_came(before: Sequence[Sequence[Entry]], after: Sequence[Sequence[Entry]]) -> None:
    """A retry that began before the cut comes with the first region: its run is in no doubt."""
    changed = [
        (old, new)
        for olds, news in zip(before, after, strict=True)
        for old, new in zip(olds, news, strict=True)
        if old != new
    ]
    assert [old["reason"] for old, _ in changed] == ["region_lost"] * len(changed)
    assert all(old["attempt"] < new["attempt"] for old, new in changed)


def rejoined(pair: DeployedPair, region: str, epoch: int) -> bool | None:
    """Tell if a region knows that it was replaced, and old items have arrived."""
    told = records(pair)[region]
    behind = [pair.replicator.underway(each).behind for each in (HOME, OTHER)]
    return (told["epoch"] == epoch and max(behind) < timedelta(seconds=10)) or None


def failed_back(pair: DeployedPair) -> tuple[datetime, dict[str, Any]] | None:
    """Let the first region take over again, if it has all ticks; when, and its record."""
    with suppress(AssertionError):
        asked_at = datetime.now(UTC)
        return asked_at, pair.region("fail-back", "--region", HOME, "--yes")
    return None


def test_the_first_region_takes_over_again(pair: DeployedPair, course: PairCourse) -> None:
    """By the command of a planned promotion, which loses only instants of the lag."""
    with serving_pool(POOL, course.apis) as worker:
        asked_at, record = wait_until(lambda: failed_back(pair), seconds=PATIENCE, pause=1)
        takeover = taken_over(course, record, asked_at=asked_at, cut_at=asked_at)
        here = course.settles(HOME, takeover.until)
    before = len([at for each in here for at in each.doubted() if at < asked_at])
    for each in here:
        judge(each, course.calls(each.subject.name), takeover)
    doubted = [at for each in here for at in each.doubted()]
    measured.warning("%d instants are in doubt after the way back", len(doubted) - before)

    assert all(at < takeover.lost_until for at in doubted)
    assert {region for region, _ in worker.refused} == {HOME, OTHER}
