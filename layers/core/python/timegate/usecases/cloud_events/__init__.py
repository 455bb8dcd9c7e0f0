"""CloudEvents: derived from streams, queued, and sent to the bus of the stage."""
