"""The alias under which a function is invoked: it moves from version to version."""

from typing import cast

from aws_cdk import CfnCodeDeployLambdaAliasUpdate, CfnUpdatePolicy
from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.rollout_choice import LIVE


class LiveAlias(lambda_.Alias):
    """The version that is invoked; ``$LATEST`` is by none."""

    def __init__(self, scope: Construct, construct_id: str, *, function: lambda_.Function) -> None:
        super().__init__(
            scope,
            construct_id,
            alias_name=LIVE,
            version=function.current_version,
            description="What Timegate invokes; rollouts move it.",
        )
        self._function = function

    def let_invoke(self, role: iam.Role) -> None:
        """Let a role invoke it.

        The function without a version as well: executions, schedules and rules of a release
        before aliases name that, while the deployment replaces them and after it was rolled back.
        """
        arns = [self._function.function_arn, self.function_arn]
        role.add_to_policy(iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=arns))

    def shift_by(self, group: codedeploy.CfnDeploymentGroup) -> None:
        """Let CodeDeploy move the alias, step by step."""
        update = CfnCodeDeployLambdaAliasUpdate(
            application_name=group.application_name, deployment_group_name=group.ref
        )
        alias = cast("lambda_.CfnAlias", self.node.default_child)
        alias.cfn_options.update_policy = CfnUpdatePolicy(code_deploy_lambda_alias_update=update)
