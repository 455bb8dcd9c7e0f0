"""Secrets, parameters and sessions on moto: read, remembered, and refused when they are missing."""

from datetime import UTC, datetime

import pytest

from tests.support.factories import NOW, TENANT
from tests.support.stores.moto_inside import Aws, arn_of
from tests.unit.adapters.targets.calls import refusal
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.aws.tenant_sessions import SESSION_LENGTH, TenantSessions
from timegate.adapters.targets.secret_reader import CACHE_FOR, SecretReader
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.values.secrets import SecretRef

RULES = TargetRules(
    allowed_secrets=("arn:aws:secretsmanager:*:*:secret:*", "arn:aws:ssm:*:*:parameter/*"),
)


@pytest.fixture
def clock() -> MemoryClock:
    return MemoryClock(NOW)


@pytest.fixture
def reader(aws: Aws, clock: MemoryClock) -> SecretReader:
    """A reader of both services."""
    return SecretReader(lambda _: aws("secretsmanager"), lambda _: aws("ssm"), RULES, clock)


def test_a_secret_is_read_and_remembered_for_a_minute(
    aws: Aws, reader: SecretReader, clock: MemoryClock
) -> None:
    """A rotated one is read when the old one is forgotten."""
    vault = aws("secretsmanager")
    arn = vault.create_secret(Name="rotated", SecretString='{"key": "old"}')["ARN"]
    ref = SecretRef(secret_arn=arn, json_key="key")
    read = [reader.read(TENANT, ref)]
    vault.put_secret_value(SecretId=arn, SecretString='{"key": "new"}')
    for step in (CACHE_FOR - CACHE_FOR / 60, CACHE_FOR / 60):
        clock.advance(step.total_seconds())
        read.append(reader.read(TENANT, ref))

    assert read == ["old", "old", "new"]


def test_a_parameter_is_read_in_plain_text(aws: Aws, reader: SecretReader) -> None:
    """Parameter Store decrypts it."""
    aws("ssm").put_parameter(Name="/crm", Value="hunter2", Type="SecureString")

    assert reader.read(TENANT, SecretRef(ssm_parameter="/crm")) == "hunter2"


@pytest.mark.parametrize(
    "ref",
    [
        pytest.param(SecretRef(ssm_parameter="/missing"), id="parameter"),
        pytest.param(
            SecretRef(secret_arn=arn_of("secretsmanager", "secret:missing-a1B2c3")), id="secret"
        ),
    ],
)
def test_a_secret_that_does_not_exist_is_a_permanent_failure(
    reader: SecretReader, ref: SecretRef
) -> None:
    """A retry would not find it either."""
    kind, code, _ = refusal(lambda: reader.read(TENANT, ref))

    assert (kind, code) == (FailureKind.PERMANENT, "secret_not_found")


def test_a_secret_that_is_marked_for_deletion_does_not_exist(
    aws: Aws, reader: SecretReader
) -> None:
    """Its owner has given it up."""
    arn = aws("secretsmanager").create_secret(Name="deleted", SecretString="x")["ARN"]
    aws("secretsmanager").delete_secret(SecretId=arn)
    kind, code, _ = refusal(lambda: reader.read(TENANT, SecretRef(secret_arn=arn)))

    assert (kind, code) == (FailureKind.PERMANENT, "secret_not_found")


def test_a_tenant_has_one_session_of_the_targets_role(aws: Aws) -> None:
    """STS gives another one shortly before it ends."""
    clock = MemoryClock(NOW)
    sessions = TenantSessions(lambda: aws("sts"), clock, role_arn=arn_of("iam", "role/targets"))
    first = sessions.credentials(TENANT)

    assert sessions.credentials(TENANT) == first
    # moto's sessions end by the clock of this machine.
    clock.set(datetime.now(UTC) + SESSION_LENGTH)
    assert sessions.credentials(TENANT) != first
