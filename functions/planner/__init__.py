"""Clock in: materialise what is due."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
