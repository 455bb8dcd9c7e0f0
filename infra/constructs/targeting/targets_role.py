"""The roles of which tenants have sessions: one reaches their targets, one reads secrets."""

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.constructs.targeting.targets import AllowedTargets, Granted

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
        _grant(self.role, targets.grants)


class HookSecretsRole(Construct):
    """The role that the API assumes for one tenant at a time, to check signatures of web hooks.

    It reads secrets that the tenant's targets may name, and calls no target.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        targets: AllowedTargets,
        caller: iam.Role,
    ) -> None:
        super().__init__(scope, construct_id)
        self.role = iam.Role(
            self,
            "Role",
            assumed_by=_tagged([caller]),
            max_session_duration=_SESSION,
            description="Reads secrets of web hooks of one tenant at a time",
        )
        _grant(self.role, targets.secret_grants)


def _grant(role: iam.Role, grants: Sequence[Granted]) -> None:
    for granted in grants:
        if granted.arns:
            statement = iam.PolicyStatement(
                actions=[granted.action],
                resources=[*granted.arns],
                conditions=dict(granted.conditions),
            )
            role.add_to_policy(statement)
    AllowedTargets.acknowledge(role, grants)


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
