"""The archive for those who ask in SQL: tables of Glue, and a workgroup of Athena."""

from typing import Any

from aws_cdk import Aws
from aws_cdk import aws_athena as athena
from aws_cdk import aws_glue as glue
from constructs import Construct

from infra.constructs.data.archive_bucket import QUERIES, ArchiveBucket
from infra.stage.settings import StageSettings
from timegate.domain.archive.columns import COLUMNS, RecordKind

#: A query that would scan more ends: 5 cents by list price.
_LARGEST_SCAN = 10 * 1024**3
#: No stage is older.
_FIRST_DAY = "2026-01-01"
_PARQUET = "org.apache.hadoop.hive.ql.io.parquet"


class ArchiveCatalog(Construct):
    """A database with a table for each kind of records, and the one workgroup that queries it.

    Partitions are projected: there is no crawler, and no partition to add. A query names its
    tenant, or Athena refuses it.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, bucket: ArchiveBucket
    ) -> None:
        super().__init__(scope, construct_id)
        self.database = settings.physical_name("archive").replace("-", "_")
        database = glue.CfnDatabase(
            self,
            "Database",
            catalog_id=Aws.ACCOUNT_ID,
            database_input=glue.CfnDatabase.DatabaseInputProperty(
                name=self.database,
                description=f"What ended runs of stage {settings.name} left",
            ),
        )
        for kind in RecordKind:
            table = glue.CfnTable(
                self,
                kind.capitalize(),
                catalog_id=Aws.ACCOUNT_ID,
                database_name=self.database,
                table_input=_table(kind, f"s3://{bucket.name}/{kind}/"),
            )
            table.node.add_dependency(database)
        self.workgroup = settings.physical_name("archive")
        athena.CfnWorkGroup(
            self,
            "Workgroup",
            name=self.workgroup,
            description=f"Queries of the archive of stage {settings.name}",
            # AWS deletes no workgroup that has run a query, unless told to: its stack would stay.
            # Nothing but that list and saved queries goes with it; results are in the bucket.
            recursive_delete_option=True,
            work_group_configuration=athena.CfnWorkGroup.WorkGroupConfigurationProperty(
                enforce_work_group_configuration=True,
                publish_cloud_watch_metrics_enabled=False,
                bytes_scanned_cutoff_per_query=_LARGEST_SCAN,
                result_configuration=athena.CfnWorkGroup.ResultConfigurationProperty(
                    output_location=f"s3://{bucket.name}/{QUERIES}",
                    encryption_configuration=athena.CfnWorkGroup.EncryptionConfigurationProperty(
                        encryption_option="SSE_S3"
                    ),
                ),
            ),
        )


def _table(kind: RecordKind, location: str) -> glue.CfnTable.TableInputProperty:
    columns: list[Any] = [
        glue.CfnTable.ColumnProperty(name=each.name, type=each.kind, comment=each.meaning)
        for each in COLUMNS[kind]
    ]
    return glue.CfnTable.TableInputProperty(
        name=kind,
        table_type="EXTERNAL_TABLE",
        partition_keys=[
            glue.CfnTable.ColumnProperty(name="tenant", type="string"),
            glue.CfnTable.ColumnProperty(name="day", type="string"),
        ],
        parameters={
            "classification": "parquet",
            "projection.enabled": "true",
            "projection.tenant.type": "injected",
            "projection.day.type": "date",
            "projection.day.format": "yyyy-MM-dd",
            "projection.day.range": f"{_FIRST_DAY},NOW",
            "storage.location.template": f"{location}tenant=${{tenant}}/day=${{day}}/",
        },
        storage_descriptor=glue.CfnTable.StorageDescriptorProperty(
            columns=columns,
            location=location,
            input_format=f"{_PARQUET}.MapredParquetInputFormat",
            output_format=f"{_PARQUET}.MapredParquetOutputFormat",
            serde_info=glue.CfnTable.SerdeInfoProperty(
                serialization_library=f"{_PARQUET}.serde.ParquetHiveSerDe"
            ),
        ),
    )
