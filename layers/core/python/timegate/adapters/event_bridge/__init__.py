"""Amazon EventBridge: the bus of the stage."""
