"""Watches the alarms of a deployed stack: quiet, rung by a fault, and quiet again."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from tests.e2e.alarms.rung_alarms import PREFIX
from tests.support.deployed.stack import Stack

#: For states that are asked for again and again.
PATIENCE_SECONDS = 150
#: CloudWatch tells of composites where it is asked for them.
KINDS = ["MetricAlarm", "CompositeAlarm"]


@dataclass
class AlarmWatch:
    """The states that alarms of a stack went through."""

    stack: Stack
    #: By the name of the alarm, in order.
    seen: dict[str, list[str]] = field(default_factory=dict)

    def wait_until_quiet(
        self, alarms: Iterable[str], meanwhile: Callable[[], object], seconds: float
    ) -> None:
        """Wait until each of these alarms was seen quiet."""
        quiet = lambda: {name for name, state in self._states().items() if state == "OK"}  # noqa: E731
        self._wait_for("OK", alarms, meanwhile, quiet, seconds)

    def wait_until_rung(
        self,
        alarms: Iterable[str],
        since: datetime,
        suffer: Callable[[], object],
        seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """Let functions be called until each of these alarms has gone off."""
        self._wait_for("ALARM", alarms, suffer, lambda: self.raised_since(since), seconds)

    def raised_since(self, start: datetime) -> set[str]:
        """Name the alarms that went off; some were on for a few seconds."""
        history = self._client.get_paginator("describe_alarm_history")
        pages = history.paginate(AlarmTypes=KINDS, HistoryItemType="StateUpdate", StartDate=start)
        return {
            each["AlarmName"].removeprefix(PREFIX)
            for page in pages
            for each in page["AlarmHistoryItems"]
            if each["HistorySummary"].endswith("to ALARM")
        }

    def _wait_for(
        self,
        state: str,
        alarms: Iterable[str],
        meanwhile: Callable[[], object],
        look: Callable[[], set[str]],
        seconds: float,
    ) -> None:
        deadline = time.monotonic() + seconds
        left = set(alarms)
        while left and time.monotonic() < deadline:
            meanwhile()
            for name in left & look():
                self.seen.setdefault(name, []).append(state)
                left.remove(name)
            time.sleep(0.5)

    def _states(self) -> Mapping[str, str]:
        """The state of each alarm, composites included."""
        pages = self._client.get_paginator("describe_alarms").paginate(AlarmTypes=KINDS)
        found = [each for page in pages for kind in KINDS for each in page.get(f"{kind}s", ())]
        return {each["AlarmName"].removeprefix(PREFIX): each["StateValue"] for each in found}

    @cached_property
    def _client(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("cloudwatch")
