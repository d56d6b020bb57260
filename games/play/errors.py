"""Why something that somebody wanted to do was not done."""

from games.kit.language import lazy

NO_SUCH_MATCH = lazy("There is no such match. Check the address.")


class Refused(Exception):
    """An act that is not allowed. Its text is shown to the player as it is; it has changed nothing."""

    status = 400


class NotAllowed(Refused):
    """The act is not this player's."""

    status = 403


class StaleMove(Refused):
    """The player had not seen the latest move."""

    status = 409


class AlreadyPlayed(StaleMove):
    """The same has come twice: the first was done."""
