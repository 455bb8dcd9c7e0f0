"""The archive: ended records read for it, and archived runs read back."""
