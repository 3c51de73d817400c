"""Games by mail: what people write and what they get, who may write it, and the game master's desk."""
