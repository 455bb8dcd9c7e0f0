"""Previews: instants to come, and edits before they are made."""
