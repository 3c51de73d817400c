"""Makes and checks everything in `hardware/` that is not written by hand: `make hardware`, or `python -m tools`."""
