"""Duplicates of an invocation, and ticks that come late, as Lambda delivers them."""

from typing import Any

import pytest

from tests.functional.events.functions import Functions, sample
from tests.support.execution.executing import MINUTELY
from tests.support.factories import after
from timegate.ports.auditing import AuditWalk
from timegate.ports.dispatch.cursors import Watcher
from timegate.usecases.auditing.audit_shard import LEASE

WATCHERS = {"planner": Watcher.PLANNER, "sweeper": Watcher.SWEEPER}
#: Lambda repeats a failed asynchronous invocation with its own request id.
LEASED, FREE = 54, 56


@pytest.mark.parametrize(("seconds", "served"), [(LEASED, 0), (FREE, 2)])
@pytest.mark.parametrize("function", WATCHERS)
def test_a_repeated_tick_does_not_take_the_shard_of_the_tick_before(
    functions: Functions, monkeypatch: pytest.MonkeyPatch, function: str, seconds: int, served: int
) -> None:
    """Both have one request id; the first has died with its lease, or is still at work."""
    with monkeypatch.context() as patch:
        patch.setattr(functions.world.cursors, "release", lambda *_, **__: None)
        functions.send(function, sample(function))
    functions.world.clock.advance(seconds)

    assert functions.send(function, sample(function))["shards"] == served


def test_a_late_audit_does_not_free_the_walk_of_its_repetition(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stood still until its lease was over, and the repetition has one request id with it."""
    cursors = functions.world.auditing.cursors
    stood_still: list[AuditWalk] = []
    with monkeypatch.context() as patch:
        patch.setattr(cursors, "release", stood_still.append)
        functions.send("auditor", sample("auditor"))
        functions.world.clock.advance(LEASE.total_seconds())
        assert functions.send("auditor", sample("auditor"))["shards"] == len(stood_still) / 2
    for walk in stood_still[: len(stood_still) // 2]:
        cursors.release(walk)

    assert stood_still
    assert functions.send("auditor", sample("auditor"))["shards"] == 0


def test_repeated_batches_have_owners_of_their_own(functions: Functions) -> None:
    """The executor of each invocation is told from every other by the lease that it takes."""
    owners: list[str] = []
    module = functions.handlers["executor"]
    real: Any = module.services.execution

    class Services:
        """The executor's services, which note who asks for them."""

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the services'
            return getattr(services, name)

        def execution(self, *, owner: str, remaining_ms: int) -> Any:  # noqa: ANN401
            owners.append(owner)
            return real(owner=owner, remaining_ms=remaining_ms)

    services, module.services = module.services, Services()  # type: ignore[attr-defined]
    try:
        for _ in range(2):
            functions.send("executor", {"Records": []})
    finally:
        module.services = services  # type: ignore[attr-defined]

    assert len(set(owners)) == 2


def test_ticks_that_come_hours_late_do_the_work_of_now(functions: Functions) -> None:
    """A tick carries no instant: of a whole backlog the first one plans, the others find it done.

    To drop ticks for their age would turn a delay of all ticks into an outage of the planner.
    """
    world = functions.world
    job = world.add_job(schedule=MINUTELY, next_run_at=after(60))
    world.clock.advance(6 * 3600)
    backlog: list[Any] = [functions.send("planner", sample("planner")) for _ in range(5)]
    planned = world.jobs.get(job.timing.tenant, job.job_id).timing.next_run_at

    assert [tick["jobs"] > 0 for tick in backlog] == [True, False, False, False, False]
    assert planned is not None
    assert planned > world.clock.now()
    assert len({attempt.id for attempt in world.attempts()}) == len(world.attempts())
