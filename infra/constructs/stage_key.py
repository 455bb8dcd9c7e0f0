"""One key for everything at rest, where a stage shall not use those that AWS owns."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import jsii
from aws_cdk import Aspects, Aws, IAspect, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct, IConstruct

from infra.settings import OWN_KEY, StageSettings

_READ = ("kms:Decrypt", "kms:DescribeKey")
_WRITE = (*_READ, "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncryptFrom", "kms:ReEncryptTo")
_SEND = ("kms:Decrypt", "kms:GenerateDataKey")
_OPEN = ("kms:Decrypt",)

#: What a role needs of the key, and by way of which service only, for what it may do. DynamoDB's
#: are those that the CDK grants beside its own; those of queues are the SQS guide's.
NEEDS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(
            (f"dynamodb:{a}" for a in ("GetItem", "BatchGetItem", "Query", "GetRecords")),
            ("dynamodb", _READ),
        ),
        **dict.fromkeys(
            (f"dynamodb:{a}" for a in ("PutItem", "UpdateItem", "PartiQLUpdate")),
            ("dynamodb", _WRITE),
        ),
        "sqs:SendMessage": ("sqs", _SEND),
        "sqs:ReceiveMessage": ("sqs", _OPEN),
        "s3:GetObject": ("s3", _OPEN),
        "s3:PutObject": ("s3", _SEND),
        "secretsmanager:GetSecretValue": ("secretsmanager", _OPEN),
        "ssm:GetParameter": ("ssm", _OPEN),
    }
)


def encrypt_with_own_key(scope: Construct, data: Stack, settings: StageSettings) -> None:
    """Have every table, bucket, queue, topic and log group below ``scope`` use the stage's key.

    Nothing happens where the stage has none: AWS then encrypts with keys that it owns.
    """
    if settings.kms_key is None:
        return
    if settings.kms_key == OWN_KEY:
        key: kms.IKey = _made(data, settings)
    else:
        key = kms.Key.from_key_arn(data, "Key", settings.kms_key)
    Aspects.of(scope).add(_Encrypted(key))


def _made(data: Stack, settings: StageSettings) -> kms.Key:
    key = kms.Key(
        data,
        "Key",
        alias=f"alias/{settings.physical_name('data')}",
        description=f"Timegate {settings.name}: everything at rest",
        enable_key_rotation=True,
        removal_policy=(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
            if settings.retain_data
            else RemovalPolicy.DESTROY
        ),
    )
    for statement in service_statements():
        key.add_to_resource_policy(statement)
    return key


def service_statements() -> list[iam.PolicyStatement]:
    """What AWS's own services do with the key; an own one needs the same (docs/deploying.md)."""
    logs_arn = f"arn:{Aws.PARTITION}:logs:{Aws.REGION}:{Aws.ACCOUNT_ID}:log-group:*"
    ours = {"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
    return [
        _for_service(
            f"logs.{Aws.REGION}.amazonaws.com",
            [*_WRITE],
            {"ArnLike": {"kms:EncryptionContext:aws:logs:arn": logs_arn}},
        ),
        # Step Functions hands its logs to this service.
        _for_service("delivery.logs.amazonaws.com", [*_SEND], ours),
        # Alarms report to the topic.
        _for_service("cloudwatch.amazonaws.com", [*_SEND], ours),
        # Rules park events that started nothing.
        _for_service("events.amazonaws.com", [*_SEND], ours),
    ]


def _for_service(
    service: str, actions: list[str], conditions: Mapping[str, object]
) -> iam.PolicyStatement:
    return iam.PolicyStatement(
        actions=actions,
        # A key's policy speaks of nothing but the key.
        resources=["*"],
        principals=[iam.ServicePrincipal(service)],
        conditions=conditions,
    )


@jsii.implements(IAspect)
class _Encrypted:
    """Visits everything, so that what is added tomorrow is encrypted as well."""

    def __init__(self, key: kms.IKey) -> None:
        self._key = key

    def visit(self, node: IConstruct) -> None:
        """Set the key of what keeps something, and let roles use it for what they may do."""
        arn = self._key.key_arn
        if isinstance(node, dynamodb.CfnTable):
            node.sse_specification = dynamodb.CfnTable.SSESpecificationProperty(
                sse_enabled=True, sse_type="KMS", kms_master_key_id=arn
            )
        elif isinstance(node, s3.CfnBucket):
            node.bucket_encryption = _of_bucket(arn)
        elif isinstance(node, sqs.CfnQueue):
            node.sqs_managed_sse_enabled = None
            node.kms_master_key_id = arn
        elif isinstance(node, sns.CfnTopic):
            node.kms_master_key_id = arn
        elif isinstance(node, logs.CfnLogGroup):
            node.kms_key_id = arn
        elif isinstance(node, iam.Policy):
            for statement in _statements(_actions(node), arn):
                node.add_statements(statement)


def _of_bucket(arn: str) -> s3.CfnBucket.BucketEncryptionProperty:
    by_default = s3.CfnBucket.ServerSideEncryptionByDefaultProperty(
        sse_algorithm="aws:kms", kms_master_key_id=arn
    )
    # One call to KMS for many objects, instead of one for each.
    rule = s3.CfnBucket.ServerSideEncryptionRuleProperty(
        server_side_encryption_by_default=by_default, bucket_key_enabled=True
    )
    return s3.CfnBucket.BucketEncryptionProperty(server_side_encryption_configuration=[rule])


def _actions(policy: iam.Policy) -> set[str]:
    written = policy.document.to_json()["Statement"]
    named = (each["Action"] for each in written if each["Effect"] == "Allow")
    return {a for each in named for a in ([each] if isinstance(each, str) else each)}


def _statements(actions: Iterable[str], key_arn: str) -> list[iam.PolicyStatement]:
    """One for each service by whose way a role uses the key, and for no other use."""
    needed: dict[str, set[str]] = {}
    for service, uses in (NEEDS[action] for action in sorted(actions) if action in NEEDS):
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
