"""The way of an attempt, as instants from when it was due."""

from datetime import datetime, timedelta

from timegate.cli.terminal.wording import span
from timegate.client import JsonObject

_STEPS = ("planned", "published", "received", "claimed", "started", "ended")


def timeline(attempt: JsonObject) -> str:
    """Show each step that an attempt has taken, by how long after its due time: +250 ms."""
    # An older API says nothing of it.
    instants = attempt.get("timeline", {})
    if not instants:
        return ""
    due_at = datetime.fromisoformat(attempt["due_at"])
    taken = [(step, instants.get(f"{step}_at")) for step in _STEPS]
    return ", ".join(f"{step} {_since(due_at, at)}" for step, at in taken if at is not None)


def _since(due_at: datetime, at: str) -> str:
    milliseconds = (datetime.fromisoformat(at) - due_at) // timedelta(milliseconds=1)
    return f"{'+' if milliseconds >= 0 else ''}{span(milliseconds)}"
