"""The local cloud itself, without a stack in it."""
