"""Issuers of the API's tokens: a Cognito user pool of our own, or any issuer by setting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from aws_cdk import Aws, Duration, RemovalPolicy, Stack
from aws_cdk import aws_cognito as cognito
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.api.client_names import client_name
from infra.constructs.api.people import People
from infra.stage.issuer import Issuer
from infra.stage.settings import StageSettings

#: Scopes of a token; tenants get all but ``admin``, and its holder gets nothing else.
SCOPES = {
    "read": "See jobs, runs and their results",
    "write": "Create, change and cancel jobs",
    "operate": "Redrive dead letters, pause and resume in bulk",
    "send": "Send events",
    "worker": "Claim and complete runs as a worker",
    "admin": "Administer tenants: quotas, suspension",
}
TENANT_SCOPES = ("read", "write", "operate", "send", "worker")
ADMIN_SCOPE = "admin"
#: No tenant: with its scope nothing can be asked that is about the token's own tenant.
ADMIN_NAME = "administration"
#: Audience of a pool without a client, as an authorizer needs one: no token has it.
NO_AUDIENCE = "unused"


def token_variables(reader: Construct, issuer: Issuer) -> dict[str, str]:
    """Return the issuer and audience that a function checks after the gateway.

    ``PEOPLE``: what a person's token is told by, and the names of tenants before people's names.
    """
    said = {"client": issuer.console_client, "roles_claim": issuer.roles_claim}
    people: dict[str, object] = {name: text for name, text in said.items() if text}
    if issuer.tenants is not None:
        # In the order of the audience: their clients are not told twice. An empty list says that
        # people's names begin with their tenants all the same.
        people["tenants"] = list(issuer.tenants)
    return {
        "TOKEN_ISSUER": issuer.url,
        "TOKEN_AUDIENCE": ",".join(issuer.audience),
        "PEOPLE": Stack.of(reader).to_json_string(people),
    }


@dataclass(frozen=True, kw_only=True)
class TenantClient:
    """A tenant's client-credentials client; its id is the tenant's id."""

    tenant: str
    client: cognito.UserPoolClient

    @property
    def client_id(self) -> str:
        """Return the id, which is the tenant's."""
        return self.client.user_pool_client_id

    @property
    def client_secret(self) -> str:
        """Return the secret by its reference: no template has its text."""
        return cast("cognito.CfnUserPoolClient", self.client.node.default_child).attr_client_secret


def sign_in_url(settings: StageSettings) -> str:
    """Return the address of the page on which people sign in to the stage's own pool."""
    return f"https://{_domain_prefix(settings)}.auth.{Aws.REGION}.amazoncognito.com"


def _domain_prefix(settings: StageSettings) -> str:
    # Domain prefixes are unique across accounts; nothing else of ours is.
    return settings.physical_name(Aws.ACCOUNT_ID)


class TokenPool(Construct):
    """A Cognito pool: client-credentials clients that were asked for, and people."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        origins: Sequence[str] = (),
    ) -> None:
        super().__init__(scope, construct_id)
        self.pool = self._pool(settings)
        self.pool.add_domain(
            "Domain",
            cognito_domain=cognito.CognitoDomainOptions(domain_prefix=_domain_prefix(settings)),
        )
        self.sign_in_url = sign_in_url(settings)
        self.token_url = f"{self.sign_in_url}/oauth2/token"
        #: A path on the local cloud, whose host names do not resolve.
        self.reachable_token_url = "/oauth2/token" if settings.api_by_path else self.token_url
        granted = self._scopes(settings)
        self.clients = [
            TenantClient(
                tenant=tenant,
                client=self._client(
                    f"Tenant-{tenant}", tenant, [granted[name] for name in TENANT_SCOPES], settings
                ),
            )
            for tenant in settings.tenants
        ]
        #: Empty: the administration has API keys alone.
        self.admin_client_id = self._administration(settings, granted[ADMIN_SCOPE])
        self.console_client_id = self._people(settings, granted, origins)
        machines = [each.client_id for each in self.clients]
        others = filter(None, [self.admin_client_id, self.console_client_id])
        self.issuer = Issuer(
            # Not the pool's ProviderURL attribute: the local cloud has none.
            url=f"https://cognito-idp.{Aws.REGION}.amazonaws.com/{self.pool.user_pool_id}",
            audience=(*machines, *others) or (NO_AUDIENCE,),
            console_client=self.console_client_id,
            tenants=settings.tenants,
        )

    def _pool(self, settings: StageSettings) -> cognito.UserPool:
        pool = cognito.UserPool(
            self,
            "Pool",
            user_pool_name=settings.physical_name("tokens"),
            self_sign_up_enabled=False,
            password_policy=cognito.PasswordPolicy(
                min_length=16,
                require_digits=True,
                require_lowercase=True,
                require_symbols=True,
                require_uppercase=True,
            ),
            mfa=cognito.Mfa.OPTIONAL,
            mfa_second_factor=cognito.MfaSecondFactor(otp=True, sms=False),
            deletion_protection=settings.retain_data,
            # Its name is never given twice: one that a failed first deployment leaves jams none.
            # CloudFormation could not delete it there, protected as it is.
            removal_policy=(
                RemovalPolicy.RETAIN if settings.retain_data else RemovalPolicy.DESTROY
            ),
        )
        acknowledge(pool, "COG2", "Each person may add a second factor; programs have none.")
        acknowledge(pool, "COG8", "Threat protection is priced by person; a stage may add it.")
        return pool

    def _people(
        self,
        settings: StageSettings,
        granted: Mapping[str, cognito.OAuthScope],
        origins: Sequence[str],
    ) -> str:
        """Let people sign in on pages of these origins; empty: a stage without a console."""
        if not origins:
            return ""
        people = People(
            self, "People", settings=settings, pool=self.pool, granted=granted, origins=origins
        )
        return people.client_id

    def _administration(self, settings: StageSettings, scope: cognito.OAuthScope) -> str:
        """Make a client that administers the stage; empty: none is asked for."""
        if not settings.admin_client:
            return ""
        client = self._client("Administration", ADMIN_NAME, [scope], settings)
        return client.user_pool_client_id

    def _scopes(self, settings: StageSettings) -> Mapping[str, cognito.OAuthScope]:
        scopes = {
            name: cognito.ResourceServerScope(scope_name=name, scope_description=description)
            for name, description in SCOPES.items()
        }
        server = self.pool.add_resource_server(
            "Api", identifier=settings.scope_prefix, scopes=list(scopes.values())
        )
        return {
            name: cognito.OAuthScope.resource_server(server, scope)
            for name, scope in scopes.items()
        }

    def _client(
        self,
        construct_id: str,
        name: str,
        scopes: list[cognito.OAuthScope],
        settings: StageSettings,
    ) -> cognito.UserPoolClient:
        return self.pool.add_client(
            construct_id,
            user_pool_client_name=settings.physical_name(client_name(name)),
            generate_secret=True,
            access_token_validity=Duration.hours(1),
            auth_flows=cognito.AuthFlow(),
            o_auth=cognito.OAuthSettings(
                flows=cognito.OAuthFlows(client_credentials=True), scopes=scopes
            ),
        )
