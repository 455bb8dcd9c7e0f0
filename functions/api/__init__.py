"""The HTTP API, version 1."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
