"""A pair of regions: the active one's time is renewed, and the other one promoted."""
