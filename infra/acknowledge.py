"""cdk-nag findings we accept, each with its reason."""

import re
from collections.abc import Mapping
from typing import cast

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct

_VARIABLE = re.compile(r"\$\{([^}]*)\}")
#: Why the local stage does without policies that demand TLS.
PLAIN_HTTP = "The local cloud speaks plain HTTP; every other stage demands TLS."


def acknowledge(construct: IConstruct, finding: str, reason: str) -> None:
    """Accept one AWS Solutions finding (``IAM5[Resource::*]``) on ``construct`` and below."""
    Validations.of(construct).acknowledge(
        Acknowledgment(id=f"AwsSolutions-{finding}", reason=reason),
    )


def acknowledge_wildcard(construct: IConstruct, arn: str, reason: str) -> None:
    """Accept that ``construct`` may act on every resource that ``arn`` (with a ``*``) matches."""
    acknowledge(construct, f"IAM5[Resource::{_as_reported(construct, arn)}]", reason)


def _as_reported(construct: IConstruct, arn: str) -> str:
    """The ARN as cdk-nag prints it: ``<AWS::Region>`` for a reference or a policy's variable."""
    resolved: object = Stack.of(construct).resolve(arn)
    if not isinstance(resolved, dict):
        return _VARIABLE.sub(r"<\1>", arn)
    parts = cast("Mapping[str, tuple[str, list[str | Mapping[str, str]]]]", resolved)["Fn::Join"][1]
    text = "".join(part if isinstance(part, str) else f"<{part['Ref']}>" for part in parts)
    return _VARIABLE.sub(r"<\1>", text)
