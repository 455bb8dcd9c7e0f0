"""Access of a program of the same app: a tenant's profile as a secret, and the right to read it."""

from aws_cdk import SecretValue, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.api.identity import TenantClient
from infra.stage.settings import StageSettings

#: Where the SDK finds the secret's ARN (``timegate.client.load_profile``).
PROFILE_SECRET = "TIMEGATE_PROFILE_SECRET"  # noqa: S105 - the name of a variable


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
        self.secret = secrets.Secret(
            self,
            "Profile",
            secret_name=settings.physical_name(f"profile/{client.tenant}"),
            description=f"Timegate {settings.name}: the profile of programs of {client.tenant}",
            encryption_key=key,
            # Every part is a reference: the template has no secret's text.
            secret_string_value=SecretValue.unsafe_plain_text(text),
        )
        acknowledge(self.secret, "SMG4", "Cognito makes the secret with the client, and keeps it.")

    def grant(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let it read the profile; a function is told where it is."""
        granted = self.secret.grant_read(grantee)
        if isinstance(grantee, lambda_.Function):
            grantee.add_environment(PROFILE_SECRET, self.secret.secret_arn)
        return granted
