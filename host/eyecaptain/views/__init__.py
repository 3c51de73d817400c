"""What shows a game to people and hears what they want."""
