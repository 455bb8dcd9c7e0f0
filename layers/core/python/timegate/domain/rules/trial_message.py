"""Trial messages of rules: channels are told that nothing has happened."""

from datetime import datetime

from timegate.domain.rules.messages import rule_notices
from timegate.domain.rules.rule import Rule
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339

#: Trials of one version within so many seconds are one: a request that is repeated tells once.
SECONDS = 10


def trial_notices(rule: Rule, *, now: datetime) -> tuple[Attempt, ...]:
    """The runs that carry a trial message to each channel of a rule; quiet hours hold none back."""
    at = now.replace(second=now.second - now.second % SECONDS, microsecond=0)
    event = {
        "type": "test",
        "condition": None,
        "at": rfc3339(at),
        "text": f"This is a test of the notification rule {rule.name}. Nothing has happened.",
        "job": None,
        "run": None,
    }
    return rule_notices(rule, [event], seed=f"test\n{rule.version}", now=at)
