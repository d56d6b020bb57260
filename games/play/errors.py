"""Errors that refuse a user's request."""

from games.kit.language import lazy

NO_SEAT = lazy("You have no seat at this table, so you can only watch. To play, choose another table.")
NO_SUCH_MATCH = lazy("There is no such match. Check the address.")


class Refused(Exception):
    """A request that is refused and has changed nothing. Its text is a sentence for the player."""

    status = 400


class NotAllowed(Refused):
    """The player has no right to this."""

    status = 403


class StaleMove(Refused):
    """The request was made before the player saw the latest move."""

    status = 409


class AlreadyPlayed(StaleMove):
    """The same request has come twice. The first one was carried out."""
