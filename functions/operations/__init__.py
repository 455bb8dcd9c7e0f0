"""Stream in: ended runs and what follows from them."""
