"""Lambda defaults, and what each function is told."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from infra.stage.settings import FUNCTION_NAMES, QUEUE_KEYS
from infra.stage.stage_context import HeartbeatUrlError, PortError, stage_settings
from tests.crash.services.functions import TIMEOUT_SECONDS
from tests.infra.permissions.allowed import UNTRACED
from tests.infra.stage_template import StageTemplate
from timegate.domain.dispatch.buckets import LONGEST_LIFE
from timegate.runtime.settings import (
    ApiSettings,
    AuditorSettings,
    DagSettings,
    DeadLetterSettings,
    ExecutorSettings,
    OperationsSettings,
    OutcomesSettings,
    PlanningSettings,
    RelaySettings,
    SweeperSettings,
    WorkerSettings,
)
from timegate.runtime.variables import Environment
from timegate.runtime.wiring.archiver import ArchiverSettings

ROOT = Path(__file__).resolve().parents[3]
KEYS = [str(key) for key in QUEUE_KEYS]
READERS: dict[str, Callable[[Environment], object]] = {
    "api": ApiSettings.read,
    "workers": WorkerSettings.read,
    "planner": PlanningSettings.read,
    "relay": RelaySettings.read,
    "sweeper": SweeperSettings.read,
    "auditor": AuditorSettings.read,
    "outcomes": OutcomesSettings.read,
    "dag_runs": DagSettings.read,
    "operations": OperationsSettings.read,
    "dead_letter": DeadLetterSettings.read,
    "archiver": ArchiverSettings.read,
    **{f"executor-{key}": ExecutorSettings.read for key in KEYS},
}


def is_local(template: StageTemplate) -> bool:
    """Return whether it is the stage of the local cloud."""
    return all(name.startswith("Timegate-local-") for name in template.stacks)


def variables(template: StageTemplate, name: str) -> dict[str, str]:
    """A function's environment."""
    found: dict[str, str] = template.function(name).properties["Environment"]["Variables"]
    return found


@pytest.mark.parametrize("name", FUNCTION_NAMES)
def test_a_function_is_told_everything_its_settings_ask_for(
    stage: StageTemplate, name: str
) -> None:
    """The settings that the function reads at start can be read from the template."""
    # Lambda tells a function its region, and the local cloud where it is itself.
    told = {"AWS_DEFAULT_REGION": "eu-central-1"}
    told |= {"AWS_ENDPOINT_URL": "http://localhost:4566"} if is_local(stage) else {}

    assert READERS[name](Environment(told | variables(stage, name)))


def test_queue_urls_name_every_run_queue(stage: StageTemplate) -> None:
    """A JSON object from queue key to URL, the same for every publisher."""
    expected = {key: f"Queues/{key}/Queue" for key in KEYS}

    for name in ("api", "planner", "relay", "sweeper", "operations"):
        assert expected == json.loads(variables(stage, name)["QUEUE_URLS"])


def with_tag(arn: str) -> str:
    """A pattern of the allow-list as a policy has it."""
    return arn.replace("{tenant}", "${aws:PrincipalTag/tenant}")


def test_targets_are_validated_against_what_executors_are_granted(stage: StageTemplate) -> None:
    """API and executors read the same allow-list, and the targets' role has that list."""
    for listed_as, action in (
        ("lambda", "lambda:InvokeFunction"),
        ("sqs", "sqs:SendMessage"),
        ("sns", "sns:Publish"),
        ("eventbridge", "events:PutEvents"),
        ("stepfunctions", "states:StartExecution"),
        ("ecs_roles", "iam:PassRole"),
    ):
        listed = set(json.loads(variables(stage, "api")["ALLOWED_TARGETS"])[listed_as])
        granted = {
            grant.resource
            for grant in stage.grants_of_role("Executors/Targets/Role")
            if grant.action == action
        }
        assert {with_tag(arn) for arn in listed} == granted
        executors = json.loads(variables(stage, "executor-low-long")["ALLOWED_TARGETS"])
        assert listed == set(executors[listed_as])


def test_secrets_are_validated_against_what_executors_are_granted(stage: StageTemplate) -> None:
    """A tenant may name its own, and its session may read no other."""
    listed = set(json.loads(variables(stage, "api")["ALLOWED_SECRETS"]))
    granted = {
        grant.resource
        for grant in stage.grants_of_role("Executors/Targets/Role")
        if grant.action in {"secretsmanager:GetSecretValue", "ssm:GetParameter"}
    }

    assert all("/{tenant}/" in arn for arn in listed)
    assert {with_tag(arn) for arn in listed} == granted
    assert listed == set(json.loads(variables(stage, "executor-low-long")["ALLOWED_SECRETS"]))


def test_only_the_local_stage_reaches_private_hosts(
    local: StageTemplate, prod: StageTemplate
) -> None:
    """A webhook to localhost is a demonstration there and an attack everywhere else."""
    assert json.loads(variables(prod, "executor-high-short")["ALLOWED_PRIVATE_HOSTS"]) == []
    assert "localhost" in variables(local, "executor-high-short")["ALLOWED_PRIVATE_HOSTS"]


def test_web_hooks_reach_the_ports_of_the_web_unless_the_stage_says_otherwise(
    prod: StageTemplate, local: StageTemplate
) -> None:
    """The API refuses what the executors would."""
    for function in ("api", "executor-high-short"):
        assert json.loads(variables(prod, function)["ALLOWED_PORTS"]) == ["443", "80"]
        assert json.loads(variables(local, function)["ALLOWED_PORTS"]) == ["1-65535"]


