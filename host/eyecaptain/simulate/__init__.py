"""Bots against bots, many games at once: rules and world only, no table, no disk."""
