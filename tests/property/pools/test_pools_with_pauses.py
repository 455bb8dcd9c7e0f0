"""Claims, heartbeats, ends, pauses and clock steps in any order, judged by an oracle."""

from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from tests.examples import some
from tests.property.pools.pool_oracle import LEASE_MS, ModelPool, ModelRun
from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.demands import Priority
from timegate.domain.pools.pause import PoolPause
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import MILLISECOND
from timegate.usecases.pools.claim_from_pool import claim_from_pool
from timegate.usecases.pools.end_held_run import complete_run, release_run
from timegate.usecases.pools.hand_run import Handed
from timegate.usecases.pools.heartbeat_run import Said, heartbeat_run
from timegate.usecases.pools.look_at_pool import PoolClaim
from timegate.usecases.pools.pause_pool import pause_pool, resume_pool

OFFER = Offer(pool="reports", handler="sales")
PRIORITIES = [Priority.CRITICAL, Priority.NORMAL]
#: Around leases, the sweeper's slack, and the second within which runs have no order.
STEPS_MS = [1, 999, 1_000, 4_999, 30_000, 59_999, 60_000, 61_000, 300_000]
PICK = st.integers(0, 50)


def at(now: int) -> datetime:
    """Return an instant of the course."""
    return NOW + now * MILLISECOND


class PausedPools(RuleBasedStateMachine):
    """One pool of one tenant."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.world.add_job(
            offer=OFFER,
            action=WorkerAction(pool="reports", handler="sales"),
            timeout_seconds=86_400,
        )
        self.world.sweep()
        self.services = api_services(self.world)
        self.model = ModelPool()
        #: Every run that was ever handed out, with its model.
        self.handed: list[tuple[Handed, ModelRun]] = []

    @property
    def now(self) -> int:
        """Milliseconds since the course began."""
        return (self.world.clock.now() - NOW) // MILLISECOND

    @rule(step=st.sampled_from(STEPS_MS))
    def time_passes(self, step: int) -> None:
        self.world.clock.set(at(self.now + step))

    @rule(priority=st.sampled_from([0, 1]), wait=st.sampled_from([0, 500, 3_000, 70_000]))
    def a_run_is_planned(self, priority: int, wait: int) -> None:
        due = self.now + wait
        own = attempt_id(
            job=JOB_ID,
            origin=Origin.TRIGGER,
            scheduled_at=NOW + timedelta(milliseconds=len(self.model.runs)),
        )
        attempt = attempt_factory(
            id=own,
            due_at=at(due),
            offer=OFFER,
            priority=PRIORITIES[priority],
            state=RunState.QUEUED,
        )
        self.world.runs.insert_all([attempt])
        run = ModelRun(name=str(own.run), priority=priority, due_at=due)
        self.model.runs[run.name] = run

    @rule(most=st.integers(1, 4), wait=st.sampled_from([0, 0, 5]), pool=st.just("reports"))
    def a_worker_claims(self, most: int, wait: int, pool: str) -> None:
        wanted = PoolClaim(
            tenant=TENANT,
            pool=pool,
            worker="host-7",
            max_runs=most,
            wait=timedelta(seconds=wait),
        )
        found = claim_from_pool(wanted, self.world.working)
        names = [str(each.claimed.attempt.id.run) for each in found.runs]
        self.model.judge_claim(names, most, self.now)
        assert (found.pause is not None) is self.model.holds_back(self.now)
        for each, name in zip(found.runs, names, strict=True):
            run = self.model.runs[name]
            run.hand_out(self.now)
            assert each.claimed.lease.fence == run.fence, "a fence was reused"
            self.handed.append((each, run))

    def _held(self, pick: int) -> tuple[Handed, ModelRun, bool]:
        """Return a lease, and if it is the one under which its run is held."""
        each, run = self.handed[pick % len(self.handed)]
        current = run.held_until is not None and each.claimed.lease.fence == run.fence
        return each, run, current and not run.is_over

    @precondition(lambda self: bool(self.handed))
    @rule(pick=PICK)
    def a_worker_heartbeats(self, pick: int) -> None:
        each, run, current = self._held(pick)
        if run.is_in_doubt(self.now):
            return
        own = each.claimed.attempt.id.run
        try:
            heard = heartbeat_run(TENANT, own, each.token, Said(), self.world.working)
        except LeaseLost:
            assert not current, "a lease was lost that is held"
            return
        assert current, "a lost lease was renewed"
        run.held_until = self.now + LEASE_MS
        assert heard.lease_expires_at == at(run.held_until)

    @precondition(lambda self: bool(self.handed))
    @rule(pick=PICK)
    def a_worker_completes(self, pick: int) -> None:
        each, run, current = self._held(pick)
        if run.is_in_doubt(self.now):
            return
        done = run.is_over and each.claimed.lease.fence == run.fence and run.held_until is not None
        own = each.claimed.attempt.id.run
        try:
            complete_run(TENANT, own, each.token, Answer(text=""), self.world.working)
        except LeaseLost:
            assert not current, "an end was refused to its holder"
            assert not done, "an end was refused when it was said again"
            return
        assert current or done, "an end was taken from a worker that lost its run"
        run.is_over = True

    @precondition(lambda self: bool(self.handed))
    @rule(pick=PICK)
    def a_worker_releases(self, pick: int) -> None:
        each, run, current = self._held(pick)
        if not current or run.is_in_doubt(self.now):
            return
        release_run(TENANT, each.claimed.attempt.id.run, each.token, self.world.working)
        run.held_until = None

    @rule(
        length=st.sampled_from([None, None, 500, 3_000, 61_000]),
        reason=st.sampled_from([None, "Mend."]),
    )
    def an_operator_pauses(self, length: int | None, reason: str | None) -> None:
        until = None if length is None else at(self.now + length)
        now = self.world.clock.now()
        asked = PoolPause(pool="reports", since=now, by="ops", reason=reason, until=until)
        standing = pause_pool(TENANT, asked, self.services, now=now)
        assert standing.pause is not None
        assert (standing.pause.until, standing.pause.reason) == (until, reason)
        self.model.is_paused = True
        self.model.paused_until = None if length is None else self.now + length

    @rule()
    def an_operator_resumes(self) -> None:
        now = self.world.clock.now()
        assert resume_pool(TENANT, "reports", self.services, by="ops", now=now).pause is None
        self.model.is_paused = False

    @rule()
    def the_sweeper_looks(self) -> None:
        self.world.sweep()
        self.model.sweep(self.now)

    def teardown(self) -> None:
        """Once the pool is resumed, every run is handed out or buried, and ends."""
        self.an_operator_resumes()
        for _ in range(2 * len(self.model.runs) * 6):
            if not self.model.waiting(self.now + 1_000_000):
                break
            self.world.clock.advance(300)
            self.a_worker_claims(most=4, wait=0, pool="reports")
            for pick in range(len(self.handed)):
                if self._held(pick)[2]:
                    self.a_worker_completes(pick)
        assert not self.model.waiting(self.now + 1_000_000)


PausedPools.TestCase.settings = settings(max_examples=some(90), stateful_step_count=50)
TestPausedPools = PausedPools.TestCase
