"""Rights of roles on the key that encrypts their data."""

from collections.abc import Mapping
from types import MappingProxyType

from aws_cdk import Aws
from aws_cdk import aws_iam as iam

READ = ("kms:Decrypt", "kms:DescribeKey")
WRITE = (*READ, "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncryptFrom", "kms:ReEncryptTo")
SEND = ("kms:Decrypt", "kms:GenerateDataKey")
OPEN = ("kms:Decrypt",)

#: Rights on the key that a role needs for its others, and the only service for each. DynamoDB's are
#: those that the CDK grants beside its own; those of queues are the SQS guide's.
NEEDS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(
            (f"dynamodb:{a}" for a in ("GetItem", "BatchGetItem", "Query", "Scan", "GetRecords")),
            ("dynamodb", READ),
        ),
        **dict.fromkeys(
            (f"dynamodb:{a}" for a in ("PutItem", "UpdateItem", "BatchWriteItem")),
            ("dynamodb", WRITE),
        ),
        **dict.fromkeys(
            (f"dynamodb:{a}" for a in ("PartiQLInsert", "PartiQLUpdate")), ("dynamodb", WRITE)
        ),
        "sqs:SendMessage": ("sqs", SEND),
        "sqs:ReceiveMessage": ("sqs", OPEN),
        "s3:GetObject": ("s3", OPEN),
        "s3:PutObject": ("s3", SEND),
        "secretsmanager:GetSecretValue": ("secretsmanager", OPEN),
        "ssm:GetParameter": ("ssm", OPEN),
    }
)


def key_statements(policy: iam.Policy, key_arn: str) -> list[iam.PolicyStatement]:
    """One for each service by whose way a role uses the key, and for no other use."""
    needed: dict[str, set[str]] = {}
    for service, uses in (NEEDS[action] for action in sorted(_actions(policy)) if action in NEEDS):
        needed.setdefault(service, set()).update(uses)
    return [
        iam.PolicyStatement(
            actions=sorted(uses),
            resources=[key_arn],
            conditions={
                "StringEquals": {"kms:ViaService": f"{service}.{Aws.REGION}.amazonaws.com"}
            },
        )
        for service, uses in sorted(needed.items())
    ]


def _actions(policy: iam.Policy) -> set[str]:
    written = policy.document.to_json()["Statement"]
    named = (each["Action"] for each in written if each["Effect"] == "Allow")
    return {a for each in named for a in ([each] if isinstance(each, str) else each)}
