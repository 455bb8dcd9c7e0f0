"""Wiring: the only place where clients are built and ports are given their adapters."""

import os
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_bytes

from timegate.adapters.dynamo.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.job_store import DynamoJobStore
from timegate.adapters.dynamo.run_store import DynamoRunStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.sqs.backlog import SqsBacklog
from timegate.adapters.sqs.inbox import SqsInbox
from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.adapters.targets.router import TargetRouter
from timegate.adapters.threaded_workshop import ThreadedWorkshop
from timegate.runtime import clients
from timegate.runtime.settings import (
    ApiSettings,
    DeadLetterSettings,
    Environment,
    ExecutorSettings,
    OutcomesSettings,
    PlanningSettings,
    RelaySettings,
    SweeperSettings,
    Tables,
)
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.usecases.execution import Execution
