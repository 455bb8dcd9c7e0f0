"""``/config.json``: the stage as the console reads it at its start, and ``timegate login``."""

from dataclasses import dataclass

from infra.constructs.console.places import CONSOLE_SCOPES


@dataclass(frozen=True, kw_only=True)
class SignIn:
    """Endpoints of an issuer, and the console's client there."""

    authorize_url: str
    token_url: str
    logout_url: str
    client_id: str
    #: Takes refresh tokens back; empty: none that is known.
    revoke_url: str = ""

    @classmethod
    def at_pool(cls, url: str, client_id: str) -> "SignIn":
        """Return those of a Cognito domain."""
        return cls(
            authorize_url=f"{url}/oauth2/authorize",
            token_url=f"{url}/oauth2/token",
            logout_url=f"{url}/logout",
            client_id=client_id,
            revoke_url=f"{url}/oauth2/revoke",
        )


def described_stage(
    stage: str,
    api_url: str,
    sign_in: SignIn,
    *,
    prefix: str,
    trace_url: str = "",
) -> dict[str, object]:
    """Return the content of the file; ``trace_url``: as ``ConsoleChoice`` has it."""
    return {
        "stage": stage,
        "api_url": api_url,
        "authorize_url": sign_in.authorize_url,
        "token_url": sign_in.token_url,
        "logout_url": sign_in.logout_url,
        "client_id": sign_in.client_id,
        "revoke_url": sign_in.revoke_url,
        "trace_url": trace_url,
        "scopes": ["openid", *(f"{prefix}/{scope}" for scope in CONSOLE_SCOPES)],
    }
