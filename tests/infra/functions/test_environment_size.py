"""Variables of functions fit into Lambda's 4 KB, or the stage is refused with what is too much."""

import pytest

from infra.constructs.runtime.environment_size import EnvironmentTooLarge
from tests.infra.conftest import Synthesise
from tests.infra.stage_template import StageTemplate

#: A name as people give it, in full.
QUEUE = "arn:aws:sqs:eu-central-1:111122223333:shop-orders-that-are-to-be-shipped-{:02}"


def queues(count: int) -> str:
    """Name so many queues that jobs may target."""
    return ",".join(QUEUE.format(number) for number in range(count))


def clients(template: StageTemplate) -> int:
    """Count the pool's clients."""
    return len(template.of_type("AWS::Cognito::UserPoolClient"))


def test_targets_that_fit_are_taken(synthesise: Synthesise) -> None:
    """Twelve queues by their full names, and eight tenants."""
    tenants = ",".join(f"tenant-{number}" for number in range(8))

    assert clients(synthesise(stage="prod", queueTargets=queues(12), tenants=tenants)) == 8


def test_more_targets_than_lambda_can_be_told_are_refused(synthesise: Synthesise) -> None:
    """Before anything is deployed, with the variable that is too much."""
    with pytest.raises(
        EnvironmentTooLarge,
        match=r"environment_too_large: variables of function timegate-prod-api have about [\d,]+"
        r" bytes, and Lambda takes 4,096. The largest are ALLOWED_TARGETS",
    ):
        synthesise(stage="prod", queueTargets=queues(40))


def test_more_tenants_than_lambda_can_be_told_are_refused(synthesise: Synthesise) -> None:
    """An authorizer tells fifty audiences apart; their ids and names may be too much before."""
    tenants = ",".join(f"tenant-{number:02}" for number in range(49))
    with pytest.raises(EnvironmentTooLarge, match="The largest are TOKEN_AUDIENCE"):
        synthesise(stage="prod", tenants=tenants, adminClient="on")
