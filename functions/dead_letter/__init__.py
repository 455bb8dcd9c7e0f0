"""Dead-letter queues in: a record that people can read out."""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
