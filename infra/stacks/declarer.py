"""The function that declares jobs for CloudFormation, as Lambda runs it.

``Declarations`` deploys this text, and a layer with the SDK beside it.
"""

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import boto3
from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from timegate.client import TimegateClient
    from timegate.declaring.cloudformation import Remaining

#: The SDK's word for a resource of which nothing is to be ended.
_NOTHING_MADE = "nothing-made"
_NO_SDK = "no_sdk: The layer has no package timegate for this function in its folder python: "


def handle(request: dict[str, Any], context: "Remaining") -> None:
    """Fulfil one request of CloudFormation."""
    try:
        from timegate.declaring.cloudformation import fulfil  # noqa: PLC0415 - may be missing
    except ImportError as error:
        tell_no_sdk(request, error)
    else:
        fulfil(request, context, granted_client)


def granted_client() -> "TimegateClient":
    """Open a client by the profile in the secret that was granted; raises ``CredentialsError``."""
    from timegate.client import (  # noqa: PLC0415 - see handle
        CredentialsError,
        TimegateClient,
        parse_profile,
    )

    name = os.environ["TIMEGATE_PROFILE_SECRET"]
    try:
        secret = boto3.client("secretsmanager").get_secret_value(SecretId=name)
    except (BotoCoreError, ClientError) as error:
        raise CredentialsError("profile_unreadable", f"{name}: {error}") from error
    return TimegateClient(parse_profile(secret["SecretString"], os.environ))


def tell_no_sdk(request: dict[str, Any], error: ImportError) -> None:
    """Answer without the SDK: CloudFormation waits for a quarter of an hour where none does."""
    known = request.get("PhysicalResourceId", _NOTHING_MADE)
    is_gone = request["RequestType"] == "Delete" and known == _NOTHING_MADE
    answer = {name: request[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    answer |= {"Status": "SUCCESS" if is_gone else "FAILED", "PhysicalResourceId": known}
    answer["Reason"] = f"{_NO_SDK}{error}"
    body, kind = json.dumps(answer).encode(), {"Content-Type": ""}
    # The address is CloudFormation's, signed for a body without a type.
    sent = Request(request["ResponseURL"], body, kind, method="PUT")  # noqa: S310 - see above
    urlopen(sent, timeout=30).close()  # noqa: S310 - see above
