"""The key that signs seals of the archive: its private half never leaves KMS."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_kms as kms
from constructs import Construct

from infra.stage.settings import StageSettings


def seal_key_arn(scope: Construct, construct_id: str, *, settings: StageSettings) -> str | None:
    """Make the key, and return its ARN; ``None``: the stage seals nothing.

    It lies beside the archiver, which alone signs: no other stack imports it, so that a stage may
    go without one later. A key that was retained is still there to verify with.
    """
    if not settings.seals:
        return None
    key = kms.Key(
        Construct(scope, construct_id),
        "Key",
        alias=f"alias/{settings.physical_name('seals')}",
        description=f"Timegate {settings.name}: signs seals of the archive",
        key_spec=kms.KeySpec.ECC_NIST_P256,
        key_usage=kms.KeyUsage.SIGN_VERIFY,
        removal_policy=(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
            if settings.retain_data
            else RemovalPolicy.DESTROY
        ),
    )
    return key.key_arn
