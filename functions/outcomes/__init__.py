"""Stream in: ended runs and what follows from them."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
