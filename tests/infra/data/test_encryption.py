"""Encryption: at rest with a key of AWS's or of the stage's own, on the way always."""

from typing import Any

import pytest

from infra.constructs.data.key_rights import NEEDS
from infra.stage.stage_context import KeyArnError, stage_settings
from tests.infra.stage_template import Resource, StageTemplate, listed

ARN = "arn:aws:kms:eu-west-1:111122223333:key/0f1e2d3c-4b5a-4968-8776-655443322110"
#: Where the key stands in what keeps something.
KEPT: dict[str, Any] = {
    "AWS::DynamoDB::Table": lambda p: p["SSESpecification"]["KMSMasterKeyId"],
    "AWS::S3::Bucket": lambda p: p["BucketEncryption"]["ServerSideEncryptionConfiguration"][0][
        "ServerSideEncryptionByDefault"
    ]["KMSMasterKeyID"],
    "AWS::SQS::Queue": lambda p: p["KmsMasterKeyId"],
    "AWS::SNS::Topic": lambda p: p["KmsMasterKeyId"],
    "AWS::Logs::LogGroup": lambda p: p["KmsKeyId"],
    # Results of its queries.
    "AWS::Athena::WorkGroup": lambda p: p["WorkGroupConfiguration"]["ResultConfiguration"][
        "EncryptionConfiguration"
    ]["KmsKey"],
}
KEY = "Key.Arn"
#: The key that signs, and encrypts nothing.
SEALS = "Seals/Key.Arn"


def uses(template: StageTemplate, function: str) -> dict[str, set[str]]:
    """Return a function's actions with the key, by the only service through which it may use it."""
    return {
        statement["Condition"]["StringEquals"]["kms:ViaService"].partition(".")[0]: set(
            listed(statement["Action"])
        )
        for statement in template.statements(function)
        if any(action.startswith("kms:") for action in listed(statement["Action"]))
        and statement["Resource"] != SEALS
    }


def test_by_default_keys_are_those_that_aws_owns(dev: StageTemplate) -> None:
    """They cost nothing, and no role needs a right to use them."""
    acting = {grant.action for role in dev.roles for grant in dev.grants_of_role(role)}

    assert dev.of_type("AWS::KMS::Key") == []
    assert [action for action in acting if action.startswith("kms:")] == []
    assert all(q.properties["SqsManagedSseEnabled"] for q in dev.of_type("AWS::SQS::Queue"))


@pytest.mark.parametrize("kind", KEPT)
def test_everything_at_rest_has_the_key_of_the_stage(keyed: StageTemplate, kind: str) -> None:
    """Each table, bucket, queue, topic, log group and workgroup, whatever made it."""
    found = keyed.of_type(kind)

    assert {KEY} == {KEPT[kind](each.properties) for each in found}
    assert found != []


def test_the_key_is_renewed_and_outlives_production(keyed: StageTemplate) -> None:
    """Data that is retained can be read for as long as its key is there."""
    key: Resource = keyed.one("Key")

    assert key.properties["EnableKeyRotation"]
    assert key.deletion_policy == "RetainExceptOnCreate"


def test_services_use_the_key_for_this_account_alone(keyed: StageTemplate) -> None:
    """Logs and alarms; beyond them only the account itself, whose roles are granted each."""
    statements = keyed.one("Key").properties["KeyPolicy"]["Statement"]
    services = [each for each in statements if "Service" in each["Principal"]]

    assert {
        "logs.<AWS::Region>.amazonaws.com",
        "delivery.logs.amazonaws.com",
        "cloudwatch.amazonaws.com",
        "events.amazonaws.com",
    } == {name for each in services for name in listed(each["Principal"]["Service"])}
    assert all("<AWS::AccountId>" in str(each["Condition"]) for each in services)
    assert [each["Principal"] for each in statements if each not in services] == [
        {"AWS": "arn:<AWS::Partition>:iam::<AWS::AccountId>:root"}
    ]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param(
            "relay",
            {
                "dynamodb": {"kms:Decrypt", "kms:DescribeKey"},
                "sqs": {"kms:Decrypt", "kms:GenerateDataKey"},
            },
            id="relay",
        ),
        pytest.param(
            "auditor",
            {
                # Its cursors are the only items that it writes.
                "dynamodb": {
                    *("kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"),
                    *("kms:ReEncryptFrom", "kms:ReEncryptTo"),
                },
                # Where Lambda parks the ticks that it failed at.
                "sqs": {"kms:Decrypt", "kms:GenerateDataKey"},
            },
            id="auditor",
        ),
        pytest.param(
            "archiver",
            {
                # It scans both tables, and reads them in no other way.
                "dynamodb": {"kms:Decrypt", "kms:DescribeKey"},
                "s3": {"kms:Decrypt", "kms:GenerateDataKey"},
                "sqs": {"kms:Decrypt", "kms:GenerateDataKey"},
            },
            id="archiver",
        ),
    ],
)
def test_a_function_uses_the_key_for_what_it_may_do(
    keyed: StageTemplate, function: str, expected: dict[str, set[str]]
) -> None:
    """By way of the services that it uses, and for reading where it only reads."""
    assert expected == uses(keyed, function)


