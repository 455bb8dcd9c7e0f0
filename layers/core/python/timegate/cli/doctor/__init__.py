"""``timegate health`` and ``timegate doctor``: is the stage well, and if not, what is wrong."""
