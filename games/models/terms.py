"""The terms of a table: the host's choices apart from the rules and their options."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Self

DEFAULT_SPEED = "normal"
COLUMNS = ("speed", "listed", "watching", "rated", "club_id")  # The terms that queries filter on.


@dataclass(frozen=True)
class Terms:
    """The terms of a match. Those in COLUMNS have a column, the others are JSON. A new option is a field here."""

    speed: str = DEFAULT_SPEED
    listed: bool = True  # The lobby shows the table. Otherwise only its link leads to it.
    watching: str = "anyone"  # A value of Match.Watching.
    rated: bool = False
    club_id: int | None = None  # The club whose members alone may sit here.
    chat: str = "friends"  # A value of Match.Chat.
    open_deals: bool = False  # After each deal players and watchers may see all its cards.
    slow_bots: bool = False  # The pauses around moves of bots are twice as long.
    claims: bool = True  # Players may claim the rest of a deal.
    completion_asked: int | None = None  # Percent of their matches that uninvited players must have finished.

    @classmethod
    def of(cls, match: Any) -> Self:
        """Return the terms of a Match."""
        return cls(**cls._select(match.further_terms) | {name: getattr(match, name) for name in COLUMNS})

    @classmethod
    def of_json(cls, data: object) -> Self:
        return cls(**cls._select(data))

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    def as_columns(self) -> dict[str, object]:
        """Return the fields of a Match that hold these terms."""
        further = self.as_json()
        return {name: further.pop(name) for name in COLUMNS} | {"further_terms": further}

    @classmethod
    def _select(cls, data: object) -> dict[str, Any]:
        """Return the terms in stored JSON. Ignore keys of other versions."""
        names = {field.name for field in fields(cls)}
        return {name: value for name, value in data.items() if name in names} if isinstance(data, dict) else {}
