"""The stack of data that outlives code."""

from aws_cdk import CfnOutput, Environment
from constructs import Construct

from infra.constructs.data.archive_bucket import ArchiveBucket
from infra.constructs.data.archive_catalog import ArchiveCatalog
from infra.constructs.data.blobs import Blobs
from infra.constructs.data.region_table import RegionTable, alarm_on_replication
from infra.constructs.data.run_queues import RunQueues
from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import JobTable, RunTable
from infra.constructs.observability.alerts import Alerts
from infra.stacks.stage_stack import StageStack
from infra.stage.given.choices import CHOICES_OUTPUT, choices_text
from infra.stage.settings import StageSettings


class DataStack(StageStack):
    """Tables, blobs, archive, run queues, and the topics that alarms report to."""

    def __init__(
        self,
        scope: Construct,
        *,
        settings: StageSettings,
        env: Environment | None,
    ) -> None:
        super().__init__(
            scope,
            "Data",
            settings=settings,
            meaning="what outlives code",
            env=env,
            keeps_data=True,
        )
        self.alerts = Alerts(self, "Alerts", settings=settings)
        self.stores = Stores(
            jobs=JobTable(self, "Jobs", settings=settings),
            runs=RunTable(self, "Runs", settings=settings),
            blobs=Blobs(self, "Blobs", settings=settings),
            archive=ArchiveBucket(self, "Archive", settings=settings),
            queues=RunQueues(self, "Queues", settings=settings, alerts=self.alerts),
        )
        # DynamoDB makes one table with indexes at a time, and CloudFormation all at once.
        self.stores.runs.node.add_dependency(self.stores.jobs)
        if settings.regions is not None:
            RegionTable(self, "Region", settings=settings)
            for name, table in (("jobs", self.stores.jobs), ("runs", self.stores.runs)):
                alarm_on_replication(table, name, settings=settings, alerts=self.alerts)
        catalog = ArchiveCatalog(self, "Catalog", settings=settings, bucket=self.stores.archive)
        queues = self.stores.queues
        CfnOutput(self, CHOICES_OUTPUT, value=choices_text(settings.choices))
        CfnOutput(self, "JobsTableName", value=self.stores.jobs.name)
        CfnOutput(self, "RunsTableName", value=self.stores.runs.name)
        CfnOutput(self, "BlobBucketName", value=self.stores.blobs.name)
        CfnOutput(self, "ArchiveBucketName", value=self.stores.archive.name)
        CfnOutput(self, "ArchiveDatabase", value=catalog.database)
        CfnOutput(self, "ArchiveWorkgroup", value=catalog.workgroup)
        CfnOutput(self, "QueueUrls", value=queues.urls(self))
        CfnOutput(self, "DeadLetterQueueUrls", value=queues.dead_letter_urls(self))
        CfnOutput(self, "AlertsTopicArn", value=self.alerts.topic.topic_arn)
        CfnOutput(self, "TicketsTopicArn", value=self.alerts.tickets.topic_arn)
