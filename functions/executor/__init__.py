"""Queue in: claim, run, record."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
