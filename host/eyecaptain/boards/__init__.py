"""The boards that a game can be played on; `base` says what a board can do."""
