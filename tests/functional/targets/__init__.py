"""Calls of real targets over real sockets."""
