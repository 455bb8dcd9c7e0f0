"""The console beside the local cloud: its server, its people, and its address."""