#: Actions that neither read nor write what is encrypted.
WITHOUT_KEY = {
    *("dynamodb:DescribeTable", "dynamodb:DescribeStream", "dynamodb:ListStreams"),
    *("dynamodb:GetShardIterator", "s3:ListBucket"),
    *("sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes"),
    *("sqs:GetQueueUrl"),
}


def test_every_action_on_what_is_encrypted_has_its_use_of_the_key(keyed: StageTemplate) -> None:
    """One that the list lacks is refused, where its role has no other on that service."""
    acting = {grant.action for role in keyed.roles for grant in keyed.grants_of_role(role)}
    kept = {action for action in acting if action.partition(":")[0] in {"dynamodb", "s3", "sqs"}}

    assert {"dynamodb:Scan", "dynamodb:PartiQLInsert"} <= kept
    assert kept - WITHOUT_KEY <= NEEDS.keys()


def test_only_sessions_of_tenants_open_secrets_with_the_key(keyed: StageTemplate) -> None:
    """Only they may read secrets: sessions of executors, and of the API for web hooks."""
    opening = [
        role
        for role in keyed.roles
        for each in _kms(keyed, role)
        if "secretsmanager." in str(each["Condition"])
    ]

    assert opening != []
    assert all(role.startswith(("Executors/", "HookSecrets/")) for role in opening)


def test_no_role_uses_the_key_but_by_way_of_a_service(keyed: StageTemplate) -> None:
    """No principal can decrypt anything by asking KMS itself; ticks send to their dead letters."""
    statements = [each for role in keyed.roles for each in _kms(keyed, role)]

    assert all("kms:ViaService" in each["Condition"]["StringEquals"] for each in statements)
    assert all(each["Resource"] == KEY for each in statements)


def _kms(template: StageTemplate, role: str) -> list[dict[str, Any]]:
    """Its statements on keys that encrypt; the key of seals signs, and does nothing else."""
    return [
        statement
        for statement in template.statements_of_role(role)
        if any(action.startswith("kms:") for action in listed(statement["Action"]))
        and statement["Resource"] != SEALS
    ]


def keyed_with(text: str) -> str | None:
    """Return the key that a context with this text asks for."""
    context: dict[str, str] = {"kmsKey": text}
    return stage_settings(context.get).kms_key


def test_the_key_is_none_one_of_its_own_or_one_that_exists() -> None:
    """A typing error must not leave data without the key that an operator asked for."""
    chosen = [keyed_with(key) for key in ("own", ARN)]

    assert chosen == ["own", ARN]
    assert keyed_with("") is None
    for wrong in ("alias/mine", "yes", f"{ARN}/x"):
        with pytest.raises(KeyArnError, match="kmsKey"):
            keyed_with(wrong)


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_topics_refuse_plain_http(name: str, request: pytest.FixtureRequest) -> None:
    """Each topic denies every principal, like queues and buckets."""
    template: StageTemplate = request.getfixturevalue(name)
    sealed = {
        topic
        for policy in template.of_type("AWS::SNS::TopicPolicy")
        for statement in policy.properties["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny"
        and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        for topic in policy.properties["Topics"]
    }

    assert {each.path for each in template.of_type("AWS::SNS::Topic")} == sealed
