"""Every stage stays below the limits of AWS, with head-room."""

import pytest

from infra.stage.settings import MAX_SHARDS
from tests.infra.conftest import Synthesise
from tests.infra.stage.aws_limits import LIMITS, Limit
from tests.infra.stage_template import StageTemplate

#: Share of a limit that a stage may take; a larger one has a reason below.
HEAD_ROOM = 0.9
#: By limit: how much is taken of it, and why that is enough.
NEAR: dict[str, tuple[int, str]] = {
    "metrics of an alarm": (
        9,
        (
            "Runs dead-lettered: eight executors and the sweeper. Those of workers and outcomes are"
            " added up in an alarm of their own."
        ),
    ),
    "seconds of an invocation": (900, "Executors of long runs work as long as Lambda lets them."),
    "batches of an event source in work": (
        1_000,
        "A lane of production may take all that AWS gives one event source.",
    ),
    "seconds that a queue keeps a message": (
        1_209_600,
        "Messages are kept as long as SQS keeps any.",
    ),
}
#: A stage of so long a name may be deployed, and no longer one.
LONGEST_STAGE = "a-stage-of-16-ch"


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_a_stage_keeps_away_from_a_limit(limit: Limit, stage: StageTemplate) -> None:
    """Within nine tenths, or exactly what the table says and why."""
    most = NEAR[limit.name][0] if limit.name in NEAR else int(HEAD_ROOM * limit.most)
    beyond = [(place, taken) for place, taken in limit.measured(stage) if taken > most]

    assert beyond == []
    assert most <= limit.most


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_a_measure_finds_something_to_measure(limit: Limit, prod: StageTemplate) -> None:
    """A renamed property would measure nothing, and hold everything."""
    taken = [taken for _, taken in limit.measured(prod)]

    assert max(taken) > 0
    if limit.name in NEAR:
        assert max(taken) == NEAR[limit.name][0]


@pytest.mark.wide
def test_a_stage_of_the_most_shards_keeps_to_the_limits(synthesise: Synthesise) -> None:
    """Each number that a stage may have can be deployed."""
    choices = {"shards": str(MAX_SHARDS), "accountConcurrency": "20000", "events": "on"}
    largest = synthesise(stage="prod", kmsKey="own", **choices)
    resources, timeouts = (
        next(each for each in LIMITS if each.name == name)
        for name in ("resources of a stack", "seconds of an invocation")
    )

    assert all(taken <= resources.most for _, taken in resources.measured(largest))
    assert all(taken <= timeouts.most for _, taken in timeouts.measured(largest))


@pytest.mark.wide
def test_a_full_stage_keeps_to_the_limits(synthesise: Synthesise) -> None:
    """The stage has the longest name, a key of its own, and as many tenants as variables hold."""
    tenants = ",".join(f"tenant-{number}" for number in range(24))
    choices = {"kmsKey": "own", "tenants": tenants, "adminClient": "on"}
    full = synthesise(assets=True, stage=LONGEST_STAGE, like="prod", **choices)
    beyond = [
        (limit.name, place, taken)
        for limit in LIMITS
        for place, taken in limit.measured(full)
        if taken > limit.most
    ]

    assert beyond == []
