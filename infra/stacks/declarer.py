"""The function that declares jobs for CloudFormation, as Lambda runs it.

``Declarations`` deploys this text, and a layer with the SDK beside it.
"""

import os
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from timegate.cli.apply.cloudformation import Remaining, fulfil
from timegate.client import CredentialsError, TimegateClient, parse_profile


def handle(request: dict[str, Any], context: Remaining) -> None:
    """Fulfil one request of CloudFormation."""
    fulfil(request, context, granted_client)


def granted_client() -> TimegateClient:
    """Open a client by the profile in the secret that was granted; raises ``CredentialsError``."""
    name = os.environ["TIMEGATE_PROFILE_SECRET"]
    try:
        secret = boto3.client("secretsmanager").get_secret_value(SecretId=name)
    except (BotoCoreError, ClientError) as error:
        raise CredentialsError("profile_unreadable", f"{name}: {error}") from error
    return TimegateClient(parse_profile(secret["SecretString"], os.environ))
