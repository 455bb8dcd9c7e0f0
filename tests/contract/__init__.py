"""One suite over both kinds of stores: in memory, and in a local cloud."""
