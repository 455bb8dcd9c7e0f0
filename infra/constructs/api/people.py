"""People in the pool: their roles, and the client with which they sign in to the console."""

from collections.abc import Mapping, Sequence

from aws_cdk import Duration
from aws_cdk import aws_cognito as cognito
from constructs import Construct

from infra.constructs.console.places import CONSOLE_SCOPES, SIGNED_IN, SIGNED_OUT
from infra.stage.settings import StageSettings
from timegate.domain.tenants.people import SIGN_IN_RETURNS, Role

_MEANINGS: Mapping[Role, str] = {
    Role.VIEWER: "See everything of the tenant",
    Role.OPERATOR: "See, and intervene in what is defined",
    Role.EDITOR: "See, intervene and define",
    Role.ADMIN: "Do all of it, and administer the stage's tenants",
}
#: How long a token lets its holder in, after she has lost a role too.
_ACCESS = Duration.minutes(15)
#: A day's work without another sign-in.
_SESSION = Duration.hours(12)


class People(Construct):
    """A group for each role, and a public client: a code with PKCE, and no secret."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        pool: cognito.UserPool,
        granted: Mapping[str, cognito.OAuthScope],
        origins: Sequence[str],
    ) -> None:
        super().__init__(scope, construct_id)
        for role in Role:
            pool.add_group(f"Role-{role}", group_name=role, description=_MEANINGS[role])
        self.client_id = pool.add_client(
            "Console",
            user_pool_client_name=settings.physical_name("console"),
            generate_secret=False,
            # No password is ever sent to an API: the pool's page asks for it. A list without any
            # flow means those by passwords and by refresh tokens, and Cognito does not rotate with
            # the latter. This flow ends at once: the pool has no function that begins it.
            auth_flows=cognito.AuthFlow(custom=True),
            o_auth=cognito.OAuthSettings(
                flows=cognito.OAuthFlows(authorization_code_grant=True),
                scopes=[cognito.OAuthScope.OPENID, *(granted[name] for name in CONSOLE_SCOPES)],
                callback_urls=[
                    *(f"{origin}{SIGNED_IN}" for origin in origins),
                    # ``timegate login`` waits there.
                    *SIGN_IN_RETURNS,
                ],
                logout_urls=[f"{origin}{SIGNED_OUT}" for origin in origins],
            ),
            access_token_validity=_ACCESS,
            id_token_validity=_ACCESS,
            refresh_token_validity=_SESSION,
            # A refresh token that is used twice has been stolen, and is worth nothing more.
            refresh_token_rotation_grace_period=Duration.seconds(60),
            enable_token_revocation=True,
            prevent_user_existence_errors=True,
            supported_identity_providers=[cognito.UserPoolClientIdentityProvider.COGNITO],
            # Names and tenants are the administrator's to give.
            write_attributes=cognito.ClientAttributes(),
        ).user_pool_client_id
