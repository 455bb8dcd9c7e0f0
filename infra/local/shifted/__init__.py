"""The folder on the path of processes that live by a cloud's own clock."""
