"""What a board sees of the die: readings, calibrations, and how good they are."""
