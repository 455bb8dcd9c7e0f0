"""Wiring of the archiver."""

from timegate.adapters.archive.ended_records import DynamoEndedRecords
from timegate.adapters.archive.kms_signer import KmsSealSigner
from timegate.adapters.archive.table_sizes import DynamoTableSizes
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.variables import Environment, Settings, setting
from timegate.usecases.archive.archive_services import Archiving, Sealing
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiverSettings(Settings):
    """Settings of the archiver."""

    jobs_table: str = setting(Environment.text, "JOBS_TABLE")
    runs_table: str = setting(Environment.text, "RUNS_TABLE")
    bucket: str = setting(Environment.text, "ARCHIVE_BUCKET")
    #: The key that signs seals; empty: months are not sealed.
    seal_key: str = setting(Environment.optional, "SEAL_KEY")


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiverServices:
    """Services of the archiver."""

    archiving: Archiving
    #: ``None``: the stage has no key for it.
    sealing: Sealing | None
    clock: SystemClock
    telemetry: LambdaTelemetry


def archiver_services() -> ArchiverServices:
    """Build the archiver; raises ``MissingSetting``."""
    settings, telemetry = ArchiverSettings.read(environment()), LambdaTelemetry()
    client = clients.dynamodb()
    records = DynamoEndedRecords(
        BotoEngine(client),
        jobs_table=settings.jobs_table,
        runs_table=settings.runs_table,
        size_of=DynamoTableSizes(client).size_of,
    )
    files = S3ArchiveFiles(clients.s3, settings.bucket)
    return ArchiverServices(
        archiving=Archiving(
            records=records,
            files=files,
            format=ParquetFiles(),
            telemetry=telemetry,
        ),
        sealing=(
            Sealing(
                files=files,
                signer=KmsSealSigner(clients.kms, settings.seal_key),
                telemetry=telemetry,
            )
            if settings.seal_key
            else None
        ),
        clock=SystemClock(),
        telemetry=telemetry,
    )
