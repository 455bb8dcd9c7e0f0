"""Stream in: queued runs out to their queues."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
