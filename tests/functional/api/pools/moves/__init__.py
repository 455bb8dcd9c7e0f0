"""Jobs that are changed while their runs wait in a pool or are held, over HTTP."""
