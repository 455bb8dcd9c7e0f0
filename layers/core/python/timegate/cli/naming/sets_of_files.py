"""Sets of files that ``timegate apply`` was given: what they made bears their name."""

#: The tag of what was made by ``apply``; its value is the name of the set of files.
TAG = "timegate-apply"
