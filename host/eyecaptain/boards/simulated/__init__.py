"""The simulated board: the real firmware in a real MicroPython, behind a pseudo-terminal, on a world of its own."""
