"""Handlers of workers under test: no stack, no network, and a clock that the test steps.

happened = run_handler(sales, payload={"region": "eu"})
assert happened.outcome == "succeeded"

The worker's own classes call the handler. An API in this process answers them.
"""

from timegate.testing.clock import SteppedClock
from timegate.testing.happened import Happened, Outcome
from timegate.testing.running import run_handler

__all__ = ["Happened", "Outcome", "SteppedClock", "run_handler"]
