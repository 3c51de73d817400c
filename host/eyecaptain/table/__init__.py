"""The referee: board events and people become actions, actions go to the game, the log, the views and the board."""
