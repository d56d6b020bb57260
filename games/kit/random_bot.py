"""The random player of every game: the weakest there is, to measure others by."""


class RandomBot:
    """Plays any legal move, each as likely as the other."""

    name = "random"

    def choose(self, table, moves, rng):
        return rng.choice(moves)
