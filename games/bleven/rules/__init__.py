"""The rules of Bleven as every game offers them: `Rules`, put together from the other modules here."""

from games.bleven.rules import moves, options, sampling, scoring, state, view
from games.bleven.rules.state import FIRST_OPTIONS, Match
from games.kit.contract import CHANCE, Meaning, Rules, made_of
from games.kit.language import lazy


@made_of(options, state, moves, scoring, view, sampling)
class Bleven(Rules):
    """Source: the rules page of Bleven, whose headings the other modules name."""

    slug = "bleven"
    name = "Bleven"
    summary = lazy(
        "Improve your three cards, predict the tricks they will win, and bet on it against players who doubt you."
    )
    version = 2
    seat_counts = (2, 4)
    default_seats = 2
    partners_at = (4,)
    presets = options.PRESETS
    formats = options.FORMATS
    difficulty = lazy("Takes a match to learn")
    meanings = {"trick_won": Meaning.TRICK_FINISHED, "round_scored": Meaning.DEAL_SCORED}

    def new_match(self, seats, options):
        match = Match(seats, **self.clean_options(seats, options))
        return state.cleared(match, "deal", CHANCE)


class FirstBleven(Bleven):
    """Version 1: the choices that it does not have stand at the defaults of `Match`, and are not told."""

    version = 1
    presets = ()

    def option_fields(self, seats=None):
        return tuple(field for field in super().option_fields(seats) if field.name in FIRST_OPTIONS)

    def shown_to_all(self, state):
        table = super().shown_to_all(state)
        return table | {"options": {name: table["options"][name] for name in FIRST_OPTIONS}}

    def dump(self, state):
        position = super().dump(state)
        return position | {"match": position["match"][: 1 + len(FIRST_OPTIONS)]}
