"""One key for everything at rest, where a stage shall not use those that AWS owns."""

from collections.abc import Mapping

import jsii
from aws_cdk import Aspects, Aws, IAspect, RemovalPolicy, Stack
from aws_cdk import aws_athena as athena
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct, IConstruct

from infra.acknowledge import acknowledge_wildcard
from infra.constructs.data.key_rights import OPEN, SEND, WRITE, key_statements
from infra.stage.settings import OWN_KEY, StageSettings

#: Every key of the account; a condition says which.
_ANY_KEY = f"arn:{Aws.PARTITION}:kms:{Aws.REGION}:{Aws.ACCOUNT_ID}:key/*"
#: Where results of Athena's queries are encrypted.
_RESULTS = "WorkGroupConfiguration.ResultConfiguration.EncryptionConfiguration"


def encrypt_with_own_key(scope: Construct, data: Stack, settings: StageSettings) -> kms.IKey | None:
    """Have every table, bucket, queue, topic, log group and workgroup below ``scope`` use the key.

    Returns the key that new things are encrypted with; ``None``: AWS encrypts with its own.
    """
    if settings.kms_key is None:
        return None
    own = settings.kms_key == OWN_KEY
    key = _made(data, settings) if own else kms.Key.from_key_arn(data, "Key", settings.kms_key)
    if not settings.kms_leaving:
        Aspects.of(scope).add(_Encrypted(key))
        return key
    if own:
        # Stacks that are deployed still import it: it goes with the deployment after this one.
        data.export_value(key.key_arn)
        Aspects.of(scope).add(_Leaving(_ANY_KEY, _alias(settings)))
    else:
        Aspects.of(scope).add(_Leaving(key.key_arn))
    return None


def _made(data: Stack, settings: StageSettings) -> kms.Key:
    key = kms.Key(
        data,
        "Key",
        alias=_alias(settings),
        description=f"Timegate {settings.name}: everything at rest",
        enable_key_rotation=True,
        removal_policy=(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
            if settings.retain_data
            else RemovalPolicy.DESTROY
        ),
    )
    for statement in service_statements(has_console=settings.console.served):
        key.add_to_resource_policy(statement)
    return key


def _alias(settings: StageSettings) -> str:
    return f"alias/{settings.physical_name('data')}"


def service_statements(*, has_console: bool) -> list[iam.PolicyStatement]:
    """Rights of AWS's own services on the key; a key of yours needs the same.

    ``docs/operations/deploying.md`` lists them.
    """
    logs_arn = f"arn:{Aws.PARTITION}:logs:{Aws.REGION}:{Aws.ACCOUNT_ID}:log-group:*"
    ours = {"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
    distributions = f"arn:{Aws.PARTITION}:cloudfront::{Aws.ACCOUNT_ID}:distribution/*"
    # The distribution lies in a later stack, so the key cannot name it alone.
    served = {"ArnLike": {"aws:SourceArn": distributions}}
    console = [_for_service("cloudfront.amazonaws.com", [*OPEN], served)] if has_console else []
    return [
        _for_service(
            f"logs.{Aws.REGION}.amazonaws.com",
            [*WRITE],
            {"ArnLike": {"kms:EncryptionContext:aws:logs:arn": logs_arn}},
        ),
        # Step Functions hands its logs to this service.
        _for_service("delivery.logs.amazonaws.com", [*SEND], ours),
        # Alarms report to the topic.
        _for_service("cloudwatch.amazonaws.com", [*SEND], ours),
        # Rules park events that started nothing.
        _for_service("events.amazonaws.com", [*SEND], ours),
        # The console's files lie in a bucket that CloudFront alone reads.
        *console,
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
        if isinstance(node, iam.Policy):
            for statement in key_statements(node, arn):
                node.add_statements(statement)
        else:
            _encrypt(node, arn)


def _encrypt(node: IConstruct, arn: str) -> None:
    """Set the key of what keeps something."""
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
    elif isinstance(node, athena.CfnWorkGroup):
        # The workgroup's choice holds, and not the bucket's.
        node.add_property_override(_RESULTS, {"EncryptionOption": "SSE_KMS", "KmsKey": arn})


@jsii.implements(IAspect)
class _Leaving:
    """Lets roles use a key for what it still encrypts, and sets it on nothing.

    ``alias``: the key is named by it, so that no stack imports the key's ARN.
    """

    def __init__(self, resource: str, alias: str | None = None) -> None:
        self._resource = resource
        self._named = {"ForAnyValue:StringEquals": {"kms:ResourceAliases": alias}} if alias else {}

    def visit(self, node: IConstruct) -> None:
        """Add the statements to every role's policy."""
        if not isinstance(node, iam.Policy):
            return
        statements = key_statements(node, self._resource)
        for statement in statements:
            statement.add_conditions(self._named)
            node.add_statements(statement)
        if statements and self._named:
            acknowledge_wildcard(node, self._resource, "Only the key that has the stage's alias.")


def _of_bucket(arn: str) -> s3.CfnBucket.BucketEncryptionProperty:
    by_default = s3.CfnBucket.ServerSideEncryptionByDefaultProperty(
        sse_algorithm="aws:kms", kms_master_key_id=arn
    )
    # One call to KMS for many objects, instead of one for each.
    rule = s3.CfnBucket.ServerSideEncryptionRuleProperty(
        server_side_encryption_by_default=by_default, bucket_key_enabled=True
    )
    return s3.CfnBucket.BucketEncryptionProperty(server_side_encryption_configuration=[rule])
