"""Descriptions of functions, as far as templates do not show them."""

from typing import cast

import pytest
from aws_cdk import App

from infra.constructs.api.api_function import API
from infra.constructs.api.workers import WORKERS
from infra.constructs.data.stores import Stores
from infra.constructs.functions.archiver import ARCHIVER
from infra.constructs.functions.auditor import AUDITOR
from infra.constructs.functions.dag_runs import DAG_RUNS
from infra.constructs.functions.dead_letter import DEAD_LETTER
from infra.constructs.functions.executors import executor
from infra.constructs.functions.operations import OPERATIONS
from infra.constructs.functions.outcomes import OUTCOMES
from infra.constructs.functions.planner import PLANNER
from infra.constructs.functions.relay import RELAY
from infra.constructs.functions.sweeper import SWEEPER
from infra.constructs.runtime.description import VARIABLES, Given
from infra.stage.settings import FUNCTION_NAMES, QUEUE_KEYS
from infra.stage.stage_context import stage_settings

SETTINGS = stage_settings(lambda _: None)
DESCRIPTIONS = (
    *(API, WORKERS, PLANNER, RELAY, SWEEPER, AUDITOR),
    *(OUTCOMES, DAG_RUNS, OPERATIONS, DEAD_LETTER, ARCHIVER),
    *(executor(key, SETTINGS) for key in QUEUE_KEYS),
)


def test_each_function_has_one_description() -> None:
    """Reserved concurrency and dashboards name functions as these do."""
    assert tuple(each.name for each in DESCRIPTIONS) == FUNCTION_NAMES


def test_each_variable_of_the_table_is_given_to_a_function() -> None:
    """A variable that no function is given would be computed for nothing."""
    assert {name for each in DESCRIPTIONS for name in each.variables} == set(VARIABLES)


def test_a_stack_without_a_resource_names_it() -> None:
    """Synthesis fails before a function is deployed without what it needs."""
    given = Given(reader=App(), settings=SETTINGS, stores=cast("Stores", None))

    with pytest.raises(ValueError, match="no queue of rejected messages"):
        VARIABLES["REJECTED_QUEUE_URL"](given)
    with pytest.raises(ValueError, match="no state machine"):
        VARIABLES["DAG_MACHINE_ARN"](given)
