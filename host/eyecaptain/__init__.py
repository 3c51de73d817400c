"""Eye Eye Captain, electronic: the rules, the table, the log, and the link to the board."""

__version__ = "0.1.0"
