"""Puts the firmware on a board: two slots, checked before the switch, and a way back (`captain flash`)."""
