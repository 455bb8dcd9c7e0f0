"""A private, encrypted bucket, and what roles are told of it."""

from collections.abc import Sequence

from aws_cdk import Aws, Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.acknowledge import PLAIN_HTTP, acknowledge, acknowledge_wildcard
from infra.stage.settings import StageSettings


class PrivateBucket(Construct):
    """A bucket that functions are given folders of."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        purpose: str,
        folders: Sequence[str],
        rules: Sequence[s3.LifecycleRule],
        unlogged: str,
    ) -> None:
        """Make it; ``unlogged`` says why S3 logs no access to it."""
        super().__init__(scope, construct_id)
        # Bucket names are unique across accounts; nothing else of ours is.
        self.name = f"{settings.physical_name(purpose)}-{Aws.ACCOUNT_ID}-{Aws.REGION}"
        self.arn = f"arn:{Aws.PARTITION}:s3:::{self.name}"
        self._folders = folders
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
                *rules,
                s3.LifecycleRule(
                    id="no-half-uploads",
                    abort_incomplete_multipart_upload_after=Duration.days(1),
                ),
            ],
        )
        acknowledge(bucket, "S1", unlogged)
        if not settings.tls_only:
            acknowledge(bucket, "S10", PLAIN_HTTP)

    def objects_arn(self, folder: str) -> str:
        """Return every object of a folder."""
        return f"{self.arn}/{folder}/*"

    def tell_missing(self, role: iam.Role, *folders: str) -> None:
        """Have S3 answer 404 for an object that is not there: without this right it answers 403.

        A request to list names a prefix. S3 does not say whether its check of a single object has
        one, so that the right holds where none is named.
        """
        named = {"s3:prefix": [f"{folder}/*" for folder in folders]}
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["s3:ListBucket"],
                resources=[self.arn],
                conditions={"StringLikeIfExists": named},
            )
        )
        # Object keys are made per job and run, or tenant and day: a role is granted a folder.
        reason = "One folder of one bucket; the keys under it are made per job and run, or day."
        for folder in self._folders:
            acknowledge_wildcard(role, self.objects_arn(folder), reason)
