"""The physical world behind a simulated board, and behind a game without one."""
