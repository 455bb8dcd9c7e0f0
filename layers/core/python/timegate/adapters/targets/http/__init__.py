"""The HTTP client of web hooks, notifications and conditions: it owns its sockets."""
