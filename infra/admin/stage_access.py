"""A deployed stage, reached with an operator's own credentials."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from infra.admin.account.operator_session import operator_session
from infra.stage.given.checked import audit_retention_days
from infra.stage.given.choices import CHOICES_OUTPUT, read_choices
from infra.stage.settings import StageSettings
from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.auditing.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.boto_engine import SIDE_BY_SIDE, BotoEngine
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.moving.record_source import DynamoRecordSource, MovedScope
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.domain.dispatch.shards import MAX_SHARDS
from timegate.domain.jobs.job import Timing
from timegate.domain.moving.errors import MoveRefused
from timegate.domain.tenants.audit_trail import Stamp
from timegate.ports.blobs import ErasableBlobs
from timegate.ports.tenants.audit_trail import Trail
from timegate.usecases.auditing.recount import SETTLES
from timegate.usecases.planning.open_shards import ObedientSpread

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_sts import STSClient

#: Records that an operator writes expire as the stage's own do; none of them is a run.
_RETENTION_DAYS = 30
#: Actor of a command in a tenant's trail, which does not show the operator's account.
OPERATOR = "operator"
#: Fewer connections than calls side by side, and urllib3 warns of each that it throws away.
_WIDE = Config(max_pool_connections=SIDE_BY_SIDE)
#: Rights to read and write what a key of KMS encrypts (deploying, encryption).
_KEY_RIGHTS = (
    "in a stage with a key of its own also kms:Decrypt and DescribeKey on it to read, and"
    " kms:Encrypt, GenerateDataKey, ReEncryptFrom and ReEncryptTo to write"
)


class NoAccess(MoveRefused):
    """AWS knows no credentials here, or refuses them."""

    code = "no_aws_access"

    def __init__(self, detail: str, *, rights: str) -> None:
        super().__init__(
            f"{detail} Credentials are found as the AWS CLI finds them (AWS_PROFILE, AWS_REGION); "
            f"they need {rights}."
        )


class NoStage(MoveRefused):
    """No stage of the name is deployed in the account and region of the credentials."""

    code = "stage_not_found"

    def __init__(self, stack: str, *, status: str | None = None) -> None:
        """``status``: of a stack that is there, and was never deployed to its end."""
        super().__init__(
            f"No stack {stack} is deployed in the account and region of your credentials."
            if status is None
            else f"The stack {stack} is {status} and has no outputs: deploy it to its end first."
        )


def _settle() -> None:
    time.sleep(SETTLES.total_seconds())


@dataclass(frozen=True, kw_only=True)
class StageAccess:
    """Tables and bucket of a stage, and who asks for them."""

    name: str
    engine: Engine
    jobs_table: str
    runs_table: str
    blobs: ErasableBlobs
    lambdas: "LambdaClient"
    #: Waits until indexes show what was stored before.
    settle: Callable[[], None] = _settle
    #: Asks AWS whose credentials these are.
    principal: Callable[[], str] = lambda: OPERATOR
    audit_retention: timedelta = timedelta(days=StageSettings.audit_retention_days)

    @property
    def tables(self) -> tuple[str, str]:
        """Names of the tables, that of jobs first."""
        return (self.jobs_table, self.runs_table)

    @property
    def shards(self) -> ObedientSpread:
        """The spread over all open shards."""
        return ObedientSpread(MAX_SHARDS, self.open_shards)

    @property
    def open_shards(self) -> DynamoShardStore:
        """The record of open shards."""
        return DynamoShardStore(self.engine, table=self.jobs_table)

    @property
    def usage(self) -> DynamoUsageStore:
        """Counts of quotas."""
        return DynamoUsageStore(self.engine, table=self.jobs_table)

    @property
    def runs(self) -> DynamoRunStore:
        """The runs, to be read."""
        return DynamoRunStore(
            self.engine,
            table=self.runs_table,
            jobs_table=self.jobs_table,
            shards=self.shards,
            retention_days=_RETENTION_DAYS,
        )

    @property
    def tenants(self) -> DynamoTenantStore:
        """Settings of tenants, to be read."""
        return DynamoTenantStore(self.engine, table=self.jobs_table, retention_days=_RETENTION_DAYS)

    def changed_tenants(self, trail: AuditWrites) -> DynamoTenantStore:
        """Settings of tenants, whose changes leave entries in the audit trail."""
        return DynamoTenantStore(
            self.engine, table=self.jobs_table, retention_days=_RETENTION_DAYS, audit=trail
        )

    def trail(self, command: str, *, by: str, now: datetime) -> AuditWrites:
        """Entries of what a command changes."""
        stamp = Stamp(
            subject=by,
            operation=f"admin.{command}",
            request_id=token_hex(8),
            at=now,
            of_stage=True,
        )
        trail = Trail(retention=self.audit_retention, stamp=stamp)
        return AuditWrites(trail, table=self.jobs_table)

    def records(
        self, scope: MovedScope, *, taken_over: Callable[[Timing], Timing], page: int
    ) -> DynamoRecordSource:
        """Records that move, in pages of so many; ``taken_over``: each job as it is to arrive."""
        return DynamoRecordSource(
            self.engine,
            jobs_table=self.jobs_table,
            runs_table=self.runs_table,
            scope=scope,
            taken_over=taken_over,
            page=page,
        )

    @property
    def audit_cursors(self) -> DynamoAuditCursorStore:
        """The auditor's cursors."""
        return DynamoAuditCursorStore(
            self.engine,
            table=self.jobs_table,
            shards=self.shards,
            retention_days=_RETENTION_DAYS,
        )


