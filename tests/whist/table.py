"""How six-card whist is drawn: not at all yet."""


class WhistDrawing:
    """Nothing: the tests look at no table of it."""
