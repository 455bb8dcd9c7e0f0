"""The tables that stores are tested with are those of the stack."""

from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template

from infra.constructs.data.tables import JobTable, RunTable
from infra.stage.stage_context import stage_settings
from tests.support.stores.table_descriptions import jobs_table, runs_table


def synthesised(table: type[JobTable | RunTable]) -> dict[str, Any]:
    """Return the template's properties of a table."""
    stack = Stack(App(), "Tables")
    table(stack, "Table", settings=stage_settings(lambda _: None))
    (resource,) = Template.from_stack(stack).find_resources("AWS::DynamoDB::Table").values()
    properties: dict[str, Any] = resource["Properties"]
    return properties


def comparable(table: dict[str, Any]) -> dict[str, Any]:
    """Return keys, indexes, stream and billing in one order."""
    attributes = {
        each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]
    }
    return {
        "billing": table["BillingMode"],
        "keys": table["KeySchema"],
        "attributes": attributes,
        "indexes": {each["IndexName"]: each for each in table["GlobalSecondaryIndexes"]},
        "stream": table.get("StreamSpecification", {}).get("StreamViewType"),
    }


@pytest.mark.parametrize(
    ("table", "described"),
    [
        pytest.param(JobTable, jobs_table("x"), id="jobs"),
        pytest.param(RunTable, runs_table("x"), id="runs"),
    ],
)
def test_a_table_is_that_of_the_stack(
    table: type[JobTable | RunTable], described: dict[str, Any]
) -> None:
    """Otherwise the contract would hold for tables of no stage."""
    assert comparable(described) == comparable(synthesised(table))
