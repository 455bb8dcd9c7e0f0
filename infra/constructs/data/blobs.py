"""Payloads and results too large for an item."""

from aws_cdk import Aws, Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct, IConstruct

from infra.acknowledge import PLAIN_HTTP, acknowledge, acknowledge_wildcard
from infra.stage.settings import StageSettings

#: As the domain's: a checkpoint that was written at a run's beginning is needed at its end.
LONGEST_RUN_DAYS = 7


class Blobs(Construct):
    """A private, encrypted bucket: ``payloads/`` live as long as their job, the rest expires."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings) -> None:
        super().__init__(scope, construct_id)
        # Bucket names are unique across accounts; nothing else of ours is.
        self.name = f"{settings.physical_name('blobs')}-{Aws.ACCOUNT_ID}-{Aws.REGION}"
        bucket = s3.Bucket(
            self,
            "Bucket",
            bucket_name=self.name,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=settings.tls_only,
            minimum_tls_version=1.2 if settings.tls_only else None,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            removal_policy=(
                # A bucket with this name that a failed first deployment left would jam the next.
                RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
                if settings.retain_data
                else RemovalPolicy.DESTROY
            ),
            lifecycle_rules=[
                s3.LifecycleRule(
                    id="results-follow-their-run",
                    prefix="results/",
                    expiration=Duration.days(settings.run_retention_days),
                ),
                s3.LifecycleRule(
                    id="checkpoints-follow-their-run",
                    prefix="checkpoints/",
                    # Written while the run is under way, and needed until its record is forgotten.
                    expiration=Duration.days(settings.run_retention_days + LONGEST_RUN_DAYS),
                ),
                s3.LifecycleRule(
                    id="no-half-uploads",
                    abort_incomplete_multipart_upload_after=Duration.days(1),
                ),
            ],
        )
        acknowledge(
            bucket,
            "S1",
            "Only functions that need it reach it, a prefix each; who needs a record per "
            "object turns on CloudTrail data events for it.",
        )
        if not settings.tls_only:
            acknowledge(bucket, "S10", PLAIN_HTTP)

    def tell_missing(self, role: iam.Role, *prefixes: str) -> None:
        """Have S3 answer 404 for an object that is not there: without this right it answers 403.

        A request to list names a prefix. S3 does not say whether its check of a single object has
        one, so that the right holds where none is named.
        """
        named = {"s3:prefix": [f"{prefix}/*" for prefix in prefixes]}
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["s3:ListBucket"],
                resources=[f"arn:{Aws.PARTITION}:s3:::{self.name}"],
                conditions={"StringLikeIfExists": named},
            )
        )

    def acknowledge_objects(self, role: IConstruct) -> None:
        """Object keys are made per job and run: a role is granted a prefix, no more."""
        reason = "One prefix of one bucket; the keys under it are made per job and run."
        acknowledge_wildcard(role, self.payloads_arn, reason)
        acknowledge_wildcard(role, self.results_arn, reason)
        acknowledge_wildcard(role, self.checkpoints_arn, reason)

    @property
    def payloads_arn(self) -> str:
        """Every payload object."""
        return f"arn:{Aws.PARTITION}:s3:::{self.name}/payloads/*"

    @property
    def checkpoints_arn(self) -> str:
        """Every checkpoint object."""
        return f"arn:{Aws.PARTITION}:s3:::{self.name}/checkpoints/*"

    @property
    def results_arn(self) -> str:
        """Every result object."""
        return f"arn:{Aws.PARTITION}:s3:::{self.name}/results/*"
