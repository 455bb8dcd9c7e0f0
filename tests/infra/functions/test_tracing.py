"""Traces: the share of a stage, in each function that says it, and in what X-Ray records."""

import pytest

from infra.stage.given.trace_choice import TracingError
from infra.stage.stage_context import stage_settings
from tests.infra.conftest import Synthesise
from tests.infra.permissions.allowed import EXECUTORS
from tests.infra.stage_template import StageTemplate

SHARE = "TRACE_PERCENT"
TOLD = (*EXECUTORS, "workers")
OF_XRAY = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}


def shares(template: StageTemplate) -> dict[str, str]:
    """The share that functions are told, by their names."""
    environments = {
        each.properties["FunctionName"].split("-", 2)[2]: each.properties["Environment"]
        for each in template.of_type("AWS::Lambda::Function")
    }
    return {
        name: each["Variables"][SHARE]
        for name, each in environments.items()
        if SHARE in each["Variables"]
    }


def test_functions_that_begin_work_know_the_share(
    prod: StageTemplate, dev: StageTemplate, local: StageTemplate
) -> None:
    """Executors, that of workers, and with a bus those of events: `test_cloud_events` has these."""
    assert shares(prod) == dict.fromkeys(TOLD, "5")
    assert shares(dev) == dict.fromkeys(TOLD, "100")
    assert shares(local) == dict.fromkeys(TOLD, "100")


def test_a_share_of_nothing_switches_x_ray_off(peaks: StageTemplate) -> None:
    """In functions and in the state machine, whose roles may then write no traces."""
    functions = peaks.of_type("AWS::Lambda::Function")
    (machine,) = peaks.of_type("AWS::StepFunctions::StateMachine")
    roles = {each.properties["Role"].removesuffix(".Arn") for each in functions}
    roles.add(machine.properties["RoleArn"].removesuffix(".Arn"))
    granted = {grant.action for role in roles for grant in peaks.grants_of_role(role)}

    assert shares(peaks) == dict.fromkeys(TOLD, "0")
    assert all("TracingConfig" not in each.properties for each in functions)
    assert machine.properties["TracingConfiguration"] == {"Enabled": False}
    assert "lambda:InvokeFunction" in granted
    assert not granted & OF_XRAY


@pytest.mark.wide
def test_the_smallest_share_leaves_x_ray_on(synthesise: Synthesise) -> None:
    """Lambda has a rate of its own, which no share changes."""
    template = synthesise(stage="prod", tracePercent="0.01")
    modes = {
        each.properties["TracingConfig"]["Mode"]
        for each in template.of_type("AWS::Lambda::Function")
        if "TracingConfig" in each.properties
    }

    assert modes == {"Active"}
    assert shares(template) == dict.fromkeys(TOLD, "0.01")


@pytest.mark.parametrize("given", ["-1", "100.01", "101", "1e1", "0.001", "all", "5 %"])
def test_what_is_no_share_is_refused(given: str) -> None:
    """Before anything is synthesised."""
    with pytest.raises(TracingError, match=r"tracePercent: .* is no percent from 0 to 100"):
        stage_settings({"tracePercent": given}.get)


@pytest.mark.parametrize(("given", "share"), [("0", 0), ("0.01", 0.01), ("100", 100), ("", 100)])
def test_a_share_has_two_decimals_at_most(given: str, share: float) -> None:
    """From none to all; an empty text leaves the stage's own."""
    settings = stage_settings({"tracePercent": given}.get)

    assert settings.trace_percent == share
    assert settings.choices == ({"tracePercent": given} if given else {})
