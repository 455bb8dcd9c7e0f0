"""The state machine whose executions stand for DAG runs: one for all DAGs of all tenants."""

import json
from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.dag_steps import DagSteps
from infra.constructs.log_group import BoundedLogGroup
from infra.settings import StageSettings

#: The longest a DAG run can take (30 days), and a margin in which its end is heard of.
_LONGEST_SECONDS = 31 * 86_400
_RETRIED = [
    {
        "ErrorEquals": [
            "Lambda.ServiceException",
            "Lambda.AWSLambdaException",
            "Lambda.SdkClientException",
            "Lambda.TooManyRequestsException",
            "Lambda.Unknown",
            "Throttled",
        ],
        "IntervalSeconds": 1,
        "MaxAttempts": 8,
        "BackoffRate": 2,
        "MaxDelaySeconds": 60,
        "JitterStrategy": "FULL",
    }
]


def machine_name(settings: StageSettings) -> str:
    """The physical name of the machine."""
    return settings.physical_name("dag-runs")


def machine_arn(scope: Construct, settings: StageSettings) -> str:
    """Its ARN, made of its name: those who begin executions stand before it in the stack."""
    stack = Stack.of(scope)
    place = f"{stack.region}:{stack.account}"
    return f"arn:{stack.partition}:states:{place}:stateMachine:{machine_name(settings)}"


class DagMachine(Construct):
    """Open, wait for each task, wait for the end; whatever fails stops what is pending."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, steps: DagSteps
    ) -> None:
        super().__init__(scope, construct_id)
        name = machine_name(settings)
        log_group = BoundedLogGroup(
            self, "Logs", name=f"/aws/vendedlogs/states/{name}", settings=settings
        )
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["lambda:InvokeFunction"], resources=[steps.function.function_arn]
            )
        )
        role.add_to_policy(iam.PolicyStatement(actions=_DELIVERY + _TRACES, resources=["*"]))
        acknowledge(
            role,
            "IAM5[Resource::*]",
            "Log delivery and X-Ray take no resource (Step Functions' own documentation).",
        )
        self.machine = sfn.CfnStateMachine(
            self,
            "Machine",
            state_machine_name=name,
            state_machine_type="STANDARD",
            role_arn=role.role_arn,
            definition_string=json.dumps(definition("${Steps}"), separators=(",", ":")),
            definition_substitutions={"Steps": steps.function.function_arn},
            logging_configuration=sfn.CfnStateMachine.LoggingConfigurationProperty(
                level="ALL",
                include_execution_data=False,
                destinations=[
                    sfn.CfnStateMachine.LogDestinationProperty(
                        cloud_watch_logs_log_group=sfn.CfnStateMachine.CloudWatchLogsLogGroupProperty(
                            log_group_arn=f"{log_group.log_group_arn}"
                        )
                    )
                ],
            ),
            tracing_configuration=sfn.CfnStateMachine.TracingConfigurationProperty(enabled=True),
        )
        self.machine.node.add_dependency(role)


_DELIVERY = [
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
]
_TRACES = ["xray:PutTelemetryRecords", "xray:PutTraceSegments"]


def definition(function: str) -> dict[str, Any]:
    """The machine in the Amazon States Language, over the function of its steps."""
    caught = [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Cleanup"}]
    return {
        "Comment": "A run of a DAG. Readiness is decided in DynamoDB; this waits, and cleans up.",
        "StartAt": "Open",
        "TimeoutSeconds": _LONGEST_SECONDS,
        "States": {
            "Open": {
                **_invoke(function, {"step": "open", "run.$": "$$.Execution.Input"}, 120),
                "ResultSelector": {"tasks.$": "$.Payload.tasks"},
                "ResultPath": "$.opened",
                "Catch": caught,
                "Next": "Tasks",
            },
            "Tasks": {
                "Type": "Map",
                "ItemsPath": "$.opened.tasks",
                "ItemSelector": {"key.$": "$$.Map.Item.Value"},
                "MaxConcurrency": 0,
                "ItemProcessor": {
                    "ProcessorConfig": {"Mode": "INLINE"},
                    "StartAt": "Task",
                    "States": {"Task": {**_wait(function, "task", key="$.key"), "End": True}},
                },
                "ResultPath": None,
                "Catch": caught,
                "Next": "Close",
            },
            "Close": {
                **_wait(function, "close"),
                "ResultPath": "$.closed",
                "Catch": caught,
                "Next": "HowItEnded",
            },
            "HowItEnded": {
                "Type": "Choice",
                "Choices": [
                    {
                        "Variable": "$.closed.status",
                        "StringEquals": "succeeded",
                        "Next": "Succeeded",
                    }
                ],
                "Default": "Failed",
            },
            "Succeeded": {"Type": "Succeed"},
            "Failed": {"Type": "Fail", "Error": "DagRunFailed", "Cause": "See the DAG run."},
            "Cleanup": {
                **_invoke(function, {"step": "cleanup", "run.$": "$$.Execution.Input"}, 120),
                "ResultPath": None,
                "Next": "CleanedUp",
            },
            "CleanedUp": {
                "Type": "Fail",
                "Error": "ExecutionFailed",
                "Cause": "The execution failed; its DAG run was stopped.",
            },
        },
    }


def _invoke(function: str, payload: dict[str, str], seconds: int) -> dict[str, Any]:
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload": payload},
        "TimeoutSeconds": seconds,
        "Retry": _RETRIED,
    }


def _wait(function: str, step: str, **more: str) -> dict[str, Any]:
    """A callback: the function leaves the token where the end is known, and that answers."""
    payload = {
        "step": step,
        "run.$": "$$.Execution.Input",
        "token.$": "$$.Task.Token",
        **{f"{name}.$": path for name, path in more.items()},
    }
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "Parameters": {"FunctionName": function, "Payload": payload},
        "TimeoutSeconds": _LONGEST_SECONDS,
        "Retry": _RETRIED,
    }
