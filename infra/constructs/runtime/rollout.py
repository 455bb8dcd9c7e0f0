"""CodeDeploy: moves the functions of a stack to their next versions, and back at an alarm."""

from collections.abc import Sequence

from aws_cdk import Stack
from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.observability.alerts import Alerts, OwnedAlarm
from infra.constructs.runtime.scheduler_function import SchedulerFunction
from infra.rollout_choice import LIVE, ROLLOUTS
from infra.stage.settings import StageSettings

#: CodeDeploy watches so many alarms for a deployment group (its user guide, Monitoring
#: deployments with CloudWatch alarms). It says of no composite alarm that it watches one.
MOST_ALARMS = 10
_BACK = ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM", "DEPLOYMENT_STOP_ON_REQUEST"]


class Rollout(Construct):
    """A deployment group for each function of a stack, with the alarms that end its rollout.

    A function's own alarms come first, those of its gates next, then what its stack tells of all
    and what cannot wait. An alarm that ends one function's rollout fails the stack's update, and
    takes the others back as well.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        alerts: Alerts,
        functions: Sequence[SchedulerFunction],
    ) -> None:
        super().__init__(scope, construct_id)
        self._config = ROLLOUTS[settings.rollout]
        self._application = codedeploy.CfnApplication(
            self,
            "Application",
            application_name=Stack.of(self).stack_name.lower(),
            compute_platform="Lambda",
        )
        self._role = self._make_role(functions)
        self._alerts = alerts
        shared = self._shared(functions)
        for function in functions:
            function.live.shift_by(self._group(function, self._alarms(function, shared)))

    def _shared(self, functions: Sequence[SchedulerFunction]) -> list[OwnedAlarm]:
        """Return the alarms of the stack that cannot wait and belong to no function."""
        paths = [each.node.path for each in functions]
        outages = self._alerts.outages_of(Stack.of(self))
        return [each for each in outages if not any(map(each.is_in, paths))]

    def _alarms(self, function: SchedulerFunction, shared: Sequence[OwnedAlarm]) -> list[str]:
        """Name its own alarms, those of its gates, and those of no function."""
        own = [each for gate in (function, *function.gates) for each in self._of(gate)]
        # A gate of the stack itself is told of all as well.
        return list(dict.fromkeys(self._name(each) for each in (*own, *shared)))

    def _of(self, gate: Construct) -> list[OwnedAlarm]:
        """Return the alarms of stage health that a construct owns, in whichever stack."""
        path = gate.node.path
        return [each for each in self._alerts.health_of(Stack.of(gate)) if each.is_in(path)]

    def _name(self, owned: OwnedAlarm) -> str:
        """Name an alarm; one of another stack without an export of that."""
        is_own = owned.stack is Stack.of(self)
        return owned.alarm.alarm_name if is_own else self._alerts.written_name(owned.alarm)

    def _make_role(self, functions: Sequence[SchedulerFunction]) -> iam.Role:
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("codedeploy.amazonaws.com"))
        # AWSCodeDeployRoleForLambdaLimited allows these on all functions; nothing runs hooks.
        arns = [each.function.function_arn for each in functions]
        actions = ["GetAlias", "UpdateAlias", "GetProvisionedConcurrencyConfig"]
        role.add_to_policy(
            iam.PolicyStatement(
                actions=[f"lambda:{each}" for each in actions],
                # Written, not referred to: an alias waits for its group, and that for its role.
                resources=[*arns, *(f"{arn}:{LIVE}" for arn in arns)],
            )
        )
        role.add_to_policy(
            iam.PolicyStatement(actions=["cloudwatch:DescribeAlarms"], resources=["*"])
        )
        acknowledge(role, "IAM5[Resource::*]", "CodeDeploy asks for alarms by their names.")
        return role

    def _group(
        self, function: SchedulerFunction, alarms: Sequence[str]
    ) -> codedeploy.CfnDeploymentGroup:
        group = codedeploy.CfnDeploymentGroup
        made = group(
            self,
            function.node.path.removeprefix(f"{Stack.of(self).node.path}/").replace("/", "-"),
            application_name=self._application.ref,
            deployment_group_name=function.name,
            deployment_config_name=self._config,
            service_role_arn=self._role.role_arn,
            deployment_style=group.DeploymentStyleProperty(
                deployment_type="BLUE_GREEN", deployment_option="WITH_TRAFFIC_CONTROL"
            ),
            alarm_configuration=group.AlarmConfigurationProperty(
                enabled=True,
                alarms=[group.AlarmProperty(name=each) for each in alarms[:MOST_ALARMS]],
            ),
            auto_rollback_configuration=group.AutoRollbackConfigurationProperty(
                enabled=True, events=_BACK
            ),
        )
        # Its first deployment begins after its creation at once.
        made.node.add_dependency(self._role)
        return made
