"""A profile that is a secret of AWS Secrets Manager: of functions that were granted it."""

import json
from collections.abc import Mapping
from typing import Any

from timegate.client.errors import CredentialsError


def read_secret(secret: str, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Return what the secret holds; raises ``CredentialsError``.

    An address that is a mere path is one of the cloud at ``AWS_ENDPOINT_URL``.
    """
    try:
        content = json.loads(_secret_text(secret))
    except ValueError as error:
        raise CredentialsError("invalid_profile", f"{secret} is not JSON.") from error
    if not isinstance(content, dict):
        raise CredentialsError("invalid_profile", f"{secret} is not a JSON object.")
    cloud = environ.get("AWS_ENDPOINT_URL", "").rstrip("/")
    return {name: _address(name, value, cloud) for name, value in content.items()}


def _address(name: str, value: object, cloud: str) -> object:
    is_path = name.endswith("_url") and isinstance(value, str) and value.startswith("/")
    return f"{cloud}{value}" if is_path else value


def _secret_text(secret: str) -> str:
    try:
        import boto3  # noqa: PLC0415 - the functions of Lambda have it; programs elsewhere need not
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415
    except ImportError as error:
        detail = "TIMEGATE_PROFILE_SECRET is read with boto3: pip install boto3."
        raise CredentialsError("no_profile", detail) from error
    try:
        client = boto3.client("secretsmanager")
        return client.get_secret_value(SecretId=secret)["SecretString"]
    except (BotoCoreError, ClientError) as error:
        raise CredentialsError("no_profile", f"{secret} cannot be read: {error}") from error