@pytest.mark.parametrize("text", ["0", "65536", "9-8", "https", "443-", "1-2-3"])
def test_a_slip_in_a_port_fails_at_synthesis(text: str) -> None:
    """And not when the first function starts."""
    with pytest.raises(PortError):
        stage_settings({"webhookPorts": f"443,{text}"}.get)


def test_an_operator_names_further_ports() -> None:
    """In the context of a deployment."""
    context = {"webhookPorts": "443, 8443,9000-9009"}

    assert stage_settings(context.get).webhook_ports == ("443", "8443", "9000-9009")


@pytest.mark.parametrize(
    "text",
    [
        "https://hc-ping.com/0a1b2c3d",
        "https://hc-ping.com/key/timegate-{group}?create=1",
        "https://ping.internal:8443",
    ],
)
def test_an_operator_names_the_address_of_heartbeats(text: str) -> None:
    """In the context of a deployment; no stage has one by itself."""
    assert stage_settings({"heartbeatUrl": text}.get).heartbeat_url == text
    assert stage_settings(lambda _: None).heartbeat_url == ""


@pytest.mark.parametrize(
    "text",
    [
        *("http://hc-ping.com/0a1b2c3d", "hc-ping.com/0a1b2c3d", "https://", "https://a b/"),
        *("https://u:p@hc-ping.com/", "https://hc-ping.com/{shard}", "https://hc-ping.com/a#b"),
    ],
)
def test_a_slip_in_the_address_of_heartbeats_fails_at_synthesis(text: str) -> None:
    """And not as a silence that an operator takes for an outage."""
    with pytest.raises(HeartbeatUrlError):
        stage_settings({"heartbeatUrl": text}.get)


def test_metrics_carry_the_function_and_its_stage(stage: StageTemplate) -> None:
    """The service is the physical name, so two stages in one account share no metric."""
    for function in stage.of_type("AWS::Lambda::Function"):
        environment = function.properties["Environment"]["Variables"]
        assert function.properties["FunctionName"] == environment["POWERTOOLS_SERVICE_NAME"]
        assert environment["POWERTOOLS_METRICS_NAMESPACE"] == "Timegate"


def test_functions_run_on_arm_with_traces_and_both_layers(stage: StageTemplate) -> None:
    """The defaults of the one construct that makes functions; ticks are like one another.

    A course of the Makefile runs the suites on the same Python.
    """
    tried = re.search(r"^FUNCTIONS_PYTHON := (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert tried is not None
    ticks = {stage.function(name).path for name in UNTRACED}
    for function in stage.of_type("AWS::Lambda::Function"):
        properties = function.properties
        assert properties["Runtime"] == f"python{tried.group(1)}"
        assert properties["Architectures"] == ["arm64"]
        traced = None if function.path in ticks else {"Mode": "Active"}
        assert properties.get("TracingConfig") == traced
        assert properties["Layers"] == ["Layers/Core", "Layers/Vendor"]


def test_every_function_logs_to_a_group_that_forgets(stage: StageTemplate) -> None:
    """An explicit log group with retention; Lambda's own would keep everything for ever."""
    groups = {each.path: each.properties for each in stage.of_type("AWS::Logs::LogGroup")}

    for function in stage.of_type("AWS::Lambda::Function"):
        group = groups[function.properties["LoggingConfig"]["LogGroup"]]
        assert f"/aws/lambda/{function.properties['FunctionName']}" == group["LogGroupName"]
        assert group["RetentionInDays"] <= 90


def test_no_function_outlives_what_buckets_wait_for(stage: StageTemplate) -> None:
    """A process has written its entries, or never will, when their bucket is sealed."""
    for function in stage.of_type("AWS::Lambda::Function"):
        assert function.properties["Timeout"] <= LONGEST_LIFE.total_seconds()


def test_the_crash_matrix_stalls_functions_as_long_as_they_may_live(
    dev: StageTemplate, telling: StageTemplate
) -> None:
    """Its functions have the names of the code, and executors those of their class."""
    for name, seconds in TIMEOUT_SECONDS.items():
        package, _, resource_class = name.partition(" ")
        deployed = f"executor-normal-{resource_class}" if resource_class else package
        function = (telling if package == "cloud_events" else dev).function(deployed)
        assert seconds == function.properties["Timeout"]


def test_every_handler_exists(stage: StageTemplate) -> None:
    """One asset root: ``planner.handler.handle`` is ``functions/planner/handler.py``."""
    handlers = {each.properties["Handler"] for each in stage.of_type("AWS::Lambda::Function")}
    packages = {handler.removesuffix(".handler.handle") for handler in handlers}

    assert len(packages) == len(handlers) == 12
    for package in packages:
        assert (ROOT / "functions" / package / "handler.py").is_file()


def test_functions_share_one_asset(stage: StageTemplate) -> None:
    """The same code everywhere; what a function may do is its role's affair."""
    keys = {each.properties["Code"]["S3Key"] for each in stage.of_type("AWS::Lambda::Function")}

    assert len(keys) == 1


def test_the_dispatcher_has_concurrency_of_its_own_in_production(prod: StageTemplate) -> None:
    """A burst of runs cannot starve what plans, publishes and rescues them."""
    for name in ("planner", "relay", "sweeper", "outcomes"):
        assert prod.function(name).properties["ReservedConcurrentExecutions"] > 0


def test_the_core_layer_leaves_out_what_runs_on_peoples_machines(stage: StageTemplate) -> None:
    """Programs of users and their HTTP client are not shipped to Lambda."""
    packages = {path.name for path in stage.assembly.glob("asset.*/python/timegate/*")}

    assert {"domain", "usecases", "adapters", "runtime"} <= packages
    assert packages.isdisjoint({"cli", "client", "declaring", "testing", "worker"})
