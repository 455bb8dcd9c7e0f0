"""Tick in: ended records out to files of the archive."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
