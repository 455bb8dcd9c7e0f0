"""Metrics and alarms of the local cloud, which the emulator has stores for and no sources of."""
