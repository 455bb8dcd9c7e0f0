"""An operator's view of shards: what waits where, and how to be rid of those that are retired."""
