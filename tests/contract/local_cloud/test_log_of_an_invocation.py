"""The log of an invocation is whole when its answer comes, also while the cloud's clock stands."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from infra.local.cloud import LocalCloud

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LINE = {
    "_aws": {
        "Timestamp": int(NOW.timestamp() * 1000),
        "CloudWatchMetrics": [
            {"Namespace": "Told", "Dimensions": [["service"]], "Metrics": [{"Name": "Last"}]}
        ],
    },
    "service": "told",
    "Last": 7,
}
SOURCE = f"""
def handle(event, context):
    print({json.dumps(LINE)!r})
"""


def test_the_last_line_of_an_invocation_comes_with_its_answer(tmp_path: Path) -> None:
    """It has the metrics, which are stored by then."""
    cloud = LocalCloud.start(tmp_path, settable=True)
    try:
        assert cloud.clock is not None
        cloud.clock.set(NOW)
        _invoke(cloud.client("lambda"))
        found = cloud.client("cloudwatch").get_metric_statistics(
            Namespace="Told",
            MetricName="Last",
            Dimensions=[{"Name": "service", "Value": "told"}],
            StartTime=NOW - timedelta(minutes=1),
            EndTime=NOW + timedelta(minutes=1),
            Period=60,
            Statistics=["Sum"],
        )
    finally:
        cloud.stop()

    assert [each["Sum"] for each in found["Datapoints"]] == [7.0]


def _invoke(functions: Any) -> None:  # noqa: ANN401 - a boto3 client
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("told.py", SOURCE)
    functions.create_function(
        FunctionName="told",
        Runtime="python3.13",
        Role="arn:aws:iam::000000000000:role/told",
        Handler="told.handle",
        Code={"ZipFile": archive.getvalue()},
    )
    # An emulator that waits for silence by its own clock, which stands, never answers.
    answer = functions.invoke(FunctionName="told", Payload=b"{}")
    assert "FunctionError" not in answer, answer
