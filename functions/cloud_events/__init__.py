"""The function that sends CloudEvents."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
