"""Access to the local stack: a tenant's profile, as the CLI and the client read it."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from infra.local.cloud import LocalCloud
from infra.local.deployment import Outputs
from timegate.client.access.private_files import write_private
from timegate.client.access.profile import PROFILE_FILE

SCOPES = ("timegate/read", "timegate/write", "timegate/operate", "timegate/send", "timegate/worker")


def profile_path() -> Path:
    """Return the path of the local profile, in which the CLI looks."""
    override = os.environ.get(PROFILE_FILE)
    if override:
        return Path(override)
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "timegate" / "profiles" / "local.json"


def admin_profile_path() -> Path:
    """Beside the tenant's: the profile of the stage's administration."""
    path = profile_path()
    return path.with_name(f"{path.stem}-admin.json")


def admin_profile(cloud: LocalCloud, outputs: Outputs) -> dict[str, object]:
    """Everything a client needs to administer the stage."""
    client_id = outputs["AdminClientId"]
    return profile(cloud, outputs, client_id) | {"scopes": ["timegate/admin"]}


def profile(cloud: LocalCloud, outputs: Outputs, client_id: str) -> dict[str, object]:
    """Everything a client needs to act as one tenant."""
    return {
        "api_url": api_url(cloud, outputs),
        "token_url": f"{cloud.endpoint}/oauth2/token",
        "client_id": client_id,
        "client_secret": _client_secret(cloud, outputs, client_id),
        "scopes": list(SCOPES),
        "region": cloud.region,
        "endpoint_url": cloud.endpoint,
    }


def write_profile(content: Mapping[str, object], path: Path) -> None:
    """Store a profile so that only its owner can read it: it holds a secret."""
    write_private(path, json.dumps(content, indent=2), replace=True)


def api_url(cloud: LocalCloud, outputs: Outputs) -> str:
    """The API by path: the host name AWS would give it resolves nowhere."""
    api_id = (urlsplit(outputs["ApiUrl"]).hostname or "").split(".")[0]
    return f"{cloud.endpoint}/_aws/execute-api/{api_id}/$default"


def _client_secret(cloud: LocalCloud, outputs: Outputs, client_id: str) -> str:
    described = cloud.client("cognito-idp").describe_user_pool_client(
        UserPoolId=outputs["UserPoolId"], ClientId=client_id
    )
    return str(described["UserPoolClient"]["ClientSecret"])
