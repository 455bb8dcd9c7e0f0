"""The one role that reaches users' targets, and the sessions that tenants have of it."""

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.constructs.targeting.targets import AllowedTargets

#: AWS grants a role that assumes another one no more.
_SESSION = Duration.hours(1)


class TargetsRole(Construct):
    """The role that executors assume for one tenant at a time.

    A session carries the tenant as a tag, and every right on a tenant's target names that tag: what
    our code lets slip, AWS refuses.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        targets: AllowedTargets,
        callers: Sequence[iam.Role],
    ) -> None:
        super().__init__(scope, construct_id)
        self.role = iam.Role(
            self,
            "Role",
            assumed_by=_tagged(callers),
            max_session_duration=_SESSION,
            description="Calls the targets of one tenant at a time, named by a session tag",
        )
        for granted in targets.grants:
            if granted.arns:
                statement = iam.PolicyStatement(
                    actions=[granted.action],
                    resources=[*granted.arns],
                    conditions=dict(granted.conditions),
                )
                self.role.add_to_policy(statement)
        targets.acknowledge(self.role)


def _tagged(callers: Sequence[iam.Role]) -> iam.IPrincipal:
    """The callers, each with a tenant and with nothing else.

    They are named by a condition: a principal in a policy is kept by its internal id, which a role
    that is deleted and made again does not have.
    """
    return (
        iam.AccountRootPrincipal()
        .with_conditions(
            {
                "ArnEquals": {"aws:PrincipalArn": [role.role_arn for role in callers]},
                "StringLike": {"aws:RequestTag/tenant": "?*"},
                "ForAllValues:StringEquals": {"aws:TagKeys": ["tenant"]},
            }
        )
        .with_session_tags()
    )
