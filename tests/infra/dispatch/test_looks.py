"""Looks between the sweeper's ticks: every shard, in time, for little."""

import json
from itertools import chain

import pytest

from infra.stage.look_groups import LOOK_SHARDS, look_groups
from infra.stage.settings import STAGES, StageSettings
from tests.infra.stage_template import StageTemplate
from timegate.domain.dispatch.looks import (
    LOOK_BACK,
    LOOK_EVERY,
    LOOK_LATENESS,
    LOOK_TIME,
    PUBLICATION,
    RECOVERY_BEYOND_LEASE,
)
from timegate.domain.runs.gate import CLAIM_LEAD
from timegate.domain.runs.watch import LEASE_SLACK, LONGEST_LEASE, PATIENCE, UNSURE_PATIENCE
from timegate.usecases.services.execution_services import VISIBILITY_MARGIN

DEPLOYED = [STAGES["dev"], STAGES["prod"]]
#: USD; docs/decisions/0050-looks.md.
SQS_REQUEST, LAMBDA_REQUEST = 0.40 / 1e6, 0.20 / 1e6
GB_SECOND, READ_UNIT = 0.0000133334, 0.125 / 1e6
MINUTES_A_MONTH = 43_800


def leases(stage: StageSettings) -> list[int]:
    """The leases of executors and of pools, in seconds."""
    return [*(each.lease_seconds for each in stage.classes.values()), stage.worker_lease_seconds]


def test_recovery_holds_by_arithmetic() -> None:
    """N6: from the lease's end to the message that brings the run back, with any holder."""
    waits = LOOK_EVERY + LOOK_LATENESS + PUBLICATION

    assert LEASE_SLACK + waits <= RECOVERY_BEYOND_LEASE
    assert UNSURE_PATIENCE + waits <= RECOVERY_BEYOND_LEASE
    # A redelivered message comes first, and one lost look is made good by the next.
    assert VISIBILITY_MARGIN < LEASE_SLACK
    assert 2 * LOOK_EVERY + LOOK_LATENESS <= LOOK_BACK
    assert LOOK_TIME < LOOK_EVERY


@pytest.mark.parametrize("stage", DEPLOYED, ids=lambda stage: stage.name)
def test_a_claim_in_time_moves_no_look(stage: StageSettings) -> None:
    """It would cost two write units: the first look comes before any lease of the stage is over."""
    earliest = min(leases(stage))

    assert PATIENCE.total_seconds() <= earliest + (LEASE_SLACK - CLAIM_LEAD).total_seconds()


@pytest.mark.parametrize("stage", STAGES.values(), ids=lambda stage: stage.name)
def test_no_lease_is_longer_than_the_domain_counts_with(stage: StageSettings) -> None:
    """A lease beyond that was renewed after its deadline."""
    assert max(leases(stage)) <= LONGEST_LEASE.total_seconds()


@pytest.mark.parametrize("stage", STAGES.values(), ids=lambda stage: stage.name)
def test_every_shard_is_looked_at_once(stage: StageSettings) -> None:
    """Groups of at most sixteen: each look is an invocation."""
    looks = look_groups(stage)

    assert sorted(chain.from_iterable(looks.values())) == [*range(stage.shards)]
    assert max(map(len, looks.values())) <= max(LOOK_SHARDS, stage.group_size)


def test_ticks_ask_for_the_looks_of_every_shard(stage: StageTemplate) -> None:
    """Only the sweeper's ticks name looks."""
    told = {
        schedule.properties["Name"]: json.loads(schedule.properties["Target"]["Input"])
        for schedule in stage.of_type("AWS::Scheduler::Schedule")
    }
    asked = [told[name]["looks"] for name in told if "looks" in told[name]]
    shards = int(stage.function("sweeper").properties["Environment"]["Variables"]["SHARDS"])

    assert all("-sweeper-" in name for name in told if "looks" in told[name])
    assert sorted(chain.from_iterable(asked)) == [*range(shards)]


def test_an_untaken_look_expires(stage: StageTemplate) -> None:
    """No chain can run away: ticks alone send looks, and none outlives three minutes."""
    queue = stage.one("Looks/Queue").properties

    assert queue["MessageRetentionPeriod"] == 180
    assert "RedrivePolicy" not in queue
    assert not [
        name
        for name in ("api", "planner", "relay", "outcomes", "operations", "workers")
        if any(grant.resource == "Looks/Queue.Arn" for grant in stage.grants(name))
    ]


def test_an_idle_stage_pays_a_few_dollars_a_month() -> None:
    """A sweeper that waited for a minute in each group would cost a hundred times as much."""
    stage = STAGES["prod"]
    minute = 60 / LOOK_EVERY.total_seconds()
    looks = MINUTES_A_MONTH * minute * len(look_groups(stage))
    buckets = 1 + LOOK_BACK.total_seconds() / 60
    queries = MINUTES_A_MONTH * minute * stage.shards * buckets
    cost = (
        # Sent five at once, received and deleted one by one, and twenty seconds between polls.
        SQS_REQUEST * (looks / minute + 2 * looks + 5 * MINUTES_A_MONTH * 3)
        + LAMBDA_REQUEST * looks
        # Five milliseconds a query, half a unit, half a gigabyte; one unit for the open shards.
        + GB_SECOND * 0.5 * 0.005 * queries
        + READ_UNIT * (0.5 * queries + looks)
    )

    assert 2 < cost < 4
