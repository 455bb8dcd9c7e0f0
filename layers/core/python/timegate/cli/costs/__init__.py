"""``timegate cost``: what runs cost."""
