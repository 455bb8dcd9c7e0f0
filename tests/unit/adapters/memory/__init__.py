"""The stand-ins in memory."""
