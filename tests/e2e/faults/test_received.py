"""A worker of the deployed stack that dies between receiving a message and claiming its run."""

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.faults.test_robustness import executor
from tests.support.deployed.chaos.chaos_course import configured
from tests.support.deployed.fault_proxy import FaultProxy, Faults, Hold, fault_proxy
from tests.support.deployed.stack import Stack, wait_until
from timegate.domain.dispatch.looks import RECOVERY_BEYOND_LEASE

pytestmark = pytest.mark.wide

#: The local stage's leases.
LEASE_SECONDS = 15
#: Claims are statements of a batch: the first that an executor makes for a message.
CLAIM = "DynamoDB_20120810.BatchExecuteStatement"
LANE = "low-short"


@pytest.fixture(scope="module")
def proxy(stack: Stack) -> Iterator[FaultProxy]:
    """Between the executor of a lane and its tables."""
    with fault_proxy(stack.cloud.port, Faults(), seed=1) as proxy:
        detour = {"AWS_ENDPOINT_URL_DYNAMODB": proxy.url}
        with configured(stack, executor(stack, LANE), detour):
            yield proxy


@pytest.mark.parametrize("delivery", ["at_least_once", "exactly_once", "at_most_once"])
def test_a_run_that_was_received_and_not_claimed_is_back_in_time(
    stack: Stack,
    recorder: Recorder,
    proxy: FaultProxy,
    delivery: str,
    record_property: Callable[[str, object], None],
) -> None:
    """SIGKILL while the claim is on its way to the table, which never hears of it (N6).

    The run begins once, under its first fence: nothing on record tells of the dead worker.
    """
    hold = proxy.hold = Hold(CLAIM)
    job = stack.create_job(
        name=delivery,
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url(delivery)},
        priority=LANE.partition("-")[0],
        delivery=delivery,
        timeout_seconds=60,
    )
    assert hold.caught.wait(60)
    caught_at = datetime.now(UTC)

    assert stack.kill_workers(executor(stack, LANE)) >= 1

    hold.dropped.set()
    (first,) = recorder.wait_for(delivery, 1, seconds=120)
    took = (first.arrived_at - caught_at).total_seconds()
    record_property("seconds", took)
    sys.stderr.write(f"{delivery}: called {took:.1f} s after its message was received\n")
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    (attempt,) = wait_until(
        lambda: stack.api.get(f"/v1/runs/{run['run_id']}").json()["attempts"] or None, seconds=10
    )

    assert (run["state"], attempt["fence"], first.fence) == ("succeeded", 1, 1)
    assert len(recorder.requests(delivery)) == 1
    assert took <= LEASE_SECONDS + RECOVERY_BEYOND_LEASE.total_seconds()
