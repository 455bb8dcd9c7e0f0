"""Sets of declarations: what a set has made bears the set's name."""

#: The tag of what was declared; its value is the name of the set.
TAG = "timegate-apply"
