"""Clock in: does every instant that has passed have its record?"""

from timegate.runtime.environment import pause_collector

pause_collector(__name__)
