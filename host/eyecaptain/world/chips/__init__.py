"""Register-level models of the board's chips: what a driver can find out about a chip through its pins, and no more.

They take the time as an argument (seconds of the world's clock) and know nothing of each other or of games.
"""
