"""Payloads on the command line."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi
from tests.functional.cli.samples import JOB_ID

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    "command",
    [
        f"jobs trigger {JOB_ID} --payload null",
        f"jobs trigger {JOB_ID} --merge null",
        "jobs create --name a --now --webhook https://example.com/hook --payload null",
        "dead-letters redrive --all --payload null",
    ],
)
def test_null_is_no_payload(api: FakeApi, timegate: Timegate, command: str) -> None:
    """It cannot count as left out: a run would get what the job says."""
    refused = timegate(*command.split())

    assert (refused.code, api.calls) == (2, [])
    assert "--no-payload" in refused.err
