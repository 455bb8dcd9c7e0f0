"""``timegate apply``: what files declare, compared with what is there, and made so."""
