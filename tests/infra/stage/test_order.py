"""CloudFormation makes at once all that names nothing of one another; AWS asks for an order."""

from itertools import pairwise

import pytest

from tests.infra.stage_template import StageTemplate

#: Tables with replicas have a type of their own.
_TABLES = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable")


def test_a_configuration_of_an_alias_is_made_after_the_alias(landing: StageTemplate) -> None:
    """It says the alias by its name alone, and Lambda refuses one of an unknown alias."""
    configured = landing.of_type("AWS::Lambda::EventInvokeConfig")

    assert {each.path.partition("/")[0] for each in configured} >= {"Planner", "DagEvents"}
    for each in configured:
        (alias,) = (
            alias
            for alias in landing.of_type("AWS::Lambda::Alias")
            if alias.properties["FunctionName"] == each.properties["FunctionName"]
            and alias.properties["Name"] == each.properties["Qualifier"]
        )
        assert alias.path in each.depends_on


@pytest.mark.parametrize("name", ["local", "dev", "keyed", "pair"])
def test_tables_with_indexes_are_made_one_after_the_other(
    name: str, request: pytest.FixtureRequest
) -> None:
    """DynamoDB makes one table with indexes at a time (API_CreateTable)."""
    stage: StageTemplate = request.getfixturevalue(name)
    tables = [
        each
        for kind in _TABLES
        for each in stage.of_type(kind)
        if each.properties.get("GlobalSecondaryIndexes")
    ]
    in_order = sorted(tables, key=lambda each: len({t.path for t in tables} & each.depends_on))

    assert {each.path for each in tables} == {"Jobs/Table", "Runs/Table"}
    for first, second in pairwise(in_order):
        assert first.path in second.depends_on
