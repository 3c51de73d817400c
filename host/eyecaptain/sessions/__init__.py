"""Recorded games: the format of the log, its writer and reader, where sessions live, and replay."""
