"""The state machine whose executions stand for DAG runs: one for all DAGs of all tenants."""

import json

from aws_cdk import Aws, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.dags.dag_definition import definition
from infra.constructs.runtime.log_group import BoundedLogGroup
from infra.constructs.runtime.scheduler_function import SchedulerFunction
from infra.stage.settings import StageSettings


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
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        steps: SchedulerFunction,
    ) -> None:
        super().__init__(scope, construct_id)
        name = machine_name(settings)
        log_group = BoundedLogGroup(
            self, "Logs", name=f"/aws/vendedlogs/states/{name}", settings=settings
        )
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        steps.live.let_invoke(role)
        is_traced = settings.trace_percent > 0
        actions = _DELIVERY + _TRACES if is_traced else _DELIVERY
        role.add_to_policy(iam.PolicyStatement(actions=actions, resources=["*"]))
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
            definition_string=json.dumps(
                definition("${Steps}", "${Partition}"), separators=(",", ":")
            ),
            definition_substitutions={
                "Steps": steps.live.function_arn,
                "Partition": Aws.PARTITION,
            },
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
            tracing_configuration=sfn.CfnStateMachine.TracingConfigurationProperty(
                enabled=is_traced
            ),
        )
        # cfn-lint reads the definition before Step Functions knows the partition.
        self.machine.add_metadata("cfn-lint", {"config": {"ignore_checks": ["E3601"]}})
        self.machine.node.add_dependency(role)
        if not is_traced:
            acknowledge(self.machine, "SF2", "The stage records no traces (tracePercent=0).")


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
