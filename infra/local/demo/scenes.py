"""Scenes of the demonstration: its jobs, and the end that each must have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from infra.local.demo.targets import Targets
from infra.local.webhook_target import Recorder
from timegate.domain.values.instants import rfc3339

#: How far ahead the one with a fixed instant is.
AHEAD = timedelta(seconds=12)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A job, and what must become of it."""

    definition: Mapping[str, Any]
    #: Text about it in the table.
    target: str
    runs: int = 1
    state: str = "succeeded"
    attempts: int = 1

    @property
    def name(self) -> str:
        """The job's."""
        return str(self.definition["name"])

    def accepts(self, runs: Sequence[Mapping[str, Any]]) -> bool:
        """Tell if these are the expected runs, each ended as expected, none early."""
        return len(runs) == self.runs and all(
            run["state"] == self.state
            and run["attempt"] == self.attempts
            and run["lateness_ms"] >= 0
            for run in runs
        )


def scenes(targets: Targets, *, now: datetime) -> list[Scene]:
    """Every schedule kind, every priority, every target, and two that have a hard time."""
    return [
        *_web_hooks(targets.webhook, now),
        *_other_targets(targets),
        *_troubles(targets.webhook),
    ]


def _web_hooks(hook: Recorder, now: datetime) -> list[Scene]:
    return [
        _webhook(hook.url("invoice"), "send invoice", {"kind": "immediate"}, priority="critical"),
        _webhook(
            hook.url("market"),
            "open market",
            {"kind": "at", "at": rfc3339(now + AHEAD)},
            priority="high",
            precision="subsecond",
        ),
        _webhook(
            hook.url("report"),
            "report, Berlin time",
            {"kind": "cron", "cron": "*/5 * * * * *", "timezone": "Europe/Berlin", "max_runs": 3},
            priority="low",
            runs=3,
        ),
    ]


def _other_targets(targets: Targets) -> list[Scene]:
    return [
        Scene(
            definition={
                "name": "resize image",
                "schedule": {"kind": "delay", "delay_seconds": 4},
                "action": {"type": "lambda", "function_arn": targets.function_arn},
                "payload": {"n": 1},
                "priority": "normal",
            },
            target="lambda",
        ),
        Scene(
            definition={
                "name": "poll supplier",
                "schedule": {"kind": "rate", "every_seconds": 3, "max_runs": 4},
                "action": {"type": "sqs", "queue_url": targets.queue_url},
                "payload": {"supplier": "acme"},
                "priority": "high",
                "resource_class": "long",
            },
            target="sqs",
            runs=4,
        ),
    ]


def _troubles(hook: Recorder) -> list[Scene]:
    hook.answer("flaky", 503, 503)
    hook.answer("hopeless", 500, 500)
    return [
        _webhook(
            hook.url("flaky"),
            "flaky: fails twice",
            {"kind": "immediate"},
            priority="normal",
            retry={"max_attempts": 3, "initial_delay_seconds": 1},
            attempts=3,
        ),
        _webhook(
            hook.url("hopeless"),
            "hopeless: gives up",
            {"kind": "immediate"},
            priority="low",
            retry={"max_attempts": 2, "initial_delay_seconds": 1},
            attempts=2,
            state="dead_lettered",
        ),
    ]


def _webhook(
    url: str,
    name: str,
    schedule: Mapping[str, Any],
    *,
    runs: int = 1,
    attempts: int = 1,
    state: str = "succeeded",
    **fields: object,
) -> Scene:
    definition = {"name": name, "schedule": schedule, "action": {"type": "webhook", "url": url}}
    return Scene(
        definition=definition | fields, target="webhook", runs=runs, attempts=attempts, state=state
    )
