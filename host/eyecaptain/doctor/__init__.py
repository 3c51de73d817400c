"""How this computer and a board are: what `captain doctor` and `captain ports` find out."""
