"""Credentials and region of the operator, as the AWS CLI and the CDK CLI find them."""

import os

import boto3


def operator_session(region: str | None = None) -> boto3.Session:
    """Return a session in a region; ``None``: in that of the environment, or of the profile.

    boto3 does not read ``AWS_REGION``, which comes before ``AWS_DEFAULT_REGION`` and the profile
    for both command lines. A command would else change the stage of another region.
    """
    return boto3.Session(region_name=region or os.environ.get("AWS_REGION") or None)
