"""Access of a program of the same app: a tenant's profile as a secret, and the right to read it."""

from aws_cdk import Aws, SecretValue, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.api.client_names import client_name
from infra.constructs.api.identity import TenantClient
from infra.stage.settings import StageSettings

#: Where the program finds the secret's name, for ``timegate.client.parse_profile``.
PROFILE_SECRET = "TIMEGATE_PROFILE_SECRET"  # noqa: S105 - the name of a variable

_SECRETS = f"arn:{Aws.PARTITION}:secretsmanager:{Aws.REGION}:{Aws.ACCOUNT_ID}:secret"


class ProgramAccess(Construct):
    """The profile of a tenant's client, for programs that call the API as that tenant."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        client: TenantClient,
        api_url: str,
        token_url: str,
        key: kms.IKey | None,
    ) -> None:
        super().__init__(scope, construct_id)
        profile = {
            "api_url": api_url,
            "token_url": token_url,
            "client_id": client.client_id,
            "client_secret": client.client_secret,
        }
        text = Stack.of(self).to_json_string(profile)
        self._key = key
        self._name = settings.physical_name(f"profile/{client_name(client.tenant)}")
        self._secret = secrets.Secret(
            self,
            "Profile",
            secret_name=self._name,
            description=f"Timegate {settings.name}: the profile of programs of {client.tenant}",
            encryption_key=key,
            # Every part is a reference: the template has no secret's text.
            secret_string_value=SecretValue.unsafe_plain_text(text),
        )
        reason = "Cognito makes the client's secret, and keeps it as long as the client."
        acknowledge(self._secret, "SMG4", reason)

    def grant(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let it read the profile; a function is told where it is."""
        granted = iam.Grant.add_to_principal(
            grantee=grantee,
            actions=["secretsmanager:GetSecretValue"],
            # By its name, which is the stage's own; Secrets Manager adds six letters.
            resource_arns=[f"{_SECRETS}:{self._name}-??????"],
        )
        if self._key is not None:
            self._key.grant_decrypt(grantee)
        if isinstance(grantee, lambda_.Function):
            grantee.add_environment(PROFILE_SECRET, self._name)
            grantee.node.add_dependency(self._secret)
        return granted