@dataclass(frozen=True, kw_only=True)
class StoreNames:
    """Names of the tables and the bucket of a stage, as the outputs of its stack have them."""

    jobs_table: str
    runs_table: str
    blob_bucket: str


@contextmanager
def connected(
    stage: str, *, rights: str, stores: StoreNames | None = None
) -> Iterator[StageAccess]:
    """Reach a stage; ``rights``: what the command needs on its data, in words.

    ``stores``: those of a stage whose stacks are gone; ``None``: its stack names them. Raises
    ``NoAccess`` and ``NoStage``.
    """
    with access_needed(f"{rights}; {_KEY_RIGHTS}"):
        session = operator_session()
        stacks, sts = session.client("cloudformation"), session.client("sts")
        dynamodb = session.client("dynamodb", config=_WIDE)
        lambdas, s3 = session.client("lambda"), session.client("s3")
        try:
            outputs = {} if stores else described_stage(stacks, stage).outputs
            named = stores or _stores_of(outputs)
            yield StageAccess(
                name=stage,
                engine=BotoEngine(dynamodb),
                jobs_table=named.jobs_table,
                runs_table=named.runs_table,
                blobs=S3BlobStore(lambda: s3, named.blob_bucket),
                lambdas=lambdas,
                principal=lambda: principal_of(session, sts),
                audit_retention=_audit_retention(outputs),
            )
        finally:
            for client in (stacks, sts, dynamodb, lambdas, s3):
                client.close()


@contextmanager
def access_needed(rights: str) -> Iterator[None]:
    """Say which rights a command needs where AWS grants none; raises ``NoAccess``."""
    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code not in _REFUSALS:
            raise
        raise NoAccess(
            f"AWS refuses: {error.response['Error']['Message']}", rights=rights
        ) from error
    except BotoCoreError as error:
        raise NoAccess(f"AWS cannot be asked: {str(error).rstrip('.')}.", rights=rights) from error


#: Services name the same refusal in several ways: some have a key that they do not know, others a
#: signature that it does not make. Two of them are of a clock that is wrong.
_REFUSALS = frozenset(
    {
        *("AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "ForbiddenException"),
        *("UnrecognizedClientException", "InvalidClientTokenId", "InvalidAccessKeyId"),
        *("ExpiredToken", "ExpiredTokenException", "InvalidToken"),
        *("SignatureDoesNotMatch", "InvalidSignatureException", "IncompleteSignature"),
        *("RequestExpired", "RequestTimeTooSkewed"),
        *("MissingAuthenticationToken", "MissingAuthenticationTokenException"),
        *("NotAuthorized", "OptInRequired"),
    }
)


@dataclass(frozen=True, kw_only=True)
class DescribedStage:
    """CloudFormation's answer about a stage."""

    outputs: dict[str, str]
    #: When it answered, by its clock, as HTTP writes dates.
    date: str


def described_stage(
    stacks: "CloudFormationClient", stage: str, *, part: str = "Data"
) -> DescribedStage:
    """Ask for a stack of a stage, that of its data unless said.

    Raises ``NoStage``, also for a stack that was never deployed to its end: it has no outputs.
    """
    name = f"Timegate-{stage}-{part}"
    try:
        answer = stacks.describe_stacks(StackName=name)
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            raise NoStage(name) from error
        raise
    (stack,) = answer["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}
    if not outputs:
        raise NoStage(name, status=stack["StackStatus"])
    return DescribedStage(outputs=outputs, date=answer["ResponseMetadata"]["HTTPHeaders"]["date"])


def principal_of(session: boto3.Session, sts: "STSClient") -> str:
    """Return who asks, as AWS knows the credentials."""
    with suppress(BotoCoreError, ClientError):
        return str(sts.get_caller_identity()["Arn"])
    credentials = session.get_credentials()
    return f"access key {credentials.access_key}" if credentials else "unknown"


def _audit_retention(outputs: Mapping[str, str]) -> timedelta:
    chosen = read_choices(outputs.get(CHOICES_OUTPUT, "{}"))
    return timedelta(days=audit_retention_days(chosen.get, StageSettings.audit_retention_days))


def _stores_of(outputs: Mapping[str, str]) -> StoreNames:
    return StoreNames(
        jobs_table=outputs["JobsTableName"],
        runs_table=outputs["RunsTableName"],
        blob_bucket=outputs["BlobBucketName"],
    )
