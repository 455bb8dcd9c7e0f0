"""The choices of a stage: which context values its deployment was given, and their record."""

import hashlib
import json
from collections.abc import Callable, Mapping

from infra.stage.given.props import CONTEXT_KEYS

#: Context values of one deployment, which the next one need not repeat.
PASSING = ("rollout",)
#: Every context value that changes a stage, beside its name.
CHOICES = tuple(key for key in CONTEXT_KEYS if key not in {"stage", *PASSING})
#: The output of the data stack that keeps them.
CHOICES_OUTPUT = "Choices"
#: A longer value is recorded by its digest: an output is no place for a document.
LONGEST = 80


def given_choices(context: Callable[[str], object]) -> dict[str, str]:
    """The choices that ``context`` makes, as they are recorded."""
    given = {name: context(name) for name in CHOICES}
    return {name: _recorded(value) for name, value in given.items() if value not in (None, "")}


def choices_text(choices: Mapping[str, str]) -> str:
    """The record, in an order of its own."""
    return json.dumps(choices, sort_keys=True)


def read_choices(text: str) -> dict[str, str]:
    """The choices of a record."""
    return {str(name): str(value) for name, value in json.loads(text).items()}


def _recorded(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    if len(text) <= LONGEST:
        return text
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:16]}"
