"""Commands that write manifests, and the actions of what they read."""
