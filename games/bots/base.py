"""What every bot is: a player that sees what its seat sees and names one of its legal moves."""


class RandomBot:
    """Plays any legal move, in any game: the weakest player there is, to measure others by."""

    name = "random"

    def choose(self, table, moves, rng):
        """One of `moves`, each as likely as the other."""
        return rng.choice(moves)
