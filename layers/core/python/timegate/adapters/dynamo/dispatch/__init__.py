"""Stream images, cursors and shards of the functions that move runs on."""
